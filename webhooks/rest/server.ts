// The REST server: every kind by one set of routes, the OpenAPI document, and errors that say where they are.
import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { parse } from 'yaml'
import { UnknownPath, type MegrezError } from '../../core/errors.ts'
import { allKinds, pluralOf } from '../../core/kinds/index.ts'
import { followCertificate, httpsOf } from '../https.ts'
import type { Caller } from '../plugins/auth.ts'
import { megrezErrorOf, sendProblem, useProblems } from '../plugins/errors.ts'
import { bodyLimit, useBodies } from './bodies.ts'
import type { RestDeps } from './deps.ts'
import { useKinds } from './routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** The server, not yet listening. Closing it ends its watches first. */
export function buildRest(deps: Omit<RestDeps, 'stopping'>): FastifyInstance {
  const stop = new AbortController()
  const loggerInstance: FastifyBaseLogger = deps.log
  const app = fastify({
    loggerInstance,
    // A line for each request is for finding faults, and a logger for each request is for nothing.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    bodyLimit,
    requestTimeout: 10_000,
    // A client's next request on a kept connection is answered to the end; only idle connections are closed.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (thrown, request, reply) => void sendProblem(reply as FastifyReply, megrezErrorOf(thrown, request.id)),
    routerOptions: { maxParamLength: 16_384 },
    ...httpsOf(deps.certificate),
  }) as unknown as FastifyInstance
  followCertificate(app, deps.certificate)
  useBodies(app)
  useProblems(app)
  app.setNotFoundHandler((request) => {
    throw unknownPath(request)
  })
  app.decorateRequest('caller', undefined as unknown as Caller)
  app.addHook('preClose', async () => stop.abort())
  if (deps.log.isLevelEnabled('debug')) app.addHook('onResponse', logRequest)
  serveDocument(app, deps.document)
  // A scope of its own: what is asked for under /v1 needs a token, whether it is there or not.
  void app.register(async (scope) => {
    scope.addHook('onRequest', (request, _reply, done) => authenticate(deps, request, done))
    scope.setNotFoundHandler((request) => {
      throw unknownPath(request)
    })
    useKinds(scope, { ...deps, stopping: stop.signal })
  }, { prefix: '/v1' })
  return app
}

async function logRequest(request: FastifyRequest, reply: { readonly statusCode: number; readonly elapsedTime: number }): Promise<void> {
  request.log.debug({ method: request.method, url: request.url.split('?')[0], status: reply.statusCode, tookMs: Math.round(reply.elapsedTime) }, 'request answered')
}

function authenticate(deps: Pick<RestDeps, 'tokens'>, request: FastifyRequest, done: (problem?: Error) => void): void {
  let caller: Caller | Promise<Caller>
  try {
    caller = deps.tokens.callerOf(request.headers.authorization)
  } catch (problem) {
    done(problem as Error)
    return
  }
  if (!(caller instanceof Promise)) {
    request.caller = caller
    done()
    return
  }
  caller.then((known) => {
    request.caller = known
    done()
  }, done)
}

function serveDocument(app: FastifyInstance, yaml: string): void {
  const json = JSON.stringify(parse(yaml))
  app.get('/openapi.json', (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(json))
}

function unknownPath({ url }: FastifyRequest): MegrezError {
  const path = (url.split('?')[0] ?? '').slice(0, 300)
  const known = /^\/v1\/(?:namespaces\/[^/]+\/)?([^/]+)/.exec(path)?.[1]
  const hint = known === undefined ? '' : `; kinds are ${allKinds.map(pluralOf).join(', ')}`
  return new UnknownPath({ path: `${path}${hint}` })
}
