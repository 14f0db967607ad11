// A token endpoint and a receiver over TLS that know clients by their certificates alone (RFC 8705).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { issueLeaf, makeAuthority, type Issued } from '../../platform/tls/authority.ts'
import { openReceiver, type Receiver } from './notify-receiver.ts'

export interface BoundSite {
  /** Whom the Subscription has to trust. */
  readonly ca: string
  readonly issuer: Receiver
  readonly receiver: Receiver
  /** A certificate that both know. */
  certificate(): Issued
  close(): Promise<void>
}

const shownBy = (response: ServerResponse): string =>
  createHash('sha256')
    .update((response.socket as TLSSocket).getPeerCertificate().raw)
    .digest('base64url')

export async function openBound(): Promise<BoundSite> {
  const life = { now: Date.now(), ms: 3_600_000 }
  const [theirs, ours] = [makeAuthority('theirs', life), makeAuthority('ours', life)]
  const tls = { ...issueLeaf(theirs, ['127.0.0.1'], life), ca: ours.cert, requestCert: true, rejectUnauthorized: true } as const
  // Bound to the certificate that asked for it (RFC 8705 section 3).
  const issuer = await openReceiver({
    tls,
    answer({ body, headers }, response) {
      assert.equal(headers['authorization'], undefined)
      assert.equal(body, 'grant_type=client_credentials&client_id=megrez%2Fnfv')
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ access_token: `bound.${shownBy(response)}`, token_type: 'Bearer', expires_in: 3600 }))
      return undefined
    },
  })
  const receiver = await openReceiver({
    tls,
    answer: ({ headers }, response) => (headers['authorization'] === `Bearer bound.${shownBy(response)}` ? 204 : 401),
  })
  return {
    ca: theirs.cert,
    issuer,
    receiver,
    certificate: () => issueLeaf(ours, ['megrez.example.org'], life, 'clientAuth'),
    close: async () => void (await Promise.all([issuer.close(), receiver.close()])),
  }
}

/** As whoever asks for a certificate names it: x5t#S256 (RFC 7515 section 4.1.8). */
export const thumbprintOf = ({ cert }: Issued): string =>
  createHash('sha256')
    .update(Buffer.from(cert.replace(/-----[^-]+-----|\s/g, ''), 'base64'))
    .digest('base64url')
