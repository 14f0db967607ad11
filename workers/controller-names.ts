// Who looks after what: the one table of controllers' names. A key can only be added to a queue that somebody runs, as the type of
// its name is had from here, and so is the table of those who run.
import type { Kind } from '../core/kinds/index.ts'

/** The controller of each kind that has one. */
const byKind = {
  Vpc: 'vpc',
  Subnet: 'subnet',
  Port: 'port',
  Pod: 'pod',
  SecurityGroup: 'securitygroup',
  Subscription: 'subscription',
  Node: 'node',
  L2Service: 'l2service',
  L2ServiceAttachment: 'l2attachment',
  L2BridgeDomain: 'l2domain',
  Fabric: 'fabric',
  ConnectionPoint: 'connectionpoint',
  NodePool: 'nodepool',
  Namespace: 'namespace',
} as const satisfies { readonly [K in Kind]?: string }

/** Names its queue. The last two look after what is no object of one kind. */
export type ControllerName = (typeof byKind)[keyof typeof byKind] | 'reservation' | 'sweep'

/** Undefined: nobody looks after that kind by itself. */
export const controllerOf = (kind: Kind): ControllerName | undefined => (byKind as { readonly [K in Kind]?: ControllerName })[kind]
