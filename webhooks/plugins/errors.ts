// Every error as application/problem+json (RFC 9457): a stable type, one sentence, and where in the body the fault is.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden, Internal, KeyInUse, Malformed, MegrezError, TooLarge, Unauthorized, UnsupportedMediaType } from '../../core/errors.ts'
import { BadParameter, InvalidObject } from '../rest/invalid-object.ts'
import { traceOf } from './requests.ts'

export interface ProblemBody {
  /** Stable; the last part is the code of docs/errors.md. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly detail: string }[]
}

const typeBase = 'https://megrez.io/errors/'

export function bodyOf(err: MegrezError): ProblemBody {
  const { code, message, policy } = err
  const errors = errorsOf(err)
  return { type: typeBase + code, title: titleOf(code), status: policy.http, detail: message, code, ...(errors.length > 0 && { errors }) }
}

const titleOf = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('-', ' ')

function errorsOf(err: MegrezError): NonNullable<ProblemBody['errors']> {
  if (err instanceof InvalidObject) return err.problems.map(({ at, message }) => ({ pointer: at, detail: message }))
  if (err instanceof BadParameter) return [{ parameter: err.parameter, detail: err.why }]
  return err.at === undefined ? [] : [{ pointer: err.at, detail: err.message }]
}

/** What Fastify refuses by itself, in our words; what nobody foresaw is told by its log line only. */
export function megrezErrorOf(thrown: unknown, id: string): MegrezError {
  if (thrown instanceof MegrezError) return thrown
  return (thrown instanceof Error ? refusalOf(thrown as FastifyError) : undefined) ?? new Internal({ id, cause: thrown })
}

function refusalOf({ code, statusCode = 500, message }: FastifyError): MegrezError | undefined {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TooLarge({ what: 'the body', max: 'the limit of 1 MiB' })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new UnsupportedMediaType({ type: 'this media type', wanted: 'application/json' })
  return statusCode >= 400 && statusCode < 500 ? new Malformed({ what: 'this address', reason: message }) : undefined
}

/** The path of a request, as an error names it: so much of it and no more, and nothing of its query. */
export const pathShown = ({ url }: FastifyRequest): string => (url.split('?')[0] ?? '').slice(0, 300)

export function sendProblem(reply: FastifyReply, err: MegrezError): FastifyReply {
  if (err instanceof Unauthorized) reply.header('www-authenticate', challenge(err))
  if (err instanceof Forbidden) reply.header('www-authenticate', 'Bearer realm="megrez", error="insufficient_scope"')
  if (err.policy.http === 503 || err.policy.http === 429 || err instanceof KeyInUse) reply.header('retry-after', '1')
  // Framework errors come before any hook.
  reply.header('x-request-id', reply.request.id)
  return reply.code(err.policy.http).header('content-type', 'application/problem+json').serializer(JSON.stringify).send(bodyOf(err))
}

/** RFC 6750 section 3: without a token no error is named. */
function challenge(err: MegrezError): string {
  return err.message.endsWith('there is none')
    ? 'Bearer realm="megrez"'
    : `Bearer realm="megrez", error="invalid_token", error_description="${err.message.replaceAll('"', "'")}"`
}

export function useProblems(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request: FastifyRequest, reply) => {
    const err = megrezErrorOf(thrown, request.id)
    if (err instanceof Internal) request.log.error({ request: request.id, trace: traceOf(request), err: thrown }, 'unexpected fault')
    return sendProblem(reply, err)
  })
}
