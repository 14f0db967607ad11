// Why a receiver has not taken something, in words for whoever looks after it.
import type { Receipt } from '../../../core/contracts/notifier.ts'
import type { DeliveryObstacle, Outcome } from '../../../core/kinds/notify/outcomes.ts'

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

/** What became of it in one word. */
export function outcomeOf(receipt: Receipt): Outcome {
  if (receipt.kind === 'refused') return isRedirect(receipt.status) ? 'redirected' : 'refused'
  return ('obstacle' in receipt ? receipt.obstacle : undefined) ?? receipt.kind
}

const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Undefined where it has. */
export function reasonOf(receipt: Receipt): string | undefined {
  switch (receipt.kind) {
    case 'accepted':
      return undefined
    case 'refused':
      return isRedirect(receipt.status)
        ? `it answered ${receipt.status}, and no redirect is followed: name the place itself`
        : `it answered ${receipt.status}`
    case 'forbidden':
      return `it may not be reached: ${receipt.reason}`
    case 'slow':
      return `${receipt.obstacle === 'broken' ? 'it was connected, and gave no answer' : 'it was connected, and has not answered'}: ${receipt.reason}`
    case 'unreachable':
      return `it was not reached: ${receipt.reason}`
  }
}
