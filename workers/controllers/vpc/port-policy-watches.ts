// What wakes a Port because who judges it may have changed.
import { unifiedPolicyAnnotation } from '../../../core/kinds/annotations.ts'
import { keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Env } from '../../controller-env.ts'
import { by, every, itself, named, where } from '../../watch/map-to-keys.ts'
import { appears, both, either, goes, isBeingDeleted, isThere, part, specChanges, when } from '../../watch/predicates.ts'
import type { Delay, Watch, WatchFor } from '../../watch/watch.ts'
import { opensOrCloses } from '../policy/written-of-policies.ts'
import { peerWatches, vnisOf } from './rule-peers.ts'

type Port = Resource<'Port'>
type RuleSet = Resource<'PolicyRuleSet'>

/** Of those that one change concerns so many a second are looked at: each is written twice, its lock and its status. */
export const portsPerSecond = 100
export const paced: Delay<Kind> = {
  text: `${portsPerSecond} a second`,
  ms: (_, __, place) => (place < portsPerSecond ? undefined : Math.floor(place / portsPerSecond) * 1_000),
}

export const labelsOf = (item: Resource | undefined): object => item?.metadata.labels ?? {}
/** All that a policy may look at of it. */
export const isLabelledOtherwise = part<'Pod'>('its labels, its named ports or the policy that it names', (pod) => [
  labelsOf(pod),
  pod?.metadata.annotations?.[unifiedPolicyAnnotation],
  pod?.spec.containers?.map((container) => container['ports']),
])

/** One without a pod is known by its own. */
const isLabelledItself = part<'Port'>('its labels or the policy that it names', (port) => [
  labelsOf(port),
  port?.metadata.annotations?.[unifiedPolicyAnnotation],
])

const subjectsOf = (set: RuleSet | undefined): readonly number[] => set?.spec.subjects ?? []

/** Those who come to be judged by it, and those who are not any more. */
const joinsOrLeaves = when<'PolicyRuleSet'>(
  'judges others than before',
  ({ before, after }) => !sameJson(subjectsOf(before), subjectsOf(after)),
)

function* movedBy(before: RuleSet | undefined, after: RuleSet | undefined): Iterable<string> {
  const [was, is] = [new Set(subjectsOf(before)), new Set(subjectsOf(after))]
  const { vni } = (after ?? before)!.spec
  for (const number of was) if (!is.has(number)) yield `${vni}-${number}`
  for (const number of is) if (!was.has(number)) yield `${vni}-${number}`
}

const isWithout = where<'Port'>('it has no identity', (port) => port !== undefined && port.status?.policy === undefined)
const hasOne = where<'Port'>('it has an identity', (port) => port?.status?.policy !== undefined)

const countIn = ({ spec }: RuleSet, { caches }: Env): number => [...caches.PolicyRuleSet.by('vni', String(spec.vni))].length
const isFirst = both(
  appears,
  when<'PolicyRuleSet'>('is the first of its VNI', ({ after }, env) => countIn(after!, env) === 1),
)
const wasLast = both(
  goes,
  when<'PolicyRuleSet'>('was the last of its VNI', ({ before }, env) => countIn(before!, env) === 0),
)
const ofItsNamespace = by('Port', 'namespace', ({ metadata }: Resource<'UnifiedNetworkPolicy' | 'NetworkPolicy'>) => [
  metadata.namespace ?? '',
])
/** Its rule sets go before it does, and whoever is woken by the last of them may still find the policy there. */
const leftBehind = named('Port', 'those with an identity in VNIs of its namespace without rule sets', (policy: Resource, env: Env) =>
  [...vnisOf(policy, env)]
    .map(String)
    .filter((vni) => [...env.caches.PolicyRuleSet.by('vni', vni)].length === 0)
    .flatMap((vni) => [...env.caches.Port.by('vni', vni)].filter(({ status }) => status?.policy !== undefined).map(keyOfItem)),
)
const vniOf = ({ spec }: RuleSet): readonly string[] => [String(spec.vni)]
const identityOf = ({ spec }: Resource<'PolicyIdentity'>): readonly string[] => [`${spec.vni}-${spec.number}`]

export const policyWatches = (on: WatchFor<'Port'>): readonly Watch<'Port'>[] => [
  on('Port', {
    when: both(
      isThere,
      part('status.policy', (port: Port | undefined) => port?.status?.policy),
    ),
    keys: itself,
  }),
  on('Port', { when: both(isThere, isLabelledItself), keys: itself }),
  on('SecurityGroup', {
    when: either(appears, isBeingDeleted),
    keys: by('Port', 'group', (group) => [keyOfItem(group)]),
    after: paced,
  }),
  on('Pod', { when: isLabelledOtherwise, keys: by('Port', 'claimPod', (pod) => [keyOfItem(pod)]) }),
  on('Namespace', { when: part('labels', labelsOf), keys: by('Port', 'namespace', ({ metadata }) => [metadata.name]), after: paced }),
  on('UnifiedNetworkPolicy', { when: either(specChanges, opensOrCloses), keys: ofItsNamespace, after: paced }),
  on('NetworkPolicy', { when: specChanges, keys: ofItsNamespace, after: paced }),
  ...(['AdminNetworkPolicy', 'BaselineAdminNetworkPolicy', 'ClusterNetworkPolicy'] as const).map((kind) =>
    on(kind, { when: specChanges, keys: every('Port'), after: paced }),
  ),
  ...(['SecurityGroup', 'UnifiedNetworkPolicy', 'NetworkPolicy'] as const).map((kind) =>
    on(kind, { when: goes, keys: leftBehind, after: paced }),
  ),
  ...peerWatches(on, paced),
  on('PolicyRuleSet', { when: isFirst, keys: by('Port', 'vni', vniOf, isWithout), after: paced }),
  on('PolicyRuleSet', { when: wasLast, keys: by('Port', 'vni', vniOf, hasOne), after: paced }),
  on('PolicyRuleSet', {
    when: joinsOrLeaves,
    keys: {
      target: 'Port',
      text: 'by index Port.identity, of those that come or go',
      indexes: ['Port.identity'],
      *of({ before, after }, { caches }) {
        for (const each of movedBy(before, after)) for (const port of caches.Port.by('identity', each)) yield keyOfItem(port)
      },
    },
    after: paced,
  }),
  on('PolicyRuleSet', { when: goes, keys: by('Port', 'ruleSet', (set) => [keyOfItem(set)]), after: paced }),
  on('PolicyIdentity', {
    when: both(
      isThere,
      part('status.phase', (identity) => identity?.status?.phase),
    ),
    keys: by('Port', 'identity', identityOf),
    after: paced,
  }),
  on('PolicyIdentity', { when: goes, keys: by('Port', 'identity', identityOf), after: paced }),
]
