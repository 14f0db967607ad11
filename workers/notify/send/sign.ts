// Standard Webhooks 1.0.0: how a receiver knows that it was us, and that nothing was changed on the way.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** The header `webhook-signature`: one signature for each secret, the receiver takes any. */
export function signatures(secrets: readonly Uint8Array[], id: string, timestampSeconds: number, body: string): string {
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestampSeconds}.${body}`).digest('base64')}`)
    .join(' ')
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
