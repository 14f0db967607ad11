// The queues that keys wait in. A queue has the name of the kind whose objects it is about; what is no kind has a name of its own.
import type { Kind } from '../core/kinds/index.ts'

/** The kinds that are reconciled, each by a row of its own (workers/controllers/index.ts). */
export const reconciledKinds = [
  'Cloud',
  'Audit',
  'Vpc',
  'Subnet',
  'Port',
  'Pod',
  'SecurityGroup',
  'CloudSecurityGroup',
  'Subscription',
  'Node',
  'Namespace',
  'L2Service',
  'L2ServiceAttachment',
  'L2BridgeDomain',
  'Fabric',
  'ConnectionPoint',
  'NodePool',
  'Inquiry',
  'PolicyIdentity',
  'UnifiedNetworkPolicy',
  'NetworkPolicy',
  'AdminNetworkPolicy',
  'BaselineAdminNetworkPolicy',
  'ClusterNetworkPolicy',
  'BGPSessionGroup',
  'BGPSpeaker',
  'PrefixLock',
  'Service',
  'ServiceAddress',
  'VpcPeering',
  'EgressClass',
  'EgressAddress',
  'Connection',
  'EndpointScaler',
  'NetworkServiceEndpoint',
] as const satisfies readonly Kind[]
export type ReconciledKind = (typeof reconciledKinds)[number]

/** `reservation`: what admission has set aside, as `Kind/namespace/name`. `sweep`: one key, `all`. `pool`: pools of Ports made
 * ahead, as `namespace/hash`. `endpoint`: Ports that are endpoints of NetworkServices, as `namespace/name`. */
export type QueueName = ReconciledKind | 'reservation' | 'sweep' | 'pool' | 'endpoint'

/** Shards of deliveries: run by the dispatcher of notices (workers/notify), and nobody else's to add to. */
export const noticesQueue = 'notices'

const reconciled: ReadonlySet<string> = new Set(reconciledKinds)
export const isReconciled = (kind: Kind): kind is ReconciledKind => reconciled.has(kind)
