// HTTPS whose certificate may change while connections stand.
import type { FastifyInstance } from 'fastify'
import type { CertificatePair, CertificateSource } from '../platform/tls.ts'

/** @param clientCa PEM of who signs clients' certificates; one that he has not signed is a stranger's, not an error */
const optionsOf = ({ key, cert }: CertificatePair, clientCa: string | undefined): object => ({ key, cert, minVersion: 'TLSv1.2', ...(clientCa !== undefined && { ca: clientCa, requestCert: true, rejectUnauthorized: false }) })

/** What Fastify is made with; nothing where there is no certificate, which makes it plain HTTP. */
export const httpsOf = (certificate: CertificateSource | undefined, clientCa?: string): object => (certificate === undefined ? {} : { https: optionsOf(certificate.current(), clientCa) })

/** New connections get the new certificate; those that stand go on. */
export function followCertificate(app: FastifyInstance, certificate: CertificateSource | undefined, clientCa?: string): void {
  const forget = certificate?.on((now) => {
    const { server } = app
    if ('setSecureContext' in server && typeof server.setSecureContext === 'function') server.setSecureContext(optionsOf(now, clientCa))
  })
  app.addHook('onClose', async () => forget?.())
}
