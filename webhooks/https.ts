// HTTPS whose certificate may change while connections stand.
import type { FastifyInstance } from 'fastify'
import type { CertificatePair, CertificateSource } from '../platform/tls.ts'

export interface ClientCa {
  /** PEM of who signs clients' certificates. A source that brings its own uses that. */
  readonly clientCa?: string | undefined
  /** true: a client without a certificate of that authority is refused in the handshake; else it is a stranger, and no error. */
  readonly required?: boolean
}

function optionsOf({ key, cert, clientCa: followed }: CertificatePair, { clientCa = followed, required = false }: ClientCa): object {
  return {
    key,
    cert,
    minVersion: 'TLSv1.2',
    ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: required }),
  }
}

/** What Fastify is made with; nothing where there is no certificate, which makes it plain HTTP. */
export const httpsOf = (certificate: CertificateSource | undefined, client: ClientCa = {}): object =>
  certificate === undefined ? {} : { https: optionsOf(certificate.current(), client) }

/** New connections get the new certificate; those that stand go on. */
export function followCertificate(app: FastifyInstance, certificate: CertificateSource | undefined, client: ClientCa = {}): void {
  const forget = certificate?.on((now) => {
    const { server } = app
    if ('setSecureContext' in server && typeof server.setSecureContext === 'function') server.setSecureContext(optionsOf(now, client))
  })
  app.addHook('onClose', async () => forget?.())
}
