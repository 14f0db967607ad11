// Tokens signed with the key of a SPIFFE certificate: networkservicemesh/sdk, pkg/tools/spiffejwt (2026-11).
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { compactVerify, SignJWT } from 'jose'
import { ConfigInvalid } from '../../../core/errors.ts'
import { timestampOf } from '../../../core/wire/nsm/well-known.ts'
import type { Clock } from '../../clock.ts'
import { certificateOf } from '../../grpc/caller.ts'
import type { CertificatePair, CertificateSource } from '../../tls.ts'
import type { Tokens } from './token.ts'

const algorithm = 'ES256'

export interface SpiffeTokens {
  readonly certificate: CertificateSource
  /** The longest that one is good for; never longer than either certificate. */
  readonly lifeMs: number
  readonly clock: Clock
}

/** @throws ConfigInvalid where the certificate names no SPIFFE id, or its key is none for ES256 */
export function spiffeTokens({ certificate, lifeMs, clock }: SpiffeTokens): Tokens {
  let signer = signerOf(certificate.current())
  certificate.on((now) => {
    signer = signerOf(now)
  })
  return {
    async make(audience) {
      const { id, key, endsMs } = signer
      const ends = Math.min(clock.now() + lifeMs, endsMs)
      const claims = new SignJWT({ sub: id, exp: Math.floor(ends / 1000), ...(audience && { aud: [audience.spiffeId] }) })
      const token = await claims.setProtectedHeader({ alg: algorithm, typ: 'JWT' }).sign(key)
      return { token, expires: timestampOf(Math.min(ends, audience?.endsMs ?? ends)) }
    },
  }
}

function signerOf(pair: CertificatePair) {
  const { spiffeId: id, until: endsMs } = certificateOf(new X509Certificate(pair.cert))
  if (id === undefined)
    throw new ConfigInvalid({ name: 'the certificate', reason: 'has to name one SPIFFE id, as URI among its alternative names' })
  const key = createPrivateKey(pair.key)
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new ConfigInvalid({ name: `the key of ${id}`, reason: `has to be one on P-256: tokens are signed with ${algorithm}` })
  return { id, key, endsMs }
}

/** Whether the key of that certificate has signed it, with ES256. Its end is not looked at. */
export const isSignedBy = (token: string, { publicKey }: X509Certificate): Promise<boolean> =>
  compactVerify(token, publicKey, { algorithms: [algorithm] }).then(
    () => true,
    () => false,
  )
