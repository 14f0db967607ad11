// What policies in force look at: only that makes an identity. Keys count in namespaces that a selector can reach, and values that no
// selector names are all alike, so that neither hashes of pod templates nor a stranger's policies split anybody.
import type { PolicyFacts } from '../kinds/policy/policy-identity.ts'
import { isNamed, type CommonPolicy, type CommonRule, type Selection } from './one-form.ts'
import { holds, type Labels, type Requirement } from './label-selector.ts'
import type { Member } from './member.ts'
import { Counts } from '../counts.ts'

/** In place of a value that no selector names, where one asks whether the label is there. No label has this value. */
export const someValue = '*'

/** What is looked at in the namespaces that a scope reaches. */
class Scope {
  /** Key → the values that make a difference. */
  readonly labels = new Map<string, Counts>()
  /** Names of containers' ports. */
  readonly ports = new Counts()

  count(requirements: readonly Requirement[], by: 1 | -1): void {
    for (const { key, operator, values } of requirements) {
      const known = this.labels.get(key) ?? new Counts()
      this.labels.set(key, known)
      if (operator === 'Exists' || operator === 'DoesNotExist') known.count(someValue, by)
      for (const value of values) known.count(value, by)
      if (known.isEmpty) this.labels.delete(key)
    }
  }

  get isEmpty(): boolean {
    return this.labels.size === 0 && this.ports.isEmpty
  }
}

interface Reach {
  readonly namespaces: readonly Requirement[]
  readonly scope: Scope
}

export class Relevance {
  readonly #in = new Map<string, Scope>()
  /** By the text of what a namespace's labels must be. */
  readonly #among = new Map<string, Reach>()
  readonly #groups = new Counts()
  readonly #ports = new Counts()
  readonly #unified = new Counts()
  /** The scopes that reach a namespace, by name and labels. */
  readonly #reaching = new Map<string, readonly Scope[]>()

  /** @param policies in force in the VNI */
  constructor(policies: Iterable<CommonPolicy>) {
    for (const policy of policies) this.add(policy)
  }

  add(policy: CommonPolicy): void {
    this.#count(policy, 1)
  }
  /** @param policy one that was added */
  remove(policy: CommonPolicy): void {
    this.#count(policy, -1)
  }

  /** What the policies can tell of somebody. */
  factsOf(member: Member): PolicyFacts {
    const scopes = this.#scopesOf(member)
    const labels = labelsThatCount(member.labels, scopes)
    const securityGroups = member.securityGroups.filter((group) => this.#groups.has(group)).sort()
    const containerPorts = portsThatCount(member.containerPorts, scopes)
    const unified = member.unified !== undefined && this.#unified.has(`${member.namespace}/${member.unified}`) && member.unified
    return {
      namespace: member.namespace,
      ...(labels !== undefined && { labels }),
      ...(securityGroups.length > 0 && { securityGroups }),
      ...(this.#ports.has(member.port) && { port: member.port }),
      ...(containerPorts !== undefined && { containerPorts }),
      ...(unified !== false && { unified }),
    }
  }

  #count({ of, tier, subjects, rules, chains = [] }: CommonPolicy, by: 1 | -1): void {
    this.#countSelection(subjects, by)
    if (tier === 'unified') this.#unified.count(`${of.namespace ?? ''}/${of.name}`, by)
    for (const rule of [...rules, ...chains.map((chain) => chain.rule)]) {
      for (const selection of rule.peers?.selections ?? []) this.#countSelection(selection, by)
      this.#countNamedPorts(rule, subjects, by)
    }
  }

  #countSelection(selection: Selection, by: 1 | -1): void {
    const { group, port, labels = [] } = selection
    if (group !== undefined) this.#groups.count(group, by)
    if (port !== undefined) this.#ports.count(port, by)
    if (labels.length > 0) this.#at(selection, (scope) => scope.count(labels, by))
  }

  /** A named port is the destination's. */
  #countNamedPorts({ direction, peers, transport = [] }: CommonRule, subjects: Selection, by: 1 | -1): void {
    const named = transport.filter(isNamed)
    if (named.length === 0) return
    const destinations = direction === 'ingress' ? [subjects] : (peers?.selections ?? [{}])
    for (const selection of destinations)
      this.#at(selection, ({ ports }) => {
        for (const match of named) ports.count(match.named, by)
      })
  }

  /** Of a scope that comes or goes those know that it reaches. */
  #at({ namespace, namespaceLabels = [] }: Selection, change: (scope: Scope) => void): void {
    const text = JSON.stringify(namespaceLabels)
    const known = namespace === undefined ? this.#among.get(text)?.scope : this.#in.get(namespace)
    const scope = known ?? new Scope()
    change(scope)
    if ((known === undefined) !== scope.isEmpty) this.#reaching.clear()
    if (namespace !== undefined) putOrDrop(this.#in, namespace, scope.isEmpty ? undefined : scope)
    else putOrDrop(this.#among, text, scope.isEmpty ? undefined : { namespaces: namespaceLabels, scope })
  }

  #scopesOf({ namespace, namespaceLabels }: Member): readonly Scope[] {
    const text = `${namespace}/${JSON.stringify(namespaceLabels)}`
    const known = this.#reaching.get(text)
    if (known !== undefined) return known
    const own = this.#in.get(namespace)
    const wide = [...this.#among.values()].filter((reach) => holds(reach.namespaces, namespaceLabels)).map(({ scope }) => scope)
    const all = own === undefined ? wide : [own, ...wide]
    this.#reaching.set(text, all)
    return all
  }
}

function putOrDrop<T>(all: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) all.delete(key)
  else all.set(key, value)
}

/** Undefined: none. In order of their keys. */
function labelsThatCount(labels: Labels, scopes: readonly Scope[]): Record<string, string> | undefined {
  const kept: [string, string][] = []
  for (const [key, value] of Object.entries(labels)) {
    const as = valueThatCounts(key, value, scopes)
    if (as !== undefined) kept.push([key, as])
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept.sort(byKey))
}

function valueThatCounts(key: string, value: string, scopes: readonly Scope[]): string | undefined {
  let isAskedFor = false
  for (const { labels } of scopes) {
    const values = labels.get(key)
    if (values?.has(value) === true) return value
    if (values?.has(someValue) === true) isAskedFor = true
  }
  return isAskedFor ? someValue : undefined
}

function portsThatCount(ports: Readonly<Record<string, number>>, scopes: readonly Scope[]): Record<string, number> | undefined {
  const kept = Object.entries(ports).filter(([name]) => scopes.some((scope) => scope.ports.has(name.slice(name.indexOf('/') + 1))))
  return kept.length === 0 ? undefined : Object.fromEntries(kept.sort(byKey))
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
