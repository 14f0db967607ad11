// The queues over Redis, for several processes, or for one that must not lose what it has taken on when it is restarted.
import type { Queues } from '../../core/contracts/queue.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { letEarlierWin } from './earlier-wins.ts'
import { caFor } from './ca.ts'
import { begun, connect, readRedisAddress } from './redis.ts'
import { RedisQueue } from './redis-queue.ts'
import { RedisWatchdog } from './redis-watchdog.ts'

export interface BullmqOptions {
  readonly redis: string
  /** Path of the certificates, PEM, that a Redis over TLS is judged by; absent: those that Node.js comes with. */
  readonly ca?: string | undefined
  readonly prefix: string
  readonly log: Log
  readonly clock: Clock
}

/** @throws ConfigInvalid when `redis` is no place, or `ca` no file for it */
export function bullmqQueues({ redis, ca, prefix, log, clock }: BullmqOptions): Queues {
  const place = readRedisAddress(redis)
  const tls = caFor(ca, place)
  const connections = [connect(place, 'adds', tls), connect(place, 'workers', tls)] as const
  const [adds, workers] = [connections[0].client, connections[1].client]
  for (const client of [adds, workers]) {
    letEarlierWin(client)
    // Each runner listens too. What goes wrong with Redis is reported by the watchdog, once.
    client.setMaxListeners(0)
    client.on('error', (err: Error) => log.debug({ err: err }, 'Redis complains'))
  }
  const first = begun(adds, clock)
  const listeners = new Set<() => void>()
  const watchdog = new RedisWatchdog({ client: adds, clock, log, lost: () => listeners.forEach((listener) => listener()) })
  const queues = new Map<string, RedisQueue>()
  return {
    name: 'bullmq',
    open(name) {
      const existing = queues.get(name)
      if (existing !== undefined) return existing
      // In a cluster the braces keep all keys of a queue on one node.
      const own = place.kind === 'cluster' ? `{${prefix}:${name}}` : prefix
      const queue = new RedisQueue({ name, prefix: own, adds, workers, begun: first, clock, log: log.child({ queue: name }) })
      queues.set(name, queue)
      watchdog.guard(`${own}:${name}:mark`)
      return queue
    },
    problem: () => (adds.status === 'ready' && workers.status === 'ready' ? watchdog.problem : (watchdog.problem ?? 'Redis is away')),
    onLoss: (listener) => void listeners.add(listener),
    async close() {
      watchdog.close()
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      for (const connection of connections) connection.end()
    },
  }
}
