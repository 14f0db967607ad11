// Who may want the same item of a data plane: whatever has an address or a MAC of a VNI in common. Ports, Segments (by their gateways) and
// endpoints are told of by different watches, so that for a while one address may be here, a gateway's and on another node.
import type { Endpoint, LocalPort, Segment } from '../../node/wanted.ts'
import type { PieceChange, PieceChanges } from './change.ts'

export class SharedNames {
  readonly #all = new Set<string>()

  /** Of all that changed, as it was and as it is. */
  constructor({ ports, segments, endpoints }: PieceChanges) {
    for (const { port } of ports.flatMap(both)) this.#add(ofPort(port))
    for (const segment of segments.flatMap(both)) this.#add(ofSegment(segment))
    for (const endpoint of endpoints.flatMap(both)) this.#add(ofEndpoint(endpoint))
  }

  hasPort(port: LocalPort): boolean {
    return ofPort(port).some((name) => this.#all.has(name))
  }
  hasSegment(segment: Segment): boolean {
    return ofSegment(segment).some((name) => this.#all.has(name))
  }
  hasEndpoint(endpoint: Endpoint): boolean {
    return ofEndpoint(endpoint).some((name) => this.#all.has(name))
  }
  /** VNI → addresses and MACs. */
  byVni(): ReadonlyMap<number, { readonly addresses: readonly string[]; readonly macs: readonly string[] }> {
    const all = new Map<number, { readonly addresses: string[]; readonly macs: string[] }>()
    for (const text of this.#all) {
      const [vni = '', name = ''] = text.split(' ')
      const of = all.get(Number(vni)) ?? { addresses: [], macs: [] }
      all.set(Number(vni), of)
      ;(isMac(name) ? of.macs : of.addresses).push(name)
    }
    return all
  }

  #add(names: readonly string[]): void {
    for (const name of names) this.#all.add(name)
  }
}

export const both = <Piece>({ was, is }: PieceChange<Piece>): readonly Piece[] => [...(was === undefined ? [] : [was]), ...(is === undefined ? [] : [is])]

/** Nothing in VLANs is wanted twice. */
const ofPort = ({ attachment, addresses, mac }: LocalPort): readonly string[] => (attachment.kind === 'vni' ? [...addresses, mac].map((name) => `${attachment.vni} ${name}`) : [])
const ofSegment = ({ vni, subnets }: Segment): readonly string[] => subnets.flatMap(({ gateway }) => (gateway === undefined ? [] : [`${vni} ${gateway}`]))
const ofEndpoint = ({ vni, address, mac }: Endpoint): readonly string[] => [`${vni} ${address}`, `${vni} ${mac}`]
const isMac = (name: string): boolean => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(name)
