// Standard Webhooks 1.0.0: how a receiver knows that it was us, and that nothing was changed on the way.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { ConfigInvalid } from '../../core/errors.ts'

const prefix = 'whsec_'

/**
 * Secrets as bytes, from `whsec_` and base64; several, apart by spaces, while one is being replaced.
 *
 * @throws ConfigInvalid, without saying the secret
 */
export function readSecrets(text: string | undefined): readonly Buffer[] {
  return (text ?? '').split(/\s+/).filter((part) => part !== '').map((part) => {
    const bytes = Buffer.from(part.slice(prefix.length), 'base64')
    const wellFormed = part.startsWith(prefix) && bytes.toString('base64').replace(/=+$/, '') === part.slice(prefix.length).replace(/=+$/, '')
    if (!wellFormed || bytes.length < 24 || bytes.length > 64) throw new ConfigInvalid({ name: 'MEGREZ_CALLBACK_SECRET', reason: 'each secret is whsec_ and the base64 of 24 to 64 bytes' })
    return bytes
  })
}

/** The header `webhook-signature`: one signature for each secret, the receiver takes any. */
export function signatures(secrets: readonly Uint8Array[], id: string, timestampSeconds: number, body: string): string {
  return secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`).join(' ')
}

/** Made once: a key out of bytes costs as much as the signature. */
const keys = new WeakMap<Uint8Array, KeyObject>()

function keyOf(secret: Uint8Array): KeyObject {
  const known = keys.get(secret)
  if (known !== undefined) return known
  const made = createSecretKey(secret)
  keys.set(secret, made)
  return made
}
