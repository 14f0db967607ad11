// The admission server: HTTPS, four addresses, and an AdmissionReview for an answer whatever comes in.
import { fastify, type FastifyError, type FastifyInstance } from 'fastify'
import type { Metrics } from '../platform/metrics.ts'
import type { CertificateSource } from '../platform/tls.ts'
import { denied } from './admission/answer.ts'
import type { AdmissionDeps } from './admission/deps.ts'
import { paths, useAdmission } from './admission/routes.ts'
import { stopGently, type GentleStop } from './gentle-stop.ts'
import { followCertificate, httpsOf } from './https.ts'
import { useHealth } from './plugins/health.ts'
import { endSilentConnections } from './silent-connections.ts'

export interface AdmissionServer extends AdmissionDeps {
  /** Absent: plain HTTP, for tests without a socket. */
  readonly certificate?: CertificateSource
  readonly metrics?: Metrics
  /** What keeps it from being ready, beside its stopping. */
  readonly problems?: () => readonly string[]
  readonly lingerMs?: number
}

/** A review holds the object and its former self, each as large as the API server takes requests: 3 MiB (etcd 1.5 MiB). */
const bodyLimit = 8 * 1024 * 1024
/** Longer than the API server keeps an idle connection (Go's client, 90 s): it should be the one that closes. */
const keepAliveMs = 95_000

/** The server, not yet listening; `close` is abrupt, `stopGently` loses nothing. */
export function buildAdmission(deps: AdmissionServer): FastifyInstance & { readonly gently: GentleStop } {
  const { certificate } = deps
  const app = fastify({
    // Without a logger Fastify does no work for one with each request: what there is to log we log.
    bodyLimit,
    requestTimeout: 10_000,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    ...httpsOf(certificate),
  }) as unknown as FastifyInstance
  followCertificate(app, certificate)
  endSilentConnections(app, deps.clock)
  const gently = stopGently(app, deps.clock, deps.lingerMs)
  // Bytes as they came: most reviews are answered without being parsed.
  app.removeAllContentTypeParsers()
  // The usual type is named too: it is found at once, where `*` means that all others were tried.
  for (const type of ['application/json', '*']) app.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  answerAlways(app, deps)
  useAdmission(app, deps, deps.metrics)
  useHealth(app, { problems: () => [...(gently.stopping() ? ['stopping'] : []), ...(deps.problems?.() ?? [])], ...(deps.metrics === undefined ? {} : { registry: deps.metrics.registry }) })
  return Object.assign(app, { gently })
}

/** A bare 4xx or 5xx would be shown to the user as a failed call without a reason: so all is said in reviews. */
function answerAlways(app: FastifyInstance, { log }: AdmissionDeps): void {
  const say = (message: string, code: number): string => denied('', [{ at: '', message }], code)
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const known = (paths as readonly string[]).includes(path)
    const message = known ? `${request.method} is not taken here: POST an AdmissionReview` : `nothing is served at ${path.slice(0, 200)}; there are ${paths.join(', ')}`
    return reply.header('content-type', 'application/json; charset=utf-8').send(say(message, known ? 405 : 404))
  })
  app.setErrorHandler((problem: FastifyError, _request, reply) => {
    void reply.code(200).header('content-type', 'application/json; charset=utf-8')
    if (problem.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return reply.send(say(`the body is larger than ${bodyLimit} bytes`, 413))
    if ((problem.statusCode ?? 500) < 500) return reply.send(say(problem.message, problem.statusCode ?? 400))
    log.error({ err: problem }, 'admission failed')
    return reply.send(say('an unexpected fault of Megrez; its log has it', 500))
  })
}
