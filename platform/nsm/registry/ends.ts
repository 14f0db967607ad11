// When the endpoints end that this process has registered. What is stored of it is later, so that not every refresh is written; who
// registers at another process is written there, and so ends here.
import { keyOfItem, type Resource, type SpecOf } from '../../../core/kinds/index.ts'
import type { Timestamp } from '../../../core/wire/nsm/well-known.ts'
import type { Clock } from '../../clock.ts'

type Endpoint = Resource<'NetworkServiceEndpoint'>

interface End {
  readonly item: Endpoint
  readonly at: Timestamp
  readonly cancel: () => void
}

export class Ends {
  readonly #clock: Clock
  readonly #over: (item: Endpoint) => void
  readonly #ends = new Map<string, End>()

  /** @param over is called once its time is over, with what was registered last */
  constructor(clock: Clock, over: (item: Endpoint) => void) {
    this.#clock = clock
    this.#over = over
  }

  /** Whether we have registered that very state of it. */
  has(item: Endpoint): boolean {
    return this.#ends.get(keyOfItem(item))?.item.metadata.resourceVersion === item.metadata.resourceVersion
  }

  /** @param at what clients are told @param removalMs since 1970 */
  set(item: Endpoint, at: Timestamp, removalMs: number): void {
    const key = keyOfItem(item)
    this.#ends.get(key)?.cancel()
    const cancel = this.#clock.after(Math.max(0, removalMs - this.#clock.now()), () => {
      this.#ends.delete(key)
      this.#over(item)
    })
    this.#ends.set(key, { item, at, cancel })
  }

  /** With its true end, where that is ours to say. */
  shown(item: Endpoint): SpecOf<'NetworkServiceEndpoint'> {
    const end = this.#ends.get(keyOfItem(item))
    if (end === undefined) return item.spec
    if (this.has(item)) return { ...item.spec, expiration_time: end.at }
    end.cancel()
    this.#ends.delete(keyOfItem(item))
    return item.spec
  }

  stop(): void {
    for (const { cancel } of this.#ends.values()) cancel()
    this.#ends.clear()
  }
}
