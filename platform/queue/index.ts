// Which queue: Redis where one is given, else this process.
import type { Queues } from '../../core/contracts/queue.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { bullmqQueues } from './bullmq.ts'
import { memoryQueues } from './memory.ts'

export interface QueueOptions {
  /**
   * `redis://host:6379/0`, `rediss://…`, a unix socket's path, `redis+sentinel://host:26379,host:26379/name`,
   * `redis+cluster://host:6379,host:6379`.
   */
  readonly redis?: string | undefined
  /** Path of the certificates, PEM, that a Redis over TLS is judged by. */
  readonly redisCa?: string | undefined
  /** In front of every key in Redis, so that several installations share one. */
  readonly prefix?: string | undefined
  readonly log: Log
  readonly clock: Clock
}

/**
 * The queues of this process; they connect in the background, and `problem()` says until when they have not.
 *
 * @throws ConfigInvalid when `redis` is no place, or `redisCa` no file for it
 */
export function openQueues({ redis, redisCa, prefix = 'megrez', log, clock }: QueueOptions): Queues {
  return redis === undefined ? memoryQueues({ log, clock }) : bullmqQueues({ redis, ca: redisCa, prefix, log, clock })
}
