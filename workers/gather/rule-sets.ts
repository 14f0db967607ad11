// The rule sets of one policy: as it is compiled now, and as they are stored.
import type { PolicyChains } from '../../core/kinds/policy/chain.ts'
import { segmentField, segmentOf } from '../../core/kinds/vpc/segment.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { chainRounds } from '../../core/plan/policy/chain-rounds.ts'
import { planRuleSets, type CompiledSet, type RuleSet, type RuleSetsDesired } from '../../core/plan/policy/rule-sets.ts'
import { compile, type CompileOptions } from '../../core/policy/compile.ts'
import { pairBlocks, segmentAround } from '../../core/policy/network.ts'
import { isVlanSegment } from '../../core/net/segment.ts'
import type { PolicyProblem } from '../../core/policy/problem.ts'
import { numberedName } from '../../core/policy/numbers.ts'
import type { Cache } from '../../platform/cache/cache.ts'
import { mentionedIn } from '../../platform/cache/caches.ts'
import type { Env } from '../controller-env.ts'
import { learnInstances } from '../policy/chain-instances.ts'
import { chainPortsIn } from '../policy/chain-ports.ts'
import { freeSetNumber, storedSet } from './port-policy.ts'
import type { PolicyKey } from '../policy/policy-kinds.ts'
import type { Reached } from '../policy/policies.ts'

export interface GatheredSets extends RuleSetsDesired {
  /** What of the policy cannot be done, wherever that is. */
  readonly problems: readonly PolicyProblem[]
}

/**
 * By the caches; where anything is to be written, by what the store says of whom it is about.
 *
 * @param isInForce else all of its sets are to go
 */
export async function gatherRuleSets(key: PolicyKey, isInForce: boolean, env: Env): Promise<GatheredSets> {
  await learnMentioned([...env.caches.PolicyRuleSet.by('policy', key)], env)
  const cached = setsOf(key, isInForce, env)
  const steps = planRuleSets(cached)
  if (steps.length === 0) return cached
  const dropped = steps.flatMap(({ action }) => (action.do === 'dropRuleSet' ? [action.item.spec.vni] : []))
  await Promise.all([
    ...[...new Set(cached.compiled.map(({ vni }) => vni))].map((vni) => learnAll('PolicyIdentity', '.spec.vni', vni, env)),
    // A Port that no watch has told of may be judged by it.
    ...[...new Set(dropped)].map((vni) => learnNaming(vni, env)),
    ...cached.compiled.map((set) => learnInstances(set, cached.stored, env)),
  ])
  return setsOf(key, isInForce, env)
}

/** All that may name a rule set there. */
async function learnNaming(vni: number, env: Env): Promise<void> {
  await learnAll('Port', segmentField(vni), vni, env)
  if (!isVlanSegment(vni)) return
  const { items } = await env.store.list('L2ServiceAttachment')
  for (const item of items) env.caches.L2ServiceAttachment.learn(keyOfItem(item), item)
}

/** All that the store has in a VNI. */
export async function learnAll<K extends 'Port' | 'PolicyIdentity' | 'PolicyRuleSet'>(
  kind: K,
  field: string,
  vni: number,
  { caches, store }: Env,
): Promise<void> {
  const { items } = await store.list(kind, { fields: { [field]: String(vni) } })
  for (const item of items) (caches[kind] as unknown as Cache<K>).learn(keyOfItem(item), item)
}

function setsOf(key: PolicyKey, isInForce: boolean, env: Env): GatheredSets {
  const stored = [...env.caches.PolicyRuleSet.by('policy', key)]
  const known = env.policies.policyOf(key)
  const problems = new Map((known?.problems ?? []).map((problem) => [problem.path, problem]))
  const compiled =
    !isInForce || known?.policy === undefined ? [] : placesOf(key, stored, env).map((at) => compiledIn(key, at, { env, problems }))
  return {
    compiled: compiled.filter((each) => each !== undefined),
    stored,
    namedBy: (set) => namingIdentities(set, env),
    problems: [...problems.values()],
  }
}

/**
 * Also where nobody is to be judged by it any more, as long as a Port has still to let go of its rules: the Port waits until its next
 * identity is in all rules that name it, these among them.
 */
