// Everything of one machine in one process, started in order and stopped in reverse.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ConfigInvalid } from '../../core/errors.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { realRandom, realUids } from '../../platform/chance.ts'
import { realClock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { makeMetrics } from '../../platform/metrics.ts'
import { startMetrics } from '../../platform/metrics/listen.ts'
import type { Queues } from '../../core/contracts/queue.ts'
import { openQueues } from '../../platform/queue/index.ts'
import { replaceable } from '../../platform/queue/takeover.ts'
import { startRedisServer } from '../../platform/redis-server.ts'
import { revive } from '../../platform/redis-server/revive.ts'
import { NamespaceSecrets, readSecrets } from '../../platform/signing.ts'
import type { Stops } from '../../platform/run.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openKeyring } from '../../platform/tls/keyring.ts'
import { networkViewOf } from '../../platform/cache/network-view.ts'
import { catchUpOf } from '../../webhooks/admission/catch-up.ts'
import { pageFiles } from '../../webhooks/page/files.ts'
import { Sessions } from '../../webhooks/page/sessions.ts'
import { Tokens } from '../../webhooks/plugins/auth.ts'
import { useHealth } from '../../webhooks/plugins/health.ts'
import { openLocalIssuer } from '../../webhooks/plugins/issuer.ts'
import { openSigner } from '../../webhooks/plugins/signer.ts'
import { listenAgents } from '../../webhooks/agents/server.ts'
import { buildRest } from '../../webhooks/rest/server.ts'
import { buildAdmission } from '../../webhooks/server.ts'
import { startDispatcher } from '../../workers/notify/start-dispatcher.ts'
import { startWorkers } from '../../workers/start.ts'
import { whyNotOpen, type ServeOptions } from './options.ts'

const pageFolder = join(import.meta.dirname, '../../gui/dist')
const contract = join(import.meta.dirname, '../../openapi/openapi.yaml')
const daySeconds = 24 * 3600
const yearSeconds = 365 * 24 * 3600

export interface Parts {
  readonly url: string
  readonly admissionUrl: string
  readonly caFile: string
  readonly token: string
  /** Signs a browser in, once. */
  readonly signInUrl: string
  /** Where the queues are, for a person. */
  readonly queues: string
}

/** @throws StoreInUse, ConfigInvalid, or what listening throws; what was started by then is in `stops` */
export async function startParts(
  options: ServeOptions,
  config: Config,
  { log, stops }: { readonly log: Log; readonly stops: Stops },
): Promise<Parts> {
  const { folder } = options
  const clock = realClock
  const random = realRandom
  const store = SqliteStore.open(join(folder, 'megrez.sqlite'), { synchronous: config.sqliteSynchronous, clock, uids: realUids })
  stops.add(() => store.close())
  const { queues, shownAs } = await queuesOf(options, config, { log, stops })

  const following = new AbortController()
  stops.add(() => following.abort())
  const caches = openCaches(store, { onProblem: (err, key) => log.error({ err, key }, 'cache listener failed') })
  const deps = { store, caches, queues, config, clock, log, random }
  await caches.start(following.signal)
  const metrics = makeMetrics()
  const dispatcher = await startDispatcher({ ...deps, metrics })
  stops.add(() => dispatcher.stop())
  const workers = await startWorkers({ ...deps, lapsed: metrics.lapsed, metrics: metrics.set })
  stops.add(() => workers.stop())

  if (config.agents) {
    const agents = await listenAgents({ store, log, socket: join(folder, 'agents.sock') })
    stops.add(() => agents.close())
  }
  const issuer = await openLocalIssuer(folder, clock)
  const admission = { store, world: networkViewOf(caches), settings: config, clock, log, news: catchUpOf(caches, clock) }
  const problems = (): string[] => [queues.problem()].filter((err) => err !== undefined)
  const keyring = await openKeyring(folder, { names: ['localhost', '127.0.0.1'], clock, random, log })
  stops.add(() => keyring.close())
  const metricsApart = (await startMetrics(config, metrics.registry, { clock, log, stops })) !== undefined
  const reviews = buildAdmission({ ...admission, certificate: keyring, metrics, metricsApart, problems, lingerMs: 0 })
  const sessions = new Sessions(clock, randomBytes)
  const rest = buildRest({
    store,
    standalone: store,
    admission,
    tokens: new Tokens(issuer.trust, clock),
    seal: await openSigner(store, config.namespace, randomBytes),
    clock,
    random,
    uids: realUids,
    log,
    publicUrl: config.publicUrl,
    signing: new NamespaceSecrets(readSecrets(config.callbackSecret), false),
    page: { sessions, files: pageFiles(pageFolder) },
    document: await readFile(contract, 'utf8'),
  })
  useHealth(rest, { problems, ...(!metricsApart && { registry: metrics.registry }) })
  const url = await listen(rest, options.l4Port, 'http')
  stops.add(() => rest.close())
  const admissionUrl = await listen(reviews, options.l4Port === 0 ? 0 : options.l4Port + 1, 'https')
  stops.add(() => reviews.gently.stop())
  const token = await issuer.issue({ subject: 'local', scope: 'admin' }, yearSeconds)
  const browser = await issuer.issue({ subject: 'local', scope: 'admin' }, daySeconds)
  const signInUrl = `${url}/sign-in?code=${sessions.offer(browser)}`
  return { url, admissionUrl, caFile: keyring.caFile, token, queues: shownAs, signInUrl }
}

interface Opened {
  readonly queues: Queues
  /** Where they are, for a person. */
  readonly shownAs: string
}

async function queuesOf(
  options: ServeOptions,
  config: Config,
  { log, stops }: { readonly log: Log; readonly stops: Stops },
): Promise<Opened> {
  const common = { redisCa: config.redisCa, prefix: config.redisPrefix, log, clock: realClock }
  const opened = (redis: string | undefined, shownAs: string): Opened => {
    const queues = openQueues({ redis, ...common })
    stops.add(() => queues.close())
    return { queues, shownAs }
  }
  if (config.redis !== undefined) return opened(config.redis, `BullMQ on ${config.redis}`)
  if (config.queueInProcess) return opened(undefined, 'in this process (MEGREZ_QUEUE_IN_PROCESS asks for it)')
  const folder = join(options.folder, 'redis')
  const server = await startRedisServer({ folder, install: options.install })
  if ('missing' in server) return opened(undefined, `in this process (${server.missing})`)
  const queues = replaceable(openQueues({ redis: server.socket, ...common }), () => openQueues(common))
  const giveUp = (reason: string): void => {
    log.error({ reason }, 'our redis-server cannot be kept running: keys are queued in this process from now on')
    void queues.takeOver()
  }
  const revived = revive(server, {
    start: () => startRedisServer({ folder, install: false }),
    giveUp,
    clock: realClock,
    random: Math.random,
    log,
  })
  stops.add(() => revived.stop())
  stops.add(() => queues.close())
  return { queues, shownAs: `BullMQ on a redis-server of our own at ${server.socket}` }
}

async function listen(app: FastifyInstance, l4Port: number, scheme: 'http' | 'https'): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: l4Port }).catch((err: NodeJS.ErrnoException) => {
    const reason = whyNotOpen(err.code, l4Port, scheme)
    throw reason === undefined ? err : new ConfigInvalid({ name: '--port', reason, cause: err })
  })
  return `${scheme}://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}
