// Who is at the other end, by its certificate: what its tokens are signed by is in there.
import type { X509Certificate } from 'node:crypto'
import type { CallerCertificate, ServedCall } from '../grpc/caller.ts'
import type { Identity } from './tokens/token.ts'

export interface PeerIdentity extends Identity {
  readonly x509: X509Certificate
}

/** Undefined where it says none. */
export const identityIn = ({ spiffeId, until, x509 }: CallerCertificate): PeerIdentity | undefined =>
  spiffeId === undefined ? undefined : { spiffeId, endsMs: until, x509 }

export const identityOf = ({ caller: { certificate } }: ServedCall): PeerIdentity | undefined => certificate && identityIn(certificate)
