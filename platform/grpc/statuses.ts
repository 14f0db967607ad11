// What an error of ours is to whoever called us by gRPC.
import { status, type StatusObject } from '@grpc/grpc-js'
import { ChainRefused, MegrezError, PeerRefused, PeerUnavailable, Undecodable } from '../../core/errors.ts'

export type AnsweredStatus = Pick<StatusObject, 'code' | 'details'>

/** By what HTTP says for it (https://grpc.io/docs/guides/status-codes/, 2026-11). */
const byHttp: Readonly<Record<number, status>> = {
  400: status.INVALID_ARGUMENT,
  401: status.UNAUTHENTICATED,
  403: status.PERMISSION_DENIED,
  404: status.NOT_FOUND,
  409: status.ABORTED,
  413: status.RESOURCE_EXHAUSTED,
  422: status.INVALID_ARGUMENT,
  429: status.RESOURCE_EXHAUSTED,
  501: status.UNIMPLEMENTED,
  503: status.UNAVAILABLE,
}

/**
 * @returns undefined for what is no error of ours: a fault, whose text nobody outside is told
 */
export function statusOf(err: unknown): AnsweredStatus | undefined {
  if (!(err instanceof MegrezError)) return undefined
  // NSM's chains answer with plain errors of Go, which arrive as UNKNOWN.
  if (err instanceof ChainRefused) return { code: status.UNKNOWN, details: err.message }
  if (err instanceof Undecodable) return { code: status.INVALID_ARGUMENT, details: err.message }
  return statusBelow(err) ?? { code: byHttp[err.policy.http] ?? status.UNKNOWN, details: err.message }
}

/** A status from a peer further on is passed on as it is. */
function statusBelow(err: MegrezError): AnsweredStatus | undefined {
  if (!(err instanceof PeerUnavailable) && !(err instanceof PeerRefused)) return undefined
  const below = err.cause as Partial<StatusObject> | undefined
  return typeof below?.code === 'number' ? { code: below.code, details: below.details ?? err.message } : undefined
}
