// What wakes a pod: what decides about its Ports, and what its Ports have to say. The times that it is left to others are here too.
import { nicRequestOf } from '../../../core/admit/pod/nic-request.ts'
import {
  hotNicsAnnotation,
  networkAnnotation,
  nicsAnnotation,
  nicStatusAnnotation,
  unifiedPolicyAnnotation,
  vpcAnnotation,
} from '../../../core/kinds/annotations.ts'
import { keyOf, type Resource } from '../../../core/kinds/index.ts'
import { wantsAllChanges, wiringOf } from '../../../core/plan/notify/changes.ts'
import { isSubscribedTo } from '../../../core/plan/notify/notices.ts'
import { isMadeFor, isPodFinished } from '../../../core/plan/pod/pod.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { ChangeEvent } from '../../../platform/cache/cache.ts'
import { reporting, type Env } from '../../controller-env.ts'
import { both, isGuarded, part, specChanges, when } from '../../watch/predicates.ts'
import { by, itself, type Keys } from '../../watch/map-to-keys.ts'
import type { Delay, Watch, WatchFor } from '../../watch/watch.ts'

type Pod = Resource<'Pod'>
type Port = Resource<'Port'>

const decides = part<'Pod'>('what decides about its Ports', (pod) => {
  if (pod === undefined) return undefined
  const { annotations, deletionTimestamp } = pod.metadata
  return {
    vpc: annotations?.[vpcAnnotation],
    nics: annotations?.[nicsAnnotation],
    ...(annotations?.[hotNicsAnnotation] !== undefined && { hot: annotations[hotNicsAnnotation] }),
    ...followed(pod),
    deletionTimestamp,
    over: isPodFinished(pod),
    node: pod.spec.nodeName,
  }
})
/** What its policy is chosen by, where that says its network. */
const followed = ({ metadata: { labels, annotations } }: Pod): object =>
  annotations?.[networkAnnotation] === undefined
    ? {}
    : { network: annotations[networkAnnotation], labels, unified: annotations[unifiedPolicyAnnotation] }

const networkChanges = part<'UnifiedNetworkPolicy'>('what decides about networks of pods', (policy) => {
  if (policy === undefined || policy.metadata.deletionTimestamp !== undefined) return undefined
  const { podSelector, priority, mode, network, schedule } = policy.spec
  return { podSelector, priority, mode, network, schedule, inForce: policy.status?.schedule?.inForce }
})
const podsByPolicy = by<'UnifiedNetworkPolicy', 'Pod'>('Pod', 'networkByPolicy', ({ metadata }) => [metadata.namespace ?? ''])

const concernsUs = when<'Pod'>(
  'has Ports, asks for NICs or is told of',
  ({ key, after }, env) =>
    env.caches.Port.by('claimPod', key)[Symbol.iterator]().next().done !== true ||
    (after !== undefined && (isGuarded(after) || nicRequestOf(after, env.view, env.config).kind !== 'none')),
)

/** Longest that a new pod's Ports wait for its node: a Port that is born there takes half the writes of one that is bound later. */
const placingMs = 2_000

/** Whether a scheduler is about to give it a node. In our own store a Port is one commit either way. */
function isBeingPlaced({ before, after }: ChangeEvent<'Pod'>, { store, config }: Env): boolean {
  if (before !== undefined || after === undefined || after.spec.nodeName !== undefined || !config.agents || store.identify !== undefined)
    return false
  const gates = after.spec['schedulingGates'] as readonly unknown[] | undefined
  return gates === undefined || gates.length === 0
}
/** Nearly always the scheduler is faster. */
const untilPlaced: Delay<'Pod'> = {
  text: '2 s where a scheduler is about to place it, and then only if it has no node yet',
  ms: (event, env) => (isBeingPlaced(event, env) ? placingMs : undefined),
  still: (key, { caches }) => isUnplaced(caches.Pod.get(key)),
}
const isUnplaced = (pod: Pod | undefined): boolean => pod !== undefined && pod.spec.nodeName === undefined

/** Longest that a pod is not notified: its node may be busy, or its agent away. */
const notifyMs = 4_000

