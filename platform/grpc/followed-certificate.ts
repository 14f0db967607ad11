// The certificate that a gRPC server shows, which may change while it runs.
import type { SecureContextOptions } from 'node:tls'
import { ServerCredentials } from '@grpc/grpc-js'
import type { CertificatePair, CertificateSource } from '../tls.ts'

/** Who has begun a handshake has this long to end it. */
const handshakeMs = 10_000

const contextOf = ({ key, cert, clientCa }: CertificatePair): SecureContextOptions => ({ key, cert, ...(clientCa && { ca: clientCa }) })

/** Connections that stand go on with the certificate that they have seen. */
class FollowedCertificate extends ServerCredentials {
  constructor(source: CertificateSource) {
    const first = source.current()
    const asksForOne = first.clientCa !== undefined
    const options = { requestCert: asksForOne, rejectUnauthorized: asksForOne, minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs }
    super(options as ConstructorParameters<typeof ServerCredentials>[0], contextOf(first))
    source.on((now) => this.updateSecureContextOptions(contextOf(now)))
  }

  _equals(other: ServerCredentials): boolean {
    return this === other
  }
}

/** @param source absent: in the clear; where it brings `clientCa`, nobody is heard without a certificate that it has signed */
export const credentialsOf = (source: CertificateSource | undefined): ServerCredentials =>
  source === undefined ? ServerCredentials.createInsecure() : new FollowedCertificate(source)
