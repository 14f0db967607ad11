// The table: one controller a kind.
import type { Look } from '../core/contracts/queue.ts'
import type { Env } from './env.ts'
import { lookOf } from './reconcile.ts'
import { pods } from './controllers/pods.ts'
import { ports } from './controllers/ports.ts'
import { subnets } from './controllers/subnets.ts'
import { vpcs } from './controllers/vpcs.ts'

export interface Row {
  readonly name: string
  readonly look: Look
}

/** Each has a queue of its own name, so that a slow provider keeps nobody else waiting. */
export function controllers(env: Env): readonly Row[] {
  return [
    { name: 'vpc', look: lookOf(vpcs(env), env) },
    { name: 'subnet', look: lookOf(subnets(env), env) },
    { name: 'port', look: lookOf(ports(env), env) },
    { name: 'pod', look: lookOf(pods(env), env) },
  ]
}
