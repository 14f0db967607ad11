// What a gRPC status is to us: worth trying again, or not.
import { status, type ServiceError } from '@grpc/grpc-js'
import { MegrezError, PeerConflict, PeerRefused, PeerUnavailable } from '../../core/errors.ts'

/** Statuses that the same call gets again (https://grpc.io/docs/guides/status-codes/, 2026-11). All others are worth another try. */
const final: ReadonlySet<status> = new Set([
  status.INVALID_ARGUMENT,
  status.NOT_FOUND,
  status.ALREADY_EXISTS,
  status.PERMISSION_DENIED,
  status.UNAUTHENTICATED,
  status.FAILED_PRECONDITION,
  status.OUT_OF_RANGE,
  status.UNIMPLEMENTED,
])

/** @param target who was called @param method its path */
export function failureOf(err: unknown, target: string, method: string): Error {
  if (err instanceof MegrezError) return err
  const cause = err as ServiceError
  const reason = `${status[cause.code] ?? 'no status'}${cause.details ? `, ${cause.details}` : cause.code === undefined ? `, ${cause.message}` : ''}`
  if (cause.code === status.ABORTED) return new PeerConflict({ target, method, reason, cause })
  return final.has(cause.code) ? new PeerRefused({ target, method, reason, cause }) : new PeerUnavailable({ target, method, reason, cause })
}
