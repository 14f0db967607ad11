// What this node should carry, piece by piece, and which pieces have changed since they were last applied. A piece is small
// and shared with nobody; what it is rendered to is never kept: of a hundred thousand endpoints only this is in memory.
import { Endpoints, type EndpointsSeen } from '../core/node/endpoints.ts'
import type { Endpoint, LocalPort, Segment } from '../core/node/wanted.ts'
import type { PieceChange, PieceChanges } from '../core/plan/node/change.ts'
import { both, SharedNames } from '../core/plan/node/shared-names.ts'
import type { Walkable } from '../core/plan/node/items.ts'
import { sameJson } from '../core/same-json.ts'

export class Pieces {
  readonly #ports = new Map<string, LocalPort>()
  readonly #segments = new Map<number, Segment>()
  readonly #endpoints = new Map<number, Endpoints>()
  /** VNI → how many of them are IPv6. */
  readonly #inV6 = new Map<number, number>()
  readonly #appliedPorts = new Map<string, LocalPort | undefined>()
  readonly #appliedSegments = new Map<number, Segment | undefined>()
  readonly #appliedEndpoints = new Map<number, Map<string, Endpoint | undefined>>()
  #learned = false
  readonly #changed: () => void

  /** @param changed called at each change: it asks for an apply soon */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  get ports(): ReadonlyMap<string, LocalPort> {
    return this.#ports
  }
  get segments(): ReadonlyMap<number, Segment> {
    return this.#segments
  }
  /** The endpoints of one VNI, by address. */
  endpointsOf(vni: number): EndpointsSeen {
    return this.#endpoints.get(vni) ?? none
  }
  get endpointCount(): number {
    let count = 0
    for (const each of this.#endpoints.values()) count += each.size
    return count
  }

  /** Whether anything has changed since it was last taken. */
  get isChanged(): boolean {
    return this.#appliedPorts.size + this.#appliedSegments.size + this.#appliedEndpoints.size > 0
  }

  /** Whether the data plane lacks anything that is known here by now. */
  get isAhead(): boolean {
    return this.isChanged || this.#learned
  }

  setPort(uid: string, port: LocalPort | undefined): void {
    if (set({ there: this.#ports, applied: this.#appliedPorts }, uid, port)) this.#changed()
  }

  setSegment(vni: number, segment: Segment | undefined): void {
    if (set({ there: this.#segments, applied: this.#appliedSegments }, vni, segment)) this.#changed()
  }

  setEndpoint(vni: number, address: string, endpoint: Endpoint | undefined): void {
    const was = this.#endpoints.get(vni)?.get(address)
    if (sameJson(was, endpoint)) return
    const applied = this.#appliedEndpoints.get(vni) ?? new Map<string, Endpoint | undefined>()
    if (!applied.has(address)) applied.set(address, was)
    this.#appliedEndpoints.set(vni, applied)
    this.#keep(vni, address, { was, is: endpoint })
    this.#changed()
  }

  /** As `setEndpoint`, of very many, after which everything is compared: no change is made of each. */
  learnEndpoint(endpoint: Endpoint): void {
    const { vni, address } = endpoint
    this.#keep(vni, address, { was: this.#endpoints.get(vni)?.get(address), is: endpoint })
    this.#learned = true
  }

  #keep(vni: number, address: string, { was, is }: PieceChange<Endpoint>): void {
    const there = this.#endpoints.get(vni) ?? new Endpoints(vni)
    if (is === undefined) there.delete(address)
    else there.set(is)
    if (isV6(address)) this.#inV6.set(vni, (this.#inV6.get(vni) ?? 0) + Number(is !== undefined) - Number(was !== undefined))
    if (there.size === 0) this.#endpoints.delete(vni)
    else this.#endpoints.set(vni, there)
  }

  /** All of it, as one node. Endpoints are looked through, not copied. */
  wanted(): Walkable {
    return { ports: this.#ports, segments: this.#segments, endpoints: { values: () => this.#everyEndpoint() } }
  }

  *#everyEndpoint(): Generator<Endpoint, void, undefined> {
    for (const each of this.#endpoints.values()) yield* each.values()
  }

  /** What has changed counts as applied. */
  forget(): void {
    this.#appliedPorts.clear()
    this.#appliedSegments.clear()
    this.#appliedEndpoints.clear()
    this.#learned = false
  }

  /**
   * What has changed since this was asked last, at most so many endpoints of it; from now on it counts as applied. With it comes whoever has
   * a name in common with it, as it is there: what has still to be applied of that is not part of this.
   */
  take(endpointsMax: number): PieceChanges {
    // A port is rendered with as much of its Segment as concerns it: not anew for each node that comes or goes.
    const others = new Set([...this.#appliedSegments].filter(([vni, was]) => !sameToPorts(was, this.#segments.get(vni))).map(([vni]) => vni))
    for (const port of this.#ports.values()) if (port.attachment.kind === 'vni' && others.has(port.attachment.vni) && !this.#appliedPorts.has(port.uid)) this.#appliedPorts.set(port.uid, port)
    const changed: PieceChanges = {
      ports: [...this.#appliedPorts].map(([uid, was]) => ({ was: was && { port: was, segment: this.#segmentWas(was) }, is: this.#withSegment(this.#ports.get(uid)) })),
      segments: [...this.#appliedSegments].map(([vni, was]) => ({ was, is: this.#segments.get(vni) })),
      endpoints: this.#takeEndpoints(endpointsMax),
    }
    const all = this.#withNamesakes(changed)
    this.#appliedPorts.clear()
    this.#appliedSegments.clear()
    return all
  }

  #withNamesakes(changed: PieceChanges): PieceChanges {
    const names = new SharedNames(changed)
    const ports = [...this.#ports.values()].filter((port) => !this.#appliedPorts.has(port.uid) && names.hasPort(port)).map((port) => this.#withSegment(port)!)
    const segments = [...this.#segments.values()].filter((segment) => !this.#appliedSegments.has(segment.vni) && names.hasSegment(segment))
    const known = new Set(changed.endpoints.flatMap(both).map(placeOf))
    const endpoints = [...this.#applied(names)].filter((endpoint) => !known.has(placeOf(endpoint)))
    return { ports: [...changed.ports, ...ports.map(asItWas)], segments: [...changed.segments, ...segments.map(asItWas)], endpoints: [...changed.endpoints, ...endpoints.map(asItWas)] }
  }

  /** The endpoints with one of these names that are in the data plane. */
  *#applied(names: SharedNames): Generator<Endpoint, void, undefined> {
    const found = new Map<string, Endpoint>()
    const find = (there: Endpoint | undefined): unknown => there && !this.#isPending(there) && found.set(placeOf(there), there)
    for (const [vni, { macs, addresses }] of names.byVni()) {
      for (const address of addresses) find(this.endpointsOf(vni).get(address))
      if (this.#mayShare(vni, addresses)) for (const there of (this.#endpoints.get(vni) ?? none).withMacs(macs)) find(there)
    }
    yield* found.values()
    for (const pending of this.#appliedEndpoints.values()) for (const was of pending.values()) if (was !== undefined && names.hasEndpoint(was)) yield was
  }

  #isPending({ vni, address }: Endpoint): boolean {
    return this.#appliedEndpoints.get(vni)?.has(address) === true
  }

  /** More than one address has one MAC only where both families are in use. @param addresses in use too, or until now */
  #mayShare(vni: number, addresses: readonly string[]): boolean {
    const [inV6, all] = [this.#inV6.get(vni) ?? 0, this.endpointsOf(vni).size]
    return all > 0 && !((inV6 === 0 && !addresses.some(isV6)) || (inV6 === all && addresses.every(isV6)))
  }

  #takeEndpoints(most: number): PieceChanges['endpoints'] {
    const taken: PieceChange<Endpoint>[] = []
    for (const [vni, applied] of this.#appliedEndpoints) {
      for (const [address, was] of applied) {
        if (taken.length >= most) return taken
        applied.delete(address)
        taken.push({ was, is: this.#endpoints.get(vni)?.get(address) })
      }
      this.#appliedEndpoints.delete(vni)
    }
    return taken
  }

  #withSegment(port: LocalPort | undefined): { readonly port: LocalPort; readonly segment: Segment | undefined } | undefined {
    return port && { port, segment: port.attachment.kind === 'vni' ? this.#segments.get(port.attachment.vni) : undefined }
  }
  #segmentWas({ attachment }: LocalPort): Segment | undefined {
    if (attachment.kind !== 'vni') return undefined
    return this.#appliedSegments.has(attachment.vni) ? this.#appliedSegments.get(attachment.vni) : this.#segments.get(attachment.vni)
  }
}

const none = new Endpoints(0)

const isV6 = (address: string): boolean => address.includes(':')
const placeOf = ({ vni, address }: Pick<Endpoint, 'vni' | 'address'>): string => `${vni} ${address}`
const asItWas = <Piece>(piece: Piece): PieceChange<Piece> => ({ was: piece, is: piece })

const sameToPorts = (a: Segment | undefined, b: Segment | undefined): boolean => a?.flood === b?.flood && sameJson(a?.subnets, b?.subnets)

/** Sets or deletes; remembers what was applied. Says whether anything changed. */
function set<K, Piece>({ there, applied }: { readonly there: Map<K, Piece>; readonly applied: Map<K, Piece | undefined> }, key: K, piece: Piece | undefined): boolean {
  const was = there.get(key)
  if (sameJson(was, piece)) return false
  if (!applied.has(key)) applied.set(key, was)
  if (piece === undefined) there.delete(key)
  else there.set(key, piece)
  return true
}
