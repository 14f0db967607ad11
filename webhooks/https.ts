// HTTPS whose certificate may change while connections stand.
import type { FastifyInstance } from 'fastify'
import type { CertificatePair, CertificateSource } from '../platform/tls.ts'

const optionsOf = ({ key, cert }: CertificatePair): { readonly key: string; readonly cert: string; readonly minVersion: 'TLSv1.2' } => ({ key, cert, minVersion: 'TLSv1.2' })

/** What Fastify is made with; nothing where there is no certificate, which makes it plain HTTP. */
export const httpsOf = (certificate: CertificateSource | undefined): object => (certificate === undefined ? {} : { https: optionsOf(certificate.current()) })

/** New connections get the new certificate; those that stand go on. */
export function followCertificate(app: FastifyInstance, certificate: CertificateSource | undefined): void {
  const forget = certificate?.on((now) => {
    const { server } = app
    if ('setSecureContext' in server && typeof server.setSecureContext === 'function') server.setSecureContext(optionsOf(now))
  })
  app.addHook('onClose', async () => forget?.())
}