/**
 * When a pod is notified that its NICs are ready. That is a write, an Event, and one more sync of its kubelet, in the middle of the time in
 * which a rollout's pods are started. Where agents wire, it waits for the pod's own: by then nothing of it waits for us.
 *
 * @returns undefined where that is decided as ever
 */
function notifiedAt({ before, after }: ChangeEvent<'Port'>, env: Env): 'now' | 'later' | undefined {
  if (after === undefined || env.store.identify !== undefined || !env.config.agents || !mayWait(after, env)) return undefined
  if (isWiredNow(after)) return isWiredNow(before) ? undefined : 'now'
  return before?.status?.phase === 'ready' ? undefined : 'later'
}
const isWiredNow = (port: Port | undefined): boolean => port?.status?.node?.wired === true

/** It is on its node and served, and its pod has been notified of nothing yet, nor is there anybody who waits for that. */
function mayWait(port: Port, env: Env): boolean {
  const pod = env.caches.Pod.get(claimantOf(port)[0] ?? '')
  return (
    pod?.metadata.uid === port.spec.claim?.podUID &&
    pod !== undefined &&
    isServed(port) &&
    isNotifiedOfNothing(pod) &&
    !isSubscribedTo(pod, reporting(env, 0))
  )
}
const isServed = (port: Port): boolean =>
  port.metadata.deletionTimestamp === undefined && port.status?.phase === 'ready' && port.spec.node !== undefined && isMadeFor(port)
const isNotifiedOfNothing = ({ metadata }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && metadata.annotations?.[nicStatusAnnotation] === undefined

const waitsForItsNode = when<'Port'>(
  'is served, and its node has still to wire it',
  (event, env) => notifiedAt(event, env) === 'later' && !specChanges.test(event, env),
)
const hasNews = when<'Port'>('says something new to its pod', (event, env) => {
  const at = notifiedAt(event, env)
  const isNews = specChanges.test(event, env) && !isBare(event)
  return (
    (at !== 'later' || isNews) &&
    (at === 'now' || isNews || !sameJson(reportedOf(event.before), reportedOf(event.after)) || isRewired(event, env))
  )
})
/** Made for a pod and not served yet: it has nothing to say. */
const isBare = ({ before, after }: ChangeEvent<'Port'>): boolean =>
  before === undefined && after !== undefined && after.status === undefined && isMadeFor(after)
const forItsNode: Delay<'Port'> = { text: '4 s, if its node says nothing before', ms: () => notifyMs, still: () => true }

/** What a pod may be told of a Port: nothing of what its node says of it, nor who else is told. */
function reportedOf(port: Port | undefined): object | undefined {
  if (port?.status === undefined) return undefined
  const { node: _, asked: __, ...rest } = port.status
  return rest
}

/** Something of its wiring has changed, and of its pod somebody is told of that too. */
function isRewired({ before, after }: ChangeEvent<'Port'>, env: Env): boolean {
  const [pod] = claimantOf(after)
  if (after === undefined || pod === undefined || sameJson(wiringOf(before ?? {}), wiringOf(after))) return false
  const there = env.caches.Pod.get(pod)
  return there !== undefined && wantsAllChanges(there, reporting(env, 0))
}

const claimantOf = (port: Port | undefined): readonly string[] =>
  port?.spec.claim === undefined ? [] : [keyOf({ namespace: port.metadata.namespace ?? '', name: port.spec.claim.pod })]
const claimants: Keys<'Port', 'Pod'> = {
  target: 'Pod',
  text: 'who claims it, or did',
  indexes: [],
  of: ({ before, after }) => new Set([...claimantOf(before), ...claimantOf(after)]),
}

export const podWatches = (on: WatchFor<'Pod'>): readonly Watch<'Pod'>[] => [
  on('Pod', { when: both(decides, concernsUs), keys: itself, after: untilPlaced }),
  on('UnifiedNetworkPolicy', { when: networkChanges, keys: podsByPolicy }),
  on('Port', { when: hasNews, keys: claimants }),
  on('Port', { when: waitsForItsNode, keys: claimants, after: forItsNode }),
]
