// Operations that need no token, served where the contract (`openapi/paths/`) says; the compiler misses the one that has no handler.
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { Route } from '../openapi/paths/route.ts'

/** @param handlers by the id of the operation; undefined: it is not offered by this server */
export function serveRoutes<Id extends string>(
  app: FastifyInstance,
  rows: readonly Route<Id>[],
  handlers: Readonly<Record<Id, RouteHandlerMethod | undefined>>,
): void {
  for (const { at, method, operation } of rows) {
    const handler = handlers[operation.operationId]
    if (handler !== undefined) app.route({ method, url: at, handler })
  }
}
