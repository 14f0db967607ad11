// Why no answer came from where a user says: in a word, and in words for whoever looks after the receiver.
import type { Receipt } from '../../../core/contracts/notifier.ts'
import { TargetForbidden } from '../../../core/errors.ts'
import type { DeliveryObstacle } from '../../../core/kinds/notify/outcomes.ts'

const unknownAuthority = 'its certificate is signed by no authority that we know: name that in spec.ca, or have it signed by a public one'

type Words = readonly [obstacle: DeliveryObstacle, words: string]

/** By the code that Node.js gives: TLS as OpenSSL's X509 errors have it, the others as libuv has them. */
const byCode: Readonly<Record<string, Words>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ['untrusted', 'its certificate is signed by itself: name it in spec.ca, or have it signed by an authority'],
  SELF_SIGNED_CERT_IN_CHAIN: ['untrusted', unknownAuthority],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['untrusted', unknownAuthority],
  UNABLE_TO_GET_ISSUER_CERT: ['untrusted', unknownAuthority],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['untrusted', unknownAuthority],
  ERR_TLS_CERT_ALTNAME_INVALID: ['untrusted', 'its certificate is of another name'],
  CERT_HAS_EXPIRED: ['untrusted', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['untrusted', 'its certificate is not valid yet'],
  ECONNREFUSED: ['unreachable', 'nobody listens there'],
  ECONNRESET: ['broken', 'it ended the connection'],
  ENOTFOUND: ['unknown-name', 'its name is not known'],
  EAI_AGAIN: ['unknown-name', 'its name could not be asked for'],
  EHOSTUNREACH: ['unreachable', 'there is no way to its address'],
  ENETUNREACH: ['unreachable', 'there is no way to its address'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['no-tls', 'it does not speak TLS there'],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['no-tls', 'it does not speak TLS there'],
}

/** What went wrong on the way, with what the library says of it. */
export function errorText({ code, message }: Pick<NodeJS.ErrnoException, 'code' | 'message'>): string {
  const words = code === undefined ? undefined : byCode[code]?.[1]
  return words === undefined ? message : `${words} (${message})`
}

export const deliveryObstacleOf = (code: string): DeliveryObstacle => byCode[code]?.[0] ?? 'unreachable'

/** Whoever was connected and gave no whole answer is slow or broken; that is the receiver's, not its host's. */
const tooLate = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])
const afterConnecting = new Set([
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
])

export function failureOf(err: unknown): Exclude<Receipt, { readonly status: number }> {
  if (err instanceof TargetForbidden) return { kind: 'forbidden', reason: err.message }
  const { code = '', name } = err as NodeJS.ErrnoException
  const reason = errorText(err as NodeJS.ErrnoException)
  if (name === 'TimeoutError' || name === 'AbortError' || tooLate.has(code)) return { kind: 'slow', reason, obstacle: 'slow' }
  if (afterConnecting.has(code) || code.startsWith('HPE_')) return { kind: 'slow', reason, obstacle: 'broken' }
  return { kind: 'unreachable', reason, obstacle: deliveryObstacleOf(code) }
}
