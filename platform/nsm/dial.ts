// Channels to NSM's programs, by URL. Over TLS a server is known by its SPIFFE id, signed by an authority that is trusted, not by its name.
import { PeerUnavailable } from '../../core/errors.ts'
import { openChannel, type Channel } from '../grpc/channel.ts'
import type { CertificateSource } from '../tls.ts'
import { identityIn, type PeerIdentity } from './identity.ts'

export interface Dialled {
  readonly channel: Channel
  /** Whom a call's token is for; connects first. Undefined in the clear. @throws PeerUnavailable */
  identity(): Promise<PeerIdentity | undefined>
}
export type Dial = (url: string) => Dialled

/** NSM's own default. */
const dialMs = 15_000

/** @param own whose `clientCa` signs servers too, as SPIFFE's bundles do; absent: in the clear */
export const dialler =
  (own: CertificateSource | undefined): Dial =>
  (url) => {
    const target = url.replace(/^tcp:\/\//, '').replace(/^unix:\/\//, 'unix:')
    if (own === undefined) return { channel: openChannel({ target }), identity: () => Promise.resolve(undefined) }
    const { key, cert, clientCa } = own.current()
    let server: PeerIdentity | undefined
    const channel = openChannel({
      target,
      tls: {
        pair: { key, cert },
        ...(clientCa !== undefined && { ca: clientCa }),
        known: (certificate) => {
          server = identityIn(certificate)
          if (server === undefined) throw new PeerUnavailable({ target, method: 'TLS', reason: 'its certificate has no SPIFFE id' })
        },
      },
    })
    return {
      channel,
      async identity() {
        if (server === undefined) await channel.ready(dialMs)
        return server
      },
    }
  }
