// Who calls, by the client certificate of the connection: CN (else the first URI, as a SPIFFE ID is) is the subject, each O that is a
// word of a role is granted, as `megrez:operator:blue`.
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls'
import { grantOf } from '../../core/admit/rest/roles.ts'
import type { Caller } from './auth.ts'

const known = new WeakMap<object, Caller | 'nobody'>()

/** Undefined: plain HTTP, no certificate, one of a stranger, expired, or without a role. */
export function callerOfCertificate(socket: object, now: number): Caller | undefined {
  const held = known.get(socket)
  const caller = held ?? read(socket) ?? 'nobody'
  if (held === undefined) known.set(socket, caller)
  return caller === 'nobody' || caller.until <= now ? undefined : caller
}

const isVerified = (socket: object): socket is TLSSocket => 'authorized' in socket && socket.authorized === true

function read(socket: object): Caller | undefined {
  if (!isVerified(socket)) return undefined
  const certificate = socket.getPeerCertificate() as DetailedPeerCertificate & {
    readonly subject?: Readonly<Record<string, string | readonly string[] | undefined>>
  }
  const { CN, O = [] } = (certificate.subject ?? {}) as Readonly<Record<string, string | readonly string[] | undefined>>
  const subject = textOf(CN) ?? uriIn(certificate.subjectaltname)
  const grants = [O]
    .flat()
    .map(grantOf)
    .filter((each) => each !== undefined)
  // An agent is one node's, and says which in its token.
  const able = grants.filter(({ role }) => role !== 'agent')
  if (subject === undefined || able.length === 0) return undefined
  return { subject, issuer: 'certificate', grants: able, until: Date.parse(certificate.valid_to) }
}

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 256 ? value : undefined
const uriIn = (names: string | undefined): string | undefined => /(?:^|, )URI:([^\s,"]{1,256})/.exec(names ?? '')?.[1]
