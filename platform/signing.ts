// What callbacks are signed with. One secret is configured, and each namespace has its own, derived from that: whoever can verify the
// callbacks of one namespace can forge none of another.
import { hkdfSync } from 'node:crypto'
import { ConfigInvalid } from '../core/errors.ts'

const prefix = 'whsec_'
const secretBytes = 32
/** As many namespaces are kept as a large cluster has. */
const keptMax = 16_384

/**
 * Secrets as bytes, from `whsec_` and base64; several, apart by spaces, while one is being replaced.
 *
 * @throws ConfigInvalid, without saying the secret
 */
export function readSecrets(text: string | undefined): readonly Buffer[] {
  return (text ?? '')
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => {
      const bytes = Buffer.from(part.slice(prefix.length), 'base64')
      const wellFormed =
        part.startsWith(prefix) && bytes.toString('base64').replace(/=+$/, '') === part.slice(prefix.length).replace(/=+$/, '')
      if (!wellFormed || bytes.length < 24 || bytes.length > 64)
        throw new ConfigInvalid({ name: 'MEGREZ_CALLBACK_SECRET', reason: 'each secret is whsec_ and the base64 of 24 to 64 bytes' })
      return bytes
    })
}

/** As whoever verifies is given it. */
export const printSecret = (secret: Uint8Array): string => `${prefix}${Buffer.from(secret).toString('base64')}`

/** HKDF (RFC 5869) of the configured one. @param namespace of whoever asked to be told; empty: what is in none */
export function secretOf(configured: Uint8Array, namespace: string): Buffer {
  return Buffer.from(hkdfSync('sha256', configured, 'megrez callbacks 1', `namespace ${namespace}`, secretBytes))
}

/** The same of one Subscription, whose secret was replaced. @param id of the one that it was replaced by */
export const rotatedOf = (configured: Uint8Array, uid: string, id: string): Buffer =>
  Buffer.from(hkdfSync('sha256', configured, 'megrez callbacks 1', `subscription ${uid} ${id}`, secretBytes))

export class NamespaceSecrets {
  readonly #configured: readonly Uint8Array[]
  readonly #shared: boolean
  readonly #signing = new Map<string, readonly Uint8Array[]>()

  /** @param shared whether the configured ones sign too, as they did before there was one for each namespace */
  constructor(configured: readonly Uint8Array[], shared: boolean) {
    this.#configured = configured
    this.#shared = shared
  }

  /** Whether there is anything to sign with. */
  get signs(): boolean {
    return this.#configured.length > 0
  }

  /** A namespace's own: one for each that is configured. */
  own(namespace: string): readonly Buffer[] {
    return this.#configured.map((each) => secretOf(each, namespace))
  }

  /** Of a Subscription whose secret was replaced: one for each that is configured. */
  rotated(uid: string, id: string): readonly Uint8Array[] {
    return this.#kept(`${uid} ${id}`, () => this.#configured.map((each) => rotatedOf(each, uid, id)))
  }

  /** Each signs. The same objects each time, so that keys are made of them once. */
  signing(namespace: string): readonly Uint8Array[] {
    return this.#kept(namespace, () => [...this.own(namespace), ...(this.#shared ? this.#configured : [])])
  }

  #kept(name: string, make: () => readonly Uint8Array[]): readonly Uint8Array[] {
    const known = this.#signing.get(name)
    if (known !== undefined) return known
    const made = make()
    if (this.#signing.size >= keptMax) this.#signing.clear()
    this.#signing.set(name, made)
    return made
  }
}
