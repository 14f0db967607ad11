// From settings to the listeners of the webhooks process. Pods and objects are in the Kubernetes API; nothing is kept here.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { realRandom, realUids } from '../platform/chance.ts'
import { realClock } from '../platform/clock.ts'
import { openCluster } from '../platform/cluster.ts'
import type { Config } from '../platform/config.ts'
import { hostOf } from '../platform/http/listen.ts'
import type { Log } from '../platform/log.ts'
import type { Stops } from '../platform/run.ts'
import { readRegistrations } from '../platform/kube/admission/registration.ts'
import { NamespaceSecrets, readSecrets } from '../platform/signing.ts'
import { redisBuckets } from '../platform/redis-buckets.ts'
import type { KubeStore } from '../platform/store/kube/kube.ts'
import type { CertificateSource } from '../platform/tls.ts'
import { followFiles } from '../platform/tls/files.ts'
import type { Cached } from '../platform/cache/caches.ts'
import { networkViewKinds, networkViewOf } from '../platform/cache/network-view.ts'
import { reservationBound } from './admission/bound.ts'
import type { AdmissionDeps } from './admission/deps.ts'
import { RegisteredPaths } from './admission/paths.ts'
import { catchUpOf } from './admission/catch-up.ts'
import { stopGracefully, type GracefulStop } from './graceful-stop.ts'
import { openIdOf } from './page/openid/settings.ts'
import { pageFiles } from './page/files.ts'
import { Sessions } from './page/sessions.ts'
import { Tokens, type Trust } from './plugins/auth.ts'
import { kubeAccess, kubeReviewer } from './plugins/kube-access.ts'
import { burstSeconds, Limits, type Limiting } from '../platform/http/limits.ts'
import { SharedLimits } from './plugins/shared-limits.ts'
import { openSigner } from './plugins/signer.ts'
import { restSettings, trustsOf } from './plugins/trusts.ts'
import { buildRest } from './rest/server.ts'
import { buildAdmission } from './server.ts'

const pageFolder = join(import.meta.dirname, '../gui/dist')
const contract = join(import.meta.dirname, '../openapi/openapi.yaml')
const clock = realClock

/** @throws ConfigInvalid, or what listening throws; what was started by then is in `stops` */
export async function startWebhooks(config: Config, { log, stops }: { readonly log: Log; readonly stops: Stops }): Promise<void> {
  const trusts = trustsOf(config, clock)
  const certificate = await followFiles({ cert: config.tlsCert, key: config.tlsKey }, { clock, log })
  stops.add(() => certificate.close())
  const { store, caches, metrics, healthL4Port, watchFor, sync } = await openCluster(config, { log, stops, only: kindsFor(config) })
  log.info({ healthL4Port }, 'listening')
  await sync()
  const admission = {
    store,
    world: networkViewOf(caches),
    settings: config,
    clock,
    log,
    news: catchUpOf(caches, clock),
    bound: reservationBound(config.reservationRate, clock, metrics),
  }
  const { admissionRegistration: registered } = config
  const door =
    registered === undefined ? undefined : new RegisteredPaths({ read: () => readRegistrations(store.client, registered), clock, log })
  stops.add(() => door?.close())
  watchFor(() => door?.problem())
  const shown =
    config.admissionClientCa === undefined
      ? certificate
      : await followFiles({ cert: config.tlsCert, key: config.tlsKey, clientCa: config.admissionClientCa }, { clock, log })
  if (shown !== certificate) stops.add(() => shown.close())
  const servers = [
    await startAdmission(config, {
      ...admission,
      certificate: shown,
      clientNames: config.admissionClientNames,
      metrics,
      metricsApart: config.metricsL4Port !== undefined,
      ...(door && { door }),
    }),
  ]
  if (trusts.length > 0 || config.kubeTokens || config.clientCa !== undefined)
    servers.push(await startRest(config, { admission, store, certificate, trusts, stops }))
  else log.info({ settings: restSettings }, 'REST is off: nobody would be known')
  watchFor(() => (servers.some(({ stopping }) => stopping()) ? 'stopping' : undefined))
  stops.add(() => Promise.all(servers.map((server) => server.stop())))
  if (config.nsmListen !== undefined) {
    // gRPC is in the memory of those alone that serve it.
    const { startNsm } = await import('./nsm/start.ts')
    const nsm = await startNsm(config.nsmListen, config, { store, caches, metrics: metrics.set, clock, random: realRandom, log })
    log.info({ nsm: nsm.address }, 'listening')
    stops.add(() => nsm.stop())
  }
}

const kindsFor = ({ nsmListen }: Config): readonly Cached[] => [
  ...networkViewKinds,
  ...(nsmListen === undefined ? [] : (['NetworkServiceEndpoint'] as const)),
]

async function startAdmission(config: Config, deps: Parameters<typeof buildAdmission>[0]): Promise<GracefulStop> {
  const app = buildAdmission({ ...deps, lingerMs: config.lingerMs })
  deps.log.info({ admissionL4Port: await listen(app, config.listenHost, config.admissionL4Port) }, 'listening')
  return app.gently
}

interface RestParts {
  readonly admission: AdmissionDeps
  readonly store: KubeStore
  readonly certificate: CertificateSource
  readonly trusts: readonly Trust[]
  readonly stops: Stops
}

/** Over all processes where there is a Redis. */
function limitsOf({ redis, redisCa: ca, redisPrefix: prefix, restRate: perSecond }: Config, log: Log, stops: Stops): Limiting {
  if (redis === undefined) return new Limits(perSecond, clock)
  const buckets = redisBuckets({ redis, ca, prefix, perSecond, burst: perSecond * burstSeconds })
  stops.add(async () => buckets.close())
  return new SharedLimits(perSecond, buckets, { clock, log })
}

async function startRest(config: Config, { admission, store, certificate, trusts, stops }: RestParts): Promise<GracefulStop> {
  const { log } = admission
  const seal = await openSigner(store, config.namespace, randomBytes)
  const provider = await openIdOf(config, trusts, { clock, read: (file) => readFile(file, 'utf8') })
  const app = buildRest({
    store,
    admission,
    certificate,
    clock,
    log,
    access: kubeAccess(store, clock, { review: config.accessReview }),
    tokens: new Tokens(trusts, clock, config.kubeTokens ? kubeReviewer(store, clock) : undefined),
    seal,
    random: realRandom,
    uids: realUids,
    publicUrl: config.publicUrl,
    signing: new NamespaceSecrets(readSecrets(config.callbackSecret), false),
    page: {
      sessions: new Sessions(clock, randomBytes),
      files: pageFiles(pageFolder),
      ...(provider && { openid: { provider, seal, draw: randomBytes } }),
    },
    document: await readFile(contract, 'utf8'),
    ...(config.clientCa !== undefined && { clientCa: await readFile(config.clientCa, 'utf8') }),
    ...(config.restRate > 0 && { limits: limitsOf(config, log, stops) }),
  })
  const gently = stopGracefully(app, clock, config.lingerMs)
  log.info({ restL4Port: await listen(app, config.listenHost, config.restL4Port) }, 'listening')
  return gently
}

async function listen(app: FastifyInstance, host: string | undefined, l4Port: number): Promise<number> {
  await app.listen({ host: hostOf(host), port: l4Port })
  return (app.server.address() as AddressInfo).port
}
