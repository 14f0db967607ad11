// MTUs of networks: a port does not say the one of its network.
import type { Clock } from '../../../../../platform/clock.ts'
import { untilAborted } from '../../../openstack/until-aborted.ts'
import type { Caller, NeutronApi } from '../api.ts'
import { SharedReading } from './reading.ts'

/** Changed seldom, and told to pods that come after. */
const goodForMs = 60_000
const networksMost = 10_000

export class Mtus {
  readonly #api: NeutronApi
  readonly #clock: Clock
  readonly #known = new Map<string, SharedReading<number | undefined>>()

  constructor(api: NeutronApi, clock: Clock) {
    this.#api = api
    this.#clock = clock
  }

  /** Bytes of a packet; undefined: the network is not to be seen, or says none. */
  of(network: string, { tenant, signal }: Caller): Promise<number | undefined> {
    const { recent } = this.#known.get(network) ?? {}
    if (recent !== undefined) return untilAborted(signal, recent)
    if (this.#known.size >= networksMost) this.#known.clear()
    const reading = new SharedReading<number | undefined>(this.#clock, goodForMs)
    this.#known.set(network, reading)
    return reading.read((until) => this.#read(network, { tenant, signal: until }), signal)
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
