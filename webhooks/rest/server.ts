// The REST server: every kind by one set of routes, the OpenAPI document, and errors that say where they are.
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { parse } from 'yaml'
import { RateLimited, Unauthorized, UnknownPath, type MegrezError } from '../../core/errors.ts'
import { allKinds, pluralOf } from '../../core/kinds/index.ts'
import { documentRoutes } from '../../openapi/paths/edges.ts'
import { followCertificate, httpsOf } from '../https.ts'
import { usePage } from '../page/page.ts'
import { Sessions } from '../page/sessions.ts'
import { useSignIn, type PageDeps } from '../page/sign-in.ts'
import type { Caller } from '../plugins/auth.ts'
import { callerOfCertificate } from '../plugins/certificates.ts'
import { megrezErrorOf, pathShown, sendProblem, useProblems } from '../plugins/errors.ts'
import { requestIds, useAudit } from '../plugins/requests.ts'
import { answerUnreadable } from '../plugins/unreadable.ts'
import { bodyLimit, useBodies } from './write/bodies.ts'
import type { RestDeps } from './deps.ts'
import { docsPages } from './docs-page.ts'
import { badName } from './names.ts'
import { AllowedMethods } from './allowed-methods.ts'
import { parametersOf } from './query.ts'
import { useKinds } from './routes.ts'
import { serveRoutes } from '../serve-routes.ts'
import { endSilentConnections } from '../silent-connections.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

const requestTimeoutMs = 10_000

/** The server, not yet listening. Closing it ends its watches first. */
export function buildRest(deps: Omit<RestDeps, 'stopping' | 'identify'>): FastifyInstance {
  const stop = new AbortController()
  const page = deps.page ?? withoutPage(deps)
  const loggerInstance: FastifyBaseLogger = deps.log
  const idOf = requestIds(deps.uids)
  const app = fastify({
    loggerInstance,
    // A line for each request is for finding faults, and a logger for each request is for nothing.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: idOf,
    bodyLimit,
    requestTimeout: requestTimeoutMs,
    clientErrorHandler: answerUnreadable(() => idOf({ headers: {} }), requestTimeoutMs),
    // A client's next request on a kept connection is answered to the end; only idle connections are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (thrown, request, reply) => void sendProblem(reply as FastifyReply, megrezErrorOf(thrown, request.id)),
    routerOptions: { maxParamLength: 16_384 },
    ...httpsOf(deps.certificate, { clientCa: deps.clientCa }),
  }) as unknown as FastifyInstance
  followCertificate(app, deps.certificate, { clientCa: deps.clientCa })
  endSilentConnections(app, deps.clock)
  useBodies(app)
  useProblems(app)
  app.setNotFoundHandler((request) => {
    throw unknownPath(request)
  })
  app.decorateRequest('caller', undefined as unknown as Caller)
  const offered = new AllowedMethods()
  app.addHook('onRoute', ({ url, method }) => offered.add(url, [method].flat()))
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // Under /v1 a token is looked at first.
    done(request.is404 && !request.url.startsWith('/v1/') ? refusalOf(offered, request, reply) : undefined)
  })
  app.addHook('preClose', async () => stop.abort())
  if (deps.log.isLevelEnabled('debug')) app.addHook('onResponse', logRequest)
  serveDocument(app, deps.document)
  usePage(app, page.files)
  useSignIn(app, { ...page, tokens: deps.tokens, clock: deps.clock })
  // A scope of its own: what is asked for under /v1 needs a token, whether it is there or not.
  void app.register(
    async (scope) => {
      scope.addHook('onRequest', (request, _reply, done) => authenticate({ ...deps, page }, request, done))
      scope.addHook('onRequest', (request, reply, done) => {
        done(request.is404 ? refusalOf(offered, request, reply) : badName(request))
      })
      useAudit(scope, deps.log)
      scope.setNotFoundHandler((request) => {
        throw unknownPath(request)
      })
      const identify: RestDeps['identify'] = (request) => callerOf({ ...deps, page }, request)
      useKinds(scope, { ...deps, stopping: stop.signal, identify }, offered)
    },
    { prefix: '/v1' },
  )
  return app
}

