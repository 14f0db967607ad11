// The table: one controller a kind, one queue a controller, so that a slow provider keeps nobody else waiting.
import type { Look } from '../core/contracts/queue.ts'
import { fabrics } from './controllers/fabrics.ts'
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
import type { ControllerName } from './controller-names.ts'
import type { Env } from './env.ts'
import { lookOf } from './reconcile.ts'

interface Runs {
  readonly look: Look
  /** Times the usual number of keys at once: what waits together for a switch goes into one transaction. */
  readonly wider?: number
}
export interface Row extends Runs {
  readonly name: ControllerName
}

const table = (env: Env): { readonly [name in ControllerName]: Runs } => ({
  vpc: { look: lookOf(vpcs(env), env) },
  subnet: { look: lookOf(subnets(env), env) },
  port: { look: lookOf(ports(env), env) },
  pod: { look: lookOf(pods(env), env) },
  securitygroup: { look: lookOf(securityGroups(env), env) },
  subscription: { look: lookOf(subscriptions(env), env) },
  node: { look: lookOf(nodes(env), env) },
  l2service: { look: lookOf(l2Services(env), env) },
  l2attachment: { look: lookOf(l2Attachments(env), env) },
  l2domain: { look: lookOf(l2Domains(env), env), wider: 5 },
  fabric: { look: lookOf(fabrics(env), env) },
  connectionpoint: { look: lookOf(connectionPoints(env), env) },
  nodepool: { look: lookOf(nodePools(env), env) },
  namespace: { look: lookOf(namespaces(env), env) },
  reservation: { look: lookOf(reservations(env), env) },
  sweep: { look: lookOf(sweep(env), env) },
})

export const controllers = (env: Env): readonly Row[] => Object.entries(table(env)).map(([name, runs]) => ({ name: name as ControllerName, ...runs }))
