// What REST gives out to be sent back to it, signed: it says only what we have said, and only where we have said it.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Store } from '../../core/contracts/store.ts'
import { AlreadyExists, ConfigInvalid, Stale } from '../../core/errors.ts'

/** Bytes of a key, and of what of a signature is shown (RFC 2104, section 5). */
const keyBytes = 32
const shownBytes = 16

export class Signer {
  #key: Buffer

  /** @param key of 32 bytes, the same for all who take what the others gave out */
  constructor(key: Buffer) {
    this.#key = key
  }

  /** @param bound what must be the same when it comes back: its purpose, its caller, its request */
  close(text: string, bound: readonly string[]): string {
    const signature = createHmac('sha256', this.#key)
      .update(JSON.stringify([...bound, text]))
      .digest()
      .subarray(0, shownBytes)
    return `${Buffer.from(text).toString('base64url')}.${signature.toString('base64url')}`
  }

  /** The text, or undefined where we did not give this out, or not for this. */
  open(sealed: string, bound: readonly string[]): string | undefined {
    const text = Buffer.from(sealed.split('.')[0] ?? '', 'base64url').toString()
    const [given, right] = [Buffer.from(sealed), Buffer.from(this.close(text, bound))]
    return given.length === right.length && timingSafeEqual(given, right) ? text : undefined
  }
}

/** The Secret of Megrez's own that holds the key: the chart makes it empty, so that it goes with all else. */
export const signerSecret = 'megrez-rest-seal'
const field = 'key'
const tries = 16

/**
 * The key that all servers on one store share. It is kept in the store: whoever comes first makes it, and it outlives them all.
 *
 * @param draw so many random bytes
 * @throws ConfigInvalid where somebody else has put something there
 */
export async function openSigner(store: Store, namespace: string, draw: (bytes: number) => Buffer): Promise<Signer> {
  const ref = { kind: 'Secret', namespace, name: signerSecret } as const
  for (let n = 1; ; n++) {
    const there = await store.get(ref)
    const text = there?.spec.data[field]
    if (text !== undefined) return new Signer(keyIn(text, namespace))
    const made = { [field]: draw(keyBytes).toString('base64') }
    try {
      if (there === undefined)
        await store.create({ kind: 'Secret', metadata: { namespace, name: signerSecret }, spec: { type: 'Opaque', data: made } })
      else await store.update({ ...there, spec: { ...there.spec, data: { ...there.spec.data, ...made } } })
    } catch (err) {
      // A rival was first: the key that it has made is everybody's.
      if (n === tries || !(err instanceof AlreadyExists || err instanceof Stale)) throw err
    }
  }
}

function keyIn(text: string, namespace: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length === keyBytes) return key
  throw new ConfigInvalid({
    name: `Secret ${namespace}/${signerSecret}`,
    reason: `its ${field} is not ${keyBytes} bytes; delete it and a new one is made, which ends what was given out`,
  })
}
