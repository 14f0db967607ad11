// Pairs of addresses for the two ends of connections, the lowest that are free, as networkservicemesh/sdk's pkg/tools/ippool and
// pkg/networkservice/ipam/point2pointipam give them out (2026-11): the endpoint's first, then the client's.
import { contains, type Cidr } from '../../net/cidr.ts'
import { parseIp, printIp, type Ip } from '../../net/ip.ts'

export interface Pair {
  readonly client: string
  readonly endpoint: string
}

/** What is free of one block; addresses as `10.60.1.0/32`. It costs what is taken, never what the block's size is. */
export class AddressPool {
  readonly block: Cidr
  readonly #taken = new Set<bigint>()
  /** Nothing below it is free. */
  #lowest: bigint

  constructor(block: Cidr) {
    this.block = block
    this.#lowest = block.first
  }

  /** Undefined where fewer than two are free outside of what is excluded. */
  takePair(excluded: readonly Cidr[]): Pair | undefined {
    const endpoint = this.#free(this.#lowest, excluded)
    const client = endpoint === undefined ? undefined : this.#free(endpoint + 1n, excluded)
    if (endpoint === undefined || client === undefined) return undefined
    this.#take(endpoint)
    this.#take(client)
    return { client: this.#print(client), endpoint: this.#print(endpoint) }
  }

  /** The first client's and the first endpoint's address that are free here; undefined, and nothing taken, where one of both is none. */
  takeAgain(clients: readonly string[], endpoints: readonly string[], excluded: readonly Cidr[]): Pair | undefined {
    const free = (texts: readonly string[], but?: bigint): bigint | undefined =>
      texts.map((text) => this.#own(text)).find((value) => value !== undefined && value !== but && this.#isFree(value, excluded))
    const client = free(clients)
    const endpoint = free(endpoints, client)
    if (client === undefined || endpoint === undefined) return undefined
    this.#take(client)
    this.#take(endpoint)
    return { client: this.#print(client), endpoint: this.#print(endpoint) }
  }

  /** What is not of this block, or is free already, is left alone. */
  give({ client, endpoint }: Pair): void {
    for (const value of [client, endpoint].map((text) => this.#own(text))) {
      if (value === undefined || !this.#taken.delete(value)) continue
      if (value < this.#lowest) this.#lowest = value
    }
  }

  #free(from: bigint, excluded: readonly Cidr[]): bigint | undefined {
    let value = from
    while (value <= this.block.last) {
      const over = this.#taken.has(value) ? value : coverOf(this.#ip(value), excluded)
      if (over === undefined) return value
      value = over + 1n
    }
    return undefined
  }

  #isFree = (value: bigint, excluded: readonly Cidr[]): boolean =>
    !this.#taken.has(value) && coverOf(this.#ip(value), excluded) === undefined

  #take(value: bigint): void {
    this.#taken.add(value)
    while (this.#taken.has(this.#lowest)) this.#lowest++
  }

  #own(text: string): bigint | undefined {
    const ip = addressOf(text)
    return ip !== undefined && contains(this.block, ip) ? ip.value : undefined
  }
  #ip = (value: bigint): Ip => ({ family: this.block.family, value })
  #print = (value: bigint): string => `${printIp(this.#ip(value))}/${this.block.family === 4 ? 32 : 128}`
}

/** Of `address/length` or an address. */
export const addressOf = (text: string): Ip | undefined => parseIp(text.split('/', 1)[0] ?? '')

/** The last address of the excluded block that an address is in. */
const coverOf = (ip: Ip, excluded: readonly Cidr[]): bigint | undefined => excluded.find((block) => contains(block, ip))?.last
