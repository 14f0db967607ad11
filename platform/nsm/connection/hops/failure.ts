// What a call to the next hop fails with: the status that it got, and how Go's programs print one.
import { status, type ServiceError } from '@grpc/grpc-js'
import { ChainRefused, messageOf, PeerUnavailable } from '../../../../core/errors.ts'

/** Names of codes as google.golang.org/grpc/codes prints them. */
const names = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
]

/** The status of a failed call; undefined for what is none. */
export function statusOf(err: unknown): { readonly code: status; readonly details: string } | undefined {
  const cause = (err instanceof Error ? err.cause : undefined) as Partial<ServiceError> | undefined
  return typeof cause?.code === 'number' ? { code: cause.code, details: inGoWords(cause.details ?? '') } : undefined
}

/** Clients and tests of NSM know the sentence by which Go says that nobody listens. */
const inGoWords = (details: string): string =>
  details.replace(
    /^No connection established\. Last error: Error: connect ECONNREFUSED (\S+)\. Resolution note: $/,
    'connection error: desc = "transport: Error while dialing: dial tcp $1: connect: connection refused"',
  )

/** `rpc error: code = Unknown desc = …`; of an error of ours its sentence. */
export function textOf(err: unknown): string {
  const failed = statusOf(err)
  return failed === undefined ? messageOf(err) : `rpc error: code = ${names[failed.code] ?? failed.code} desc = ${failed.details}`
}

/** With what was being done in front, under the same status. */
export function withTextBefore(before: string, err: unknown): Error {
  const [failed, reason] = [statusOf(err), before + textOf(err)]
  if (failed === undefined) return new ChainRefused({ reason, cause: err })
  return new PeerUnavailable({ target: 'the next hop', method: 'Close', reason, cause: { code: failed.code, details: reason } })
}
