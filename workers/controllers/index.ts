// The table: one row a kind, and one queue a row, so that a slow provider keeps nobody else waiting.
import { isNotified } from '../../core/kinds/notify/notified.ts'
import { audits } from './upkeep/audits.ts'
import { bgpSessionGroups } from './bgp/bgp-session-groups.ts'
import { bgpSpeakers } from './bgp/bgp-speakers.ts'
import { prefixLocks } from './bgp/prefix-locks.ts'
import { clouds } from './vpc/clouds.ts'
import { cloudSecurityGroups } from './vpc/cloud-security-groups.ts'
import { connections } from './connections/connections.ts'
import { endpointScalers } from './connections/endpoint-scalers.ts'
import { endpoints } from './connections/endpoints.ts'
import { egressAddresses } from './egress/egress-addresses.ts'
import { egressClasses } from './egress/egress-classes.ts'
import { fabrics } from './l2/fabrics.ts'
import { inquiries } from './node/inquiries.ts'
import { l2Attachments } from './l2/l2-service-attachments.ts'
import { l2Domains } from './l2/l2-bridge-domains.ts'
import { l2Services } from './l2/l2-services.ts'
import { namespaces } from './namespaces.ts'
import { networkServiceEndpoints } from './nsm/network-service-endpoints.ts'
import { nodes } from './node/nodes.ts'
import { vpcPeerings } from './peering/vpc-peerings.ts'
import { pods } from './pod/pods.ts'
import { policyRow } from './policy/policies.ts'
import { policyIdentities } from './policy/policy-identities.ts'
import { pools } from './vpc/pools.ts'
import { ports } from './vpc/ports.ts'
import { reservations } from './upkeep/reservations.ts'
import { securityGroups } from './vpc/security-groups.ts'
import { connectionPoints, nodePools } from './l2/connection-points-and-node-pools.ts'
import { serviceAddresses } from './services/service-addresses.ts'
import { services } from './services/services.ts'
import { subnets } from './vpc/subnets.ts'
import { subscriptions } from './notify/subscriptions.ts'
import { sweep } from './upkeep/sweep-leftover-locks.ts'
import { vpcs } from './vpc/vpcs.ts'
import type { Row } from '../loop/controller-row.ts'
import { isReconciled, type QueueName } from '../queues.ts'
import { watchesOfNotified } from '../watch/notified-kinds.ts'

const table: { readonly [N in QueueName]: Row<N> } = {
  Cloud: clouds,
  Audit: audits,
  Vpc: vpcs,
  Subnet: subnets,
  Port: ports,
  Pod: pods,
  SecurityGroup: securityGroups,
  CloudSecurityGroup: cloudSecurityGroups,
  Subscription: subscriptions,
  Node: nodes,
  Namespace: namespaces,
  L2Service: l2Services,
  L2ServiceAttachment: l2Attachments,
  L2BridgeDomain: l2Domains,
  Fabric: fabrics,
  ConnectionPoint: connectionPoints,
  NodePool: nodePools,
  Inquiry: inquiries,
  NetworkServiceEndpoint: networkServiceEndpoints,
  PolicyIdentity: policyIdentities,
  UnifiedNetworkPolicy: policyRow('UnifiedNetworkPolicy'),
  NetworkPolicy: policyRow('NetworkPolicy'),
  AdminNetworkPolicy: policyRow('AdminNetworkPolicy'),
  BaselineAdminNetworkPolicy: policyRow('BaselineAdminNetworkPolicy'),
  ClusterNetworkPolicy: policyRow('ClusterNetworkPolicy'),
  BGPSessionGroup: bgpSessionGroups,
  BGPSpeaker: bgpSpeakers,
  PrefixLock: prefixLocks,
  Service: services,
  ServiceAddress: serviceAddresses,
  VpcPeering: vpcPeerings,
  EgressClass: egressClasses,
  EgressAddress: egressAddresses,
  Connection: connections,
  EndpointScaler: endpointScalers,
  reservation: reservations,
  sweep,
  pool: pools,
  endpoint: endpoints,
}

/** With what wakes every kind that somebody may be told of. */
const withNotified = (row: Row): Row =>
  isReconciled(row.queue as never) && isNotified(row.queue as never)
    ? { ...row, watches: [...row.watches, ...watchesOfNotified(row.queue as never)] }
    : row

export const rows: readonly Row[] = Object.values(table as Readonly<Record<string, Row>>).map(withNotified)
