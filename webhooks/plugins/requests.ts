// Each request by a name of its own: what a client calls it (X-Request-Id), else one of ours; which trace it is part of (W3C Trace
// Context, 2021-11-23); and a line for each change that was asked for, whatever came of it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { causeInHeaders, traceIn, type Cause } from '../../core/kinds/trace.ts'
import type { Uids } from '../../platform/chance.ts'
import type { Log } from '../../platform/log.ts'

const idForm = /^[\w.:-]{1,128}$/

/** Names of requests: no two alike in any process. */
export function requestIds(
  uids: Uids,
): (raw: { readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> }) => string {
  const prefix = Buffer.from(uids().replaceAll('-', '').slice(0, 12), 'hex').toString('base64url')
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    return typeof given === 'string' && idForm.test(given) ? given : `${prefix}.${(count++).toString(36)}`
  }
}

/** The trace that a request is part of, as it is kept on what the request changes. */
export const causeOfRequest = ({ headers }: FastifyRequest): Cause | undefined => causeInHeaders(headers)

/** The same for logs. */
export function traceOf(request: FastifyRequest): string | undefined {
  const cause = causeOfRequest(request)
  return cause && traceIn(cause.traceparent)
}

const reading: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']

/** One line for each change that a known caller asked for: who, what, and what the answer was. Never what was sent. */
export function useAudit(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    if (!reading.includes(request.method) && request.caller !== undefined) log.info({ audit: recordOf(request, reply) }, 'change asked for')
  })
}

function recordOf(request: FastifyRequest, reply: FastifyReply): object {
  const [path = '', query = ''] = request.url.split('?')
  const { subject, issuer } = request.caller
  const [location, etag] = [reply.getHeader('location'), reply.getHeader('etag')]
  return {
    request: request.id,
    trace: traceOf(request),
    subject,
    issuer,
    method: request.method,
    path: path.slice(0, 512),
    dryRun: query.includes('dryRun=true') ? true : undefined,
    status: reply.statusCode,
    made: reply.statusCode === 201 ? location : undefined,
    uid: typeof etag === 'string' ? etag.slice(1).split('.')[0] : undefined,
    tookMs: Math.round(reply.elapsedTime),
  }
}
