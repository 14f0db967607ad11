// The table: one row a kind, and one queue a row, so that a slow provider keeps nobody else waiting.
import { isNotified } from '../core/kinds/notify/notified.ts'
import { clouds } from './controllers/clouds.ts'
import { fabrics } from './controllers/fabrics.ts'
import { inquiries } from './controllers/inquiries.ts'
import { l2Attachments } from './controllers/l2-attachments.ts'
import { l2Domains } from './controllers/l2-domains.ts'
import { l2Services } from './controllers/l2-services.ts'
import { namespaces } from './controllers/namespaces.ts'
import { nodes } from './controllers/nodes.ts'
import { pods } from './controllers/pods.ts'
import { ports } from './controllers/ports.ts'
import { reservations } from './controllers/reservations.ts'
import { securityGroups } from './controllers/security-groups.ts'
import { connectionPoints, nodePools } from './controllers/sites.ts'
import { subnets } from './controllers/subnets.ts'
import { subscriptions } from './controllers/subscriptions.ts'
import { sweep } from './controllers/sweep.ts'
import { vpcs } from './controllers/vpcs.ts'
import type { Row } from './loop/row.ts'
import { isReconciled, type QueueName } from './queues.ts'
import { watchesOfNotified } from './watch/told.ts'

const table: { readonly [N in QueueName]: Row<N> } = {
  Cloud: clouds,
  Vpc: vpcs,
  Subnet: subnets,
  Port: ports,
  Pod: pods,
  SecurityGroup: securityGroups,
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
  reservation: reservations,
  sweep,
}

/** With what wakes every kind that somebody may be told of. */
const withNotified = (row: Row): Row =>
  isReconciled(row.queue as never) && isNotified(row.queue as never)
    ? { ...row, watches: [...row.watches, ...watchesOfNotified(row.queue as never)] }
    : row

export const rows: readonly Row[] = Object.values(table as Readonly<Record<string, Row>>).map(withNotified)
