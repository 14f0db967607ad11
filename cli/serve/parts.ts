// Everything of one machine in one process, started in order and stopped in reverse.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { openCaches } from '../../platform/caches.ts'
import { realClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { makeMetrics } from '../../platform/metrics.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import type { Stops } from '../../platform/run.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openKeyring } from '../../platform/tls/keyring.ts'
import { worldOf } from '../../platform/world.ts'
import { newsOf } from '../../webhooks/admission/news.ts'
import { Tokens } from '../../webhooks/plugins/auth.ts'
import { useHealth } from '../../webhooks/plugins/health.ts'
import { openLocalIssuer } from '../../webhooks/plugins/issuer.ts'
import { listenAgents } from '../../webhooks/agents/server.ts'
import { buildRest } from '../../webhooks/rest/server.ts'
import { buildAdmission } from '../../webhooks/server.ts'
import { startDispatcher } from '../../workers/notify/index.ts'
import { startWorkers } from '../../workers/start.ts'
import type { ServeOptions } from './options.ts'

const contract = join(import.meta.dirname, '../../openapi/openapi.yaml')
const yearSeconds = 365 * 24 * 3600

export interface Parts {
  readonly url: string
  readonly admissionUrl: string
  readonly caFile: string
  readonly token: string
  /** Where the queues are, for a person. */
  readonly queues: string
}

/** @throws StoreInUse, ConfigInvalid, or what listening throws; what was started by then is in `stops` */
export async function startParts(options: ServeOptions, config: Config, { log, stops }: { readonly log: Log; readonly stops: Stops }): Promise<Parts> {
  const { folder } = options
  const clock = realClock
  const random = Math.random
  const store = SqliteStore.open(join(folder, 'megrez.sqlite'), { synchronous: config.sqliteSynchronous })
  stops.add(() => store.close())
  const redis = await redisOf(options, config, stops)
  const queues = openQueues({ redis: redis.place, redisCa: config.redisCa, prefix: config.redisPrefix, log, clock })
  stops.add(() => queues.close())

  const following = new AbortController()
  stops.add(() => following.abort())
  const caches = openCaches(store, { onProblem: (err, key) => log.error({ err, key }, 'cache listener failed') })
  const deps = { store, caches, queues, config, clock, log, random }
  await caches.start(following.signal)
  const metrics = makeMetrics()
  const dispatcher = await startDispatcher({ ...deps, metrics })
  stops.add(() => dispatcher.stop())
  const workers = await startWorkers(deps)
  stops.add(() => workers.stop())

  if (config.agents) {
    const agents = await listenAgents({ store, log, socket: join(folder, 'agents.sock') })
    stops.add(() => agents.close())
  }
  const issuer = await openLocalIssuer(folder, clock)
  const admission = { store, world: worldOf(caches), settings: config, clock, log, news: newsOf(caches, clock) }
  const problems = (): string[] => [queues.problem()].filter((problem) => problem !== undefined)
  const keyring = await openKeyring(folder, { names: ['localhost', '127.0.0.1'], clock, random, log })
  stops.add(() => keyring.close())
  const reviews = buildAdmission({ ...admission, certificate: keyring, metrics, problems, lingerMs: 0 })
  const rest = buildRest({ store, standalone: store, admission, tokens: new Tokens(issuer.trust, clock), clock, random, log, publicUrl: config.publicUrl, document: await readFile(contract, 'utf8') })
  useHealth(rest, { problems, registry: metrics.registry })
  const url = await listen(rest, options.l4Port, 'http')
  stops.add(() => rest.close())
  const admissionUrl = await listen(reviews, options.l4Port === 0 ? 0 : options.l4Port + 1, 'https')
  stops.add(() => reviews.gently.stop())
  const token = await issuer.issue({ subject: 'local', scope: 'admin' }, yearSeconds)
  return { url, admissionUrl, caFile: keyring.caFile, token, queues: redis.said }
}

async function redisOf(options: ServeOptions, config: Config, stops: Stops): Promise<{ readonly place: string | undefined; readonly said: string }> {
  if (config.redis !== undefined) return { place: config.redis, said: `BullMQ on ${config.redis}` }
  if (config.queueInProcess) return { place: undefined, said: 'in this process (MEGREZ_QUEUE_IN_PROCESS asks for it)' }
  const server = await startRedisServer({ folder: join(options.folder, 'redis'), install: options.install })
  if ('missing' in server) return { place: undefined, said: `in this process (${server.missing})` }
  stops.add(() => server.stop())
  return { place: server.socket, said: `BullMQ on a redis-server of our own at ${server.socket}` }
}

async function listen(app: FastifyInstance, l4Port: number, scheme: 'http' | 'https'): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: l4Port })
  return `${scheme}://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
