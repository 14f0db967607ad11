// What wakes a Service: what it asks for, its pool, and who serves it.
import { labelKey } from '../../../platform/cache/caches.ts'
import { keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { selectsPod } from '../../../core/plan/services/members.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import { serviceNameLabel } from '../../../core/plan/services/slices.ts'
import type { ChangeEvent } from '../../../platform/cache/cache.ts'
import type { Env } from '../../controller-env.ts'
import { segmentChanges, subnetChanges, own } from '../../watch/compared-fields.ts'
import { by, itself, named, through, type Keys } from '../../watch/map-to-keys.ts'
import { changes, either, part, specChanges } from '../../watch/predicates.ts'
import type { Watch, WatchFor } from '../../watch/watch.ts'

type Pod = Resource<'Pod'>
type Port = Resource<'Port'>

/** The status too: whoever has written something else there is corrected. */
const serves = part<'Pod'>('labels, readiness, phase or whether it goes', (pod) => {
  if (pod === undefined) return undefined
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status
  const { labels, deletionTimestamp } = pod.metadata
  return { labels, deletionTimestamp, ready, over: isPodFinished(pod) }
})
const isReached = part<'Port'>('node, phase or addresses', (port) => port && [port.spec.node, port.status?.phase, port.status?.addresses])

function* selecting(pods: Iterable<Pod>, { caches }: Env): Generator<string> {
  for (const { metadata } of pods) {
    const { namespace, labels = {} } = metadata
    const found = Object.entries(labels).flatMap(([name, value]) => [...caches.Service.by('selected', labelKey(namespace, name, value))])
    yield* found.filter(({ spec }) => selectsPod(spec, labels)).map(keyOfItem)
  }
}
const ofPod: Keys<'Pod', 'Service'> = {
  target: 'Service',
  text: 'by index Service.selected, those that select it, or did, where it has Ports',
  indexes: ['Service.selected', 'Port.claimPod'],
  of: ({ key, before, after }, env) =>
    env.caches.Port.by('claimPod', key)[Symbol.iterator]().next().done === true
      ? []
      : new Set(
          selecting(
            [before, after].filter((pod) => pod !== undefined),
            env,
          ),
        ),
}
const ofPort: Keys<'Port', 'Service'> = {
  target: 'Service',
  text: 'by index Service.selected, those that select its pod',
  indexes: ['Service.selected'],
  of: ({ before, after }: ChangeEvent<'Port'>, env) => {
    const { metadata, spec }: Port = (after ?? before)!
    const pod = spec.claim && env.caches.Pod.get(`${metadata.namespace ?? ''}/${spec.claim.pod}`)
    return pod === undefined ? [] : new Set(selecting([pod], env))
  },
}
const ofSameName = named<Kind, 'Service'>('Service', 'that of its name', own)
const ofSlice = named<'EndpointSlice', 'Service'>('Service', 'the one that its label names', ({ metadata: { namespace = '', labels } }) => {
  const service = labels?.[serviceNameLabel]
  return service === undefined ? [] : [`${namespace}/${service}`]
})
const ofSubnet = by<'Subnet', 'Service'>('Service', 'pool', own)
/** For all that it is shared with. */
const vpcIsShared = part<'Vpc'>('spec.sharedWith', (vpc) => vpc?.spec.sharedWith)

export const serviceWatches = (on: WatchFor<'Service'>): readonly Watch<'Service'>[] => [
  on('Service', { when: changes, keys: itself }),
  on('ServiceAddress', { when: changes, keys: ofSameName }),
  on('EndpointSlice', { when: specChanges, keys: ofSlice }),
  on('Pod', { when: serves, keys: ofPod }),
  on('Port', { when: isReached, keys: ofPort, hearsMade: true }),
  on('Subnet', { when: subnetChanges, keys: ofSubnet }),
  on('Vpc', { when: either(segmentChanges, vpcIsShared), keys: through(by('Subnet', 'vpc', own), ofSubnet) }),
]