function placesOf(key: PolicyKey, stored: readonly RuleSet[], env: Env): readonly Reached[] {
  const reached = [...env.policies.reachedBy(key)]
  const held = stored.filter((set) => !reached.some(({ vni }) => vni === set.spec.vni) && namingIdentities(set, env).size > 0)
  return [...reached, ...held.map(({ spec: { vni }, metadata: { namespace = '' } }) => ({ vni, network: namespace }))]
}

/** A number that no watch has told of: only the store says that nobody has it any more. */
async function learnMentioned(stored: readonly RuleSet[], { caches, store }: Env): Promise<void> {
  const unknown = stored.flatMap(({ spec, metadata: { namespace = '' } }) =>
    mentionedIn(spec)
      .map((number) => ({ kind: 'PolicyIdentity' as const, namespace, name: numberedName(spec.vni, number) }))
      .filter(({ name }) => caches.PolicyIdentity.get(`${namespace}/${name}`) === undefined),
  )
  const read = await Promise.all(unknown.map((ref) => store.get(ref)))
  for (const item of read) if (item !== undefined) caches.PolicyIdentity.learn(keyOfItem(item), item)
}

function compiledIn(
  key: PolicyKey,
  { vni, network: namespace }: Reached,
  { env, problems }: { readonly env: Env; readonly problems: Map<string, PolicyProblem> },
): CompiledSet | undefined {
  const { policy } = env.policies.policyOf(key) ?? {}
  if (policy === undefined) return undefined
  const stored = storedSet(key, vni, env)
  const number = stored?.spec.number ?? freeSetNumber(key, { vni, namespace }, env)
  const { spec, problems: more } = compile(policy, number, { ...optionsIn(vni, env), chainPorts: () => chainPortsIn(vni, number, env) })
  for (const problem of more) problems.set(problem.path, problem)
  const { vni: _, number: __, ...content } = spec
  const name = numberedName(vni, number)
  const rounds = content.chains && { chains: roundsOf(content.chains, { vni, stored, name, generation: content.policy.generation }, env) }
  return { namespace, vni, number, name, content: { ...content, ...rounds } }
}

interface Of {
  readonly vni: number
  readonly stored: RuleSet | undefined
  readonly name: string
  readonly generation: number | undefined
}

const roundsOf = (wanted: PolicyChains, { vni, stored, name, generation }: Of, { clock, caches, config }: Env): PolicyChains => {
  const knownRounds = new Map([...caches.Port.by('vni', String(vni))].map(({ metadata, status }) => [metadata.uid, status?.node?.chain]))
  const hasSaid = (port: string, round: string): boolean => !config.agents || knownRounds.get(port) === round
  return chainRounds({ stored: stored?.spec.chains, wanted, generation, name, hasSaid, now: clock.now() })
}

export function optionsIn(vni: number, env: Env): CompileOptions {
  return {
    vni,
    ...segmentAround(vni, [...env.caches.Subnet.by('vni', String(vni))]),
    directory: env.policies.directory(vni),
    unified: env.policies.inForce(vni).unified,
    ties: env.policies.inForce(vni).ties,
    audit: env.config.policyEnforcement === 'audit',
    classes: env.config.policyClasses,
    pairsOf: (group) => pairBlocks([...env.caches.Port.by('groupWithPairs', group)].filter((port) => segmentOf(port) === vni)),
  }
}

function namingIdentities(set: Resource<'PolicyRuleSet'>, { caches }: Env): ReadonlySet<number> {
  const ports = [...caches.Port.by('ruleSet', keyOfItem(set))]
  const attachments = [...caches.L2ServiceAttachment.by('ruleSet', keyOfItem(set))]
  return new Set([
    ...ports.flatMap((port) => (segmentOf(port) === set.spec.vni ? (port.status?.policy?.identity ?? []) : [])),
    ...attachments.flatMap(({ status }) =>
      (status?.policy?.judged ?? []).filter(({ ruleSets }) => ruleSets.includes(set.metadata.name)).map(({ identity }) => identity),
    ),
  ])
}
