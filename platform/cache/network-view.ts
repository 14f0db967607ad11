// The World of admission and workers, answered from caches.
import type { NetworkView } from '../../core/admit/network-view.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { minimumFor, networkFor } from '../../core/policy/pod-network.ts'
import type { Cached, Caches } from './caches.ts'

/** What it is answered from: who needs nothing else follows nothing else. */
export const networkViewKinds = [
  'Namespace',
  'Cloud',
  'Vpc',
  'Subnet',
  'Port',
  'Inquiry',
  'UnifiedNetworkPolicy',
  'BGPSessionGroup',
  'NetworkService',
] as const satisfies readonly Cached[]

/** A view, not a copy: the same call may answer differently once a watch has brought news. */
export function networkViewOf(caches: Pick<Caches, (typeof networkViewKinds)[number]>): NetworkView {
  const key = (namespace: string, name: string): string => `${namespace}/${name}`
  const portsByID = (namespace: string, portID: string): Iterable<Resource<'Port'>> => caches.Port.by('portID', key(namespace, portID))
  return {
    namespace: (name) => caches.Namespace.get(name),
    cloud: (name) => caches.Cloud.get(name),
    vpc: (namespace, name) => caches.Vpc.get(key(namespace, name)),
    subnet: (namespace, name) => caches.Subnet.get(key(namespace, name)),
    vpcsOfSegment: (segment) => caches.Vpc.by('segment', String(segment)),
    subnetsOf: (vpc) => caches.Subnet.by('vpc', key(vpc.metadata.namespace ?? '', vpc.metadata.name)),
    port: (namespace, name) => caches.Port.get(key(namespace, name)),
    portsByID,
    networkByPolicy: (pod) => networkFor(pod, caches.UnifiedNetworkPolicy.by('namespace', pod.metadata.namespace ?? '')),
    minimumByPolicy: (pod) => minimumFor(pod, caches.UnifiedNetworkPolicy.by('namespace', pod.metadata.namespace ?? '')),
    sessionGroups: () => caches.BGPSessionGroup.values(),
    networkService: (namespace, name) => caches.NetworkService.get(key(namespace, name)),
    inquiriesIn: (namespace) => caches.Inquiry.by('namespace', namespace),
    portByID(namespace, portID) {
      let found: Resource<'Port'> | undefined
      for (const item of portsByID(namespace, portID)) if (found === undefined || item.spec.portID === portID) found = item
      return found
    },
  }
}
