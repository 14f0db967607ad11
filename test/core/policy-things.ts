// Objects for tests of policies, by the words that matter.
import type { Kind, Resource, SpecOf } from '../../core/kinds/index.ts'
import type { PolicyFacts } from '../../core/kinds/policy/policy-identity.ts'
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import { UnifiedChoice } from '../../core/policy/choose-unified.ts'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import { compile, type Compiled, type CompileOptions } from '../../core/policy/compile.ts'
import { Directory, type KnownIdentity } from '../../core/policy/directory.ts'
import type { Labels } from '../../core/policy/label-selector.ts'
import { namespaceLabelsOf, type Member } from '../../core/policy/member.ts'
import { factsText, identityNumber, numberAfter } from '../../core/policy/numbers.ts'
import { Relevance } from '../../core/policy/relevance.ts'
import { Ties } from '../../core/policy/rules/ties.ts'

export const vni = 7

/** @param key `namespace/name`, or `name` of a kind of the cluster */
export function resource<K extends Kind>(kind: K, key: string, spec: unknown, metadata: object = {}): Resource<K> {
  const [name = '', namespace] = key.split('/').reverse()
  const meta = { uid: `${kind}/${key}`, resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' }
  const place = namespace === undefined ? { name } : { namespace, name }
  return { apiVersion: 'v1', kind, metadata: { ...meta, ...place, ...metadata }, spec: spec as SpecOf<K> }
}

/** @param key `namespace/name` of the Port */
export function member(key: string, labels: Labels = {}, more: Partial<Member> = {}): Member {
  const namespace = key.slice(0, key.indexOf('/'))
  return {
    namespace,
    labels,
    namespaceLabels: namespaceLabelsOf(namespace),
    securityGroups: [],
    port: key,
    containerPorts: {},
    ...more,
  }
}

export interface World {
  readonly identities: readonly KnownIdentity[]
  readonly directory: Directory
  /** The number of who has the Port of this key. */
  numberOf(port: string): number
  compile(policy: CommonPolicy, more?: Partial<CompileOptions>): Compiled
  readonly sets: readonly RuleSetSpec[]
}

/** All that a worker does of policies for one VNI, in memory. */
export function worldOf(members: readonly Member[], policies: readonly CommonPolicy[], more: Partial<CompileOptions> = {}): World {
  const relevance = new Relevance(policies)
  const byText = new Map<string, KnownIdentity>()
  const numbers = new Set<number>()
  const numbered = new Map<string, number>()
  for (const each of members) {
    const facts = relevance.factsOf(each)
    const known = byText.get(factsText(facts)) ?? { number: freeNumber(facts, numbers), facts }
    byText.set(factsText(facts), known)
    numbered.set(each.port, known.number)
  }
  const labels = new Map(members.map((each) => [each.namespace, each.namespaceLabels]))
  const directory = new Directory(byText.values(), (name) => labels.get(name) ?? namespaceLabelsOf(name))
  const usual: CompileOptions = {
    vni,
    families: [4, 6],
    directory,
    subnets: new Map(),
    unified: new UnifiedChoice(policies),
    ties: new Ties(policies),
    audit: false,
    ...more,
  }
  const compileOne: World['compile'] = (policy, other) => compile(policy, policies.indexOf(policy) + 1, { ...usual, ...other })
  return {
    identities: [...byText.values()],
    directory,
    numberOf: (port) => numbered.get(port) ?? 0,
    compile: compileOne,
    sets: policies.map((policy) => compileOne(policy).spec),
  }
}

function freeNumber(facts: PolicyFacts, taken: Set<number>): number {
  let number = identityNumber(vni, facts)
  while (taken.has(number)) number = numberAfter(number)
  taken.add(number)
  return number
}