async function logRequest(request: FastifyRequest, reply: { readonly statusCode: number; readonly elapsedTime: number }): Promise<void> {
  request.log.debug(
    {
      request: request.id,
      method: request.method,
      url: request.url.split('?')[0],
      status: reply.statusCode,
      tookMs: Math.round(reply.elapsedTime),
    },
    'request answered',
  )
}

type Authenticating = Pick<RestDeps, 'tokens' | 'limits' | 'clock'> & { readonly page: PageDeps }

/** A token still signs in; nobody gives out codes. */
const withoutPage = ({ clock }: Pick<RestDeps, 'clock'>): PageDeps => ({ sessions: new Sessions(clock, () => Buffer.alloc(0)) })

function authenticate(deps: Authenticating, request: FastifyRequest, done: (err?: Error) => void): void {
  try {
    const caller = callerOf(deps, request)
    if (caller instanceof Promise) caller.then((known) => admit(deps, request, known, done), done)
    else admit(deps, request, caller, done)
  } catch (err) {
    done(err as Error)
  }
}

/** What stands in place of Authorization for those who come through the API server, which takes that one off. */
const relayedHeader = 'megrez-authorization'

/** A token says more than a session, and that more than a connection. */
function callerOf({ tokens, clock, page }: Authenticating, request: FastifyRequest): Caller | Promise<Caller> {
  const {
    headers: { authorization, [relayedHeader]: relayed },
    raw: { socket, rawHeaders },
  } = request
  const given = authorization ?? (relayed === undefined ? undefined : String(relayed))
  if (given !== undefined) {
    holdOneAuthorization(rawHeaders)
    return tokens.callerOf(given)
  }
  const session = page.sessions.authorizationOf(request)
  return (session === undefined ? callerOfCertificate(socket, clock.now()) : undefined) ?? tokens.callerOf(session)
}

/** Node.js keeps the first of them and others the last: a proxy before us may have judged another than we would. @throws Unauthorized */
function holdOneAuthorization(rawHeaders: readonly string[]): void {
  let found = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (/^(?:megrez-)?authorization$/i.test(rawHeaders[i] ?? '')) found++
  if (found > 1) throw new Unauthorized({ reason: 'there are two Authorization headers' })
}

/** At once, unless the caller's rate is counted elsewhere, in Redis. */
function admit({ limits }: Authenticating, request: FastifyRequest, caller: Caller, done: (err?: Error) => void): void {
  request.caller = caller
  const taken = limits?.take(`${caller.issuer} ${caller.subject}`) ?? true
  const say = (may: boolean): void => done(may ? undefined : new RateLimited({ rate: limits?.perSecond ?? 0 }))
  if (taken instanceof Promise) taken.then(say, done)
  else say(taken)
}

function serveDocument(app: FastifyInstance, yaml: string): void {
  // Half a second of reading, for who asks.
  let read: Readonly<Record<string, unknown>> | undefined
  const document = (): Readonly<Record<string, unknown>> => (read ??= parse(yaml) as Readonly<Record<string, unknown>>)
  let json: string | undefined
  let pages: ReturnType<typeof docsPages> | undefined
  serveRoutes(app, documentRoutes, {
    getDocument: (_request, reply) =>
      reply.header('content-type', 'application/json; charset=utf-8').send((json ??= JSON.stringify(document()))),
    getDocs: (request, reply) => {
      const { search } = parametersOf(request, ['search'])
      return (
        reply
          .header('content-type', 'text/html; charset=utf-8')
          // Text and styles of its own: nothing is fetched, nothing runs.
          .header(
            'content-security-policy',
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
          )
          .send((pages ??= docsPages(document())).page(search))
      )
    },
  })
}

const refusalOf = (offered: AllowedMethods, request: FastifyRequest, reply: FastifyReply): MegrezError =>
  offered.refusal(request, reply) ?? unknownPath(request)

function unknownPath(request: FastifyRequest): MegrezError {
  const path = pathShown(request)
  const known = /^\/v1\/(?:namespaces\/[^/]+\/)?([^/]+)/.exec(path)?.[1]
  const hint = known === undefined ? '' : `; kinds are ${allKinds.map(pluralOf).join(', ')}`
  return new UnknownPath({ path: `${path}${hint}` })
}
