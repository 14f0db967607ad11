// The endpoints of a node by VNI and address: a hundred thousand of them, in one small table for each VNI.
import { Endpoints, type EndpointsSeen } from '../node/endpoints.ts'
import type { Endpoint } from '../node/wanted.ts'
import type { PieceMap } from './kind.ts'

/** `VNI/ADDRESS`. */
export const endpointKey = (vni: number, address: string): string => `${vni}/${address}`

function placeOf(key: string): readonly [vni: number, address: string] {
  const at = key.indexOf('/')
  return [Number(key.slice(0, at)), key.slice(at + 1)]
}

export class EndpointMap implements PieceMap<Endpoint> {
  readonly #byVni = new Map<number, Endpoints>()
  /** VNI → how many of them are IPv6. */
  readonly #inV6 = new Map<number, number>()

  get size(): number {
    let size = 0
    for (const each of this.#byVni.values()) size += each.size
    return size
  }

  /** The endpoints of one VNI, by address. */
  ofVni(vni: number): EndpointsSeen {
    return this.#byVni.get(vni) ?? none
  }

  get(key: string): Endpoint | undefined {
    const [vni, address] = placeOf(key)
    return this.#byVni.get(vni)?.get(address)
  }

  set(_: string, endpoint: Endpoint): void {
    const { vni, address } = endpoint
    const there = this.#byVni.get(vni) ?? new Endpoints(vni)
    this.#byVni.set(vni, there)
    if (isV6(address) && !there.has(address)) this.#countV6(vni, 1)
    there.set(endpoint)
  }

  delete(key: string): void {
    const [vni, address] = placeOf(key)
    const there = this.#byVni.get(vni)
    if (there?.delete(address) !== true) return
    if (isV6(address)) this.#countV6(vni, -1)
    if (there.size === 0) this.#byVni.delete(vni)
  }

  *keys(): Generator<string, void, undefined> {
    for (const [vni, there] of this.#byVni) for (const address of there.keys()) yield endpointKey(vni, address)
  }

  *values(): Generator<Endpoint, void, undefined> {
    for (const there of this.#byVni.values()) yield* there.values()
  }

  *named(names: ReadonlySet<string>): Generator<Endpoint, void, undefined> {
    const found = new Map<string, Endpoint>()
    const find = (there: Endpoint | undefined): unknown => there && found.set(endpointKey(there.vni, there.address), there)
    for (const [vni, { macs, addresses }] of byVni(names)) {
      const there = this.ofVni(vni)
      for (const address of addresses) find(there.get(address))
      if (this.#mayShare(vni, addresses)) for (const each of (this.#byVni.get(vni) ?? none).withMacs(macs)) find(each)
    }
    yield* found.values()
  }

  /** More than one address has one MAC only where both families are in use. @param addresses in use too, or until now */
  #mayShare(vni: number, addresses: readonly string[]): boolean {
    const [inV6, all] = [this.#inV6.get(vni) ?? 0, this.ofVni(vni).size]
    return all > 0 && !((inV6 === 0 && !addresses.some(isV6)) || (inV6 === all && addresses.every(isV6)))
  }

  #countV6(vni: number, by: number): void {
    this.#inV6.set(vni, (this.#inV6.get(vni) ?? 0) + by)
  }
}

const none = new Endpoints(0)
const isV6 = (address: string): boolean => address.includes(':')
const isMac = (name: string): boolean => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(name)

/** VNI → addresses and MACs, of names as nameIn writes them. */
function byVni(
  names: ReadonlySet<string>,
): ReadonlyMap<number, { readonly addresses: readonly string[]; readonly macs: readonly string[] }> {
  const all = new Map<number, { readonly addresses: string[]; readonly macs: string[] }>()
  for (const text of names) {
    const [vni = '', name = ''] = text.split(' ')
    const of = all.get(Number(vni)) ?? { addresses: [], macs: [] }
    all.set(Number(vni), of)
    ;(isMac(name) ? of.macs : of.addresses).push(name)
  }
  return all
}
