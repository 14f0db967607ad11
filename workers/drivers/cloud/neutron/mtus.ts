// MTUs of networks: a port does not say the one of its network.
import { limited, type Clock } from '../../../../platform/clock.ts'
import { untilAborted } from '../../openstack/until-aborted.ts'
import type { Caller, NeutronApi } from './api.ts'

/** Changed seldom, and told to pods that come after. */
const goodForMs = 60_000
const networksMost = 10_000
const readMs = 50_000

interface MtuReading {
  readonly at: number
  readonly mtu: Promise<number | undefined>
}

export class Mtus {
  readonly #api: NeutronApi
  readonly #clock: Clock
  readonly #known = new Map<string, MtuReading>()

  constructor(api: NeutronApi, clock: Clock) {
    this.#api = api
    this.#clock = clock
  }

  /** Bytes of a packet; undefined: the network is not to be seen, or says none. */
  of(network: string, { tenant, signal }: Caller): Promise<number | undefined> {
    const known = this.#known.get(network)
    const now = this.#clock.elapsed()
    if (known !== undefined && now - known.at < goodForMs) return untilAborted(signal, known.mtu)
    if (this.#known.size >= networksMost) this.#known.clear()
    // For all who ask: nobody's end is the end of it.
    const next: MtuReading = { at: now, mtu: limited(readMs, this.#clock, (until) => this.#read(network, { tenant, signal: until })) }
    this.#known.set(network, next)
    next.mtu.catch(() => {
      if (this.#known.get(network) === next) this.#known.delete(network)
    })
    return untilAborted(signal, next.mtu)
  }

  async #read(network: string, caller: Caller): Promise<number | undefined> {
    const query = [
      ['id', network],
      ['fields', 'mtu'],
    ] as const
    const [found] = await this.#api.list<{ readonly mtu?: number }>('networks', query, caller)
    return found?.mtu
  }
}
