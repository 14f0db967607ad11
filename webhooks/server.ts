// The admission server: HTTPS, four addresses, and an AdmissionReview for an answer whatever comes in.
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { fastify, type FastifyError, type FastifyInstance } from 'fastify'
import { MegrezError } from '../core/errors.ts'
import { admissionEndpoints, partsOf } from '../core/plan/registration.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { CertificateSource } from '../platform/tls.ts'
import { denied } from './admission/answer.ts'
import type { AdmissionDeps } from './admission/deps.ts'
import { openPaths, type AdmissionPaths } from './admission/paths.ts'
import { useAdmission } from './admission/routes.ts'
import { stopGracefully, type GracefulStop } from './graceful-stop.ts'
import { followCertificate, httpsOf } from './https.ts'
import { useHealth } from './plugins/health.ts'
import { endSilentConnections } from './silent-connections.ts'

export interface AdmissionServer extends AdmissionDeps {
  /** Absent: plain HTTP, for tests without a socket. */
  readonly certificate?: CertificateSource
  /** At which paths it answers; absent: at those that anybody can guess. */
  readonly door?: AdmissionPaths
  /** CNs that an API server may show, where the certificate comes with the authority of clients'; none: every client that it has signed. */
  readonly clientNames?: readonly string[]
  readonly metrics?: Metrics
  /** They are told on a listener of their own, and not here. */
  readonly metricsApart?: boolean
  /** What keeps it from being ready, beside its stopping. */
  readonly problems?: () => readonly string[]
  readonly lingerMs?: number
}

/** A review holds the object and its former self, each as large as the API server takes requests: 3 MiB (etcd 1.5 MiB). */
const bodyLimit = 8 * 1024 * 1024
/** Longer than the API server keeps an idle connection (Go's client, 90 s): it should be the one that closes. */
const keepAliveMs = 95_000

/** The server, not yet listening; `close` is abrupt, `stopGently` loses nothing. */
export function buildAdmission(deps: AdmissionServer): FastifyInstance & { readonly gently: GracefulStop } {
  const { certificate } = deps
  const app = fastify({
    // Without a logger Fastify does no work for one with each request: what there is to log we log.
    bodyLimit,
    requestTimeout: 10_000,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: ({ url = '' }) => partsOf(pathOf(url))?.end ?? url,
    ...httpsOf(certificate, callers),
  }) as unknown as FastifyInstance
  followCertificate(app, certificate, callers)
  endSilentConnections(app, deps.clock)
  const gently = stopGracefully(app, deps.clock, deps.lingerMs)
  // Bytes as they came: most reviews are answered without being parsed.
  app.removeAllContentTypeParsers()
  // The usual type is named too: it is found at once, where `*` means that all others were tried.
  for (const type of ['application/json', '*'])
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  answerAlways(app, deps)
  keepDoor(app, deps)
  useAdmission(app, deps, deps.metrics)
  useHealth(app, {
    problems: () => [...(gently.stopping() ? ['stopping'] : []), ...(deps.problems?.() ?? [])],
    ...(deps.metrics === undefined || deps.metricsApart === true ? {} : { registry: deps.metrics.registry }),
  })
  return Object.assign(app, { gently })
}

const callers = { required: true }
const pathOf = (url: string): string => url.split('?')[0] ?? ''

/** Before a body is read: an unauthorised caller costs nothing. */
function keepDoor(app: FastifyInstance, { door = openPaths, clientNames = [] }: AdmissionServer): void {
  const isKnown = (socket: object): boolean =>
    clientNames.length === 0 || ('getPeerCertificate' in socket && clientNames.includes(nameOf(socket as TLSSocket)))
  app.addHook('onRequest', (request, reply, done) => {
    const parts = partsOf(pathOf(request.originalUrl))
    if (parts === undefined || request.method !== 'POST') return done()
    const decide = (opens: boolean): unknown => (opens && isKnown(request.raw.socket) ? done() : reply.callNotFound())
    const opens = door.opens(parts.before)
    if (typeof opens === 'boolean') return decide(opens)
    opens.then(decide, done)
  })
}

const nameOf = (socket: TLSSocket): string => String((socket.getPeerCertificate() as Partial<PeerCertificate>).subject?.CN ?? '')

/** A bare 4xx or 5xx would be shown to the user as a failed call without a reason: so all is said in reviews. */
function answerAlways(app: FastifyInstance, { log }: AdmissionDeps): void {
  const say = (message: string, code: number): string => denied('', [{ at: '', message }], code)
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.originalUrl)
    const known = request.method !== 'POST' && partsOf(path) !== undefined
    const message = known
      ? `${request.method} is not taken here: POST an AdmissionReview`
      : `nothing is served at ${path.slice(0, 200)}; addresses here end with ${admissionEndpoints.join(', ')}`
    return reply.header('content-type', 'application/json; charset=utf-8').send(say(message, known ? 405 : 404))
  })
  app.setErrorHandler((err: FastifyError, _request, reply) => {
    void reply.code(200).header('content-type', 'application/json; charset=utf-8')
    if (err instanceof MegrezError) return reply.send(say(err.message, err.policy.http))
    if (err.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return reply.send(say(`the body is larger than ${bodyLimit} bytes`, 413))
    if ((err.statusCode ?? 500) < 500) return reply.send(say(err.message, err.statusCode ?? 400))
    log.error({ err: err }, 'admission failed')
    return reply.send(say('an unexpected fault of Megrez; its log has it', 500))
  })
}
