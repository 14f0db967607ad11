// Who sends events, by the word of the Cloud's own Keystone: whose a token is is known for a while, and asked no faster than this, so that
// whoever shows tokens of their own making keeps neither Keystone nor us from anything else.
import { createHash } from 'node:crypto'
import type { CloudDriver, TokenBearer } from '../../core/contracts/cloud.ts'
import { limited, type Clock } from '../../platform/clock.ts'
import { Limits } from '../../platform/http/limits.ts'

export interface ShownToken {
  /** UID of the Cloud. */
  readonly cloud: string
  readonly token: string
  /** Address that it comes from. */
  readonly from: string
}
export type Sender = { readonly bearer: TokenBearer | undefined } | { readonly refused: 'limited' }

interface KnownToken {
  readonly bearer: TokenBearer
  /** Milliseconds of the clock's elapsed(). */
  readonly until: number
}

/** A token that is revoked is taken for so long. */
const knownMs = 30_000
const knownMost = 1_000
/** Keystone is asked of new tokens so often a second; of each at once twice as many. */
const ofOneAddress = 5
const ofOneCloud = 20
/** Who sends waits no longer: Neutron's notifier gives up after some seconds too. */
const askMs = 10_000

export class Senders {
  readonly #clock: Clock
  readonly #known = new Map<string, KnownToken>()
  /** Those that are asked of just now. */
  readonly #asked = new Map<string, Promise<TokenBearer | undefined>>()
  readonly #ofAddress: Limits
  readonly #ofCloud: Limits

  constructor(clock: Clock) {
    this.#clock = clock
    this.#ofAddress = new Limits(ofOneAddress, clock)
    this.#ofCloud = new Limits(ofOneCloud, clock)
  }

  /** @throws CloudUnreachable where Keystone does not say */
  async of({ cloud, token, from }: ShownToken, ask: NonNullable<CloudDriver['bearer']>): Promise<Sender> {
    const key = createHash('sha256').update(`${cloud}\0${token}`).digest('base64')
    const known = this.#known.get(key)
    if (known !== undefined && known.until > this.#clock.elapsed()) return { bearer: known.bearer }
    const pending = this.#asked.get(key)
    if (pending !== undefined) return { bearer: await pending }
    // Of a token that was somebody's it is asked anew whoever floods meanwhile.
    if (known === undefined && !(this.#ofAddress.take(from) && this.#ofCloud.take(cloud))) return { refused: 'limited' }
    const answer = limited(askMs, this.#clock, (late) => ask(token, late))
    this.#asked.set(key, answer)
    try {
      return { bearer: this.#learnt(key, await answer) }
    } finally {
      this.#asked.delete(key)
    }
  }

  /** What is nobody's is forgotten. */
  #learnt(key: string, bearer: TokenBearer | undefined): TokenBearer | undefined {
    this.#known.delete(key)
    if (bearer === undefined) return undefined
    if (this.#known.size >= knownMost) this.#known.delete(this.#known.keys().next().value ?? '')
    this.#known.set(key, { bearer, until: this.#clock.elapsed() + knownMs })
    return bearer
  }
}
