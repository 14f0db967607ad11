// The VNIs of this node, and the VLANs that are Vpcs: which there are, what is said of their Subnets, and which other nodes share them.
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { isVlanSegment } from '../../core/net/segment.ts'
import { segmentKey, segmentPiece } from '../../core/pieces/segment.ts'
import { segmentFrom, subnetKeyOfPort } from '../../core/plan/node/pieces.ts'
import type { Log } from '../../platform/log.ts'
import type { ObjectCache } from './object-cache.ts'
import type { LockWatches } from './lock-watches.ts'
import type { RuleSets } from './rule-sets.ts'
import type { Pieces } from '../pieces/pieces.ts'

type Subnet = Resource<'Subnet'>

export interface SegmentDeps {
  readonly pieces: Pieces
  readonly objects: ObjectCache
  readonly locks: LockWatches
  readonly ruleSets: RuleSets
  readonly log: Log
}

export class Segments {
  readonly #deps: SegmentDeps
  /** VNI → Subnets of its Ports here, by key. */
  readonly #subnets = new Map<number, Map<string, Subnet>>()
  /** VNI → UIDs of the Ports here that need it, and the namespace of its Vpc. */
  readonly #users = new Map<number, { readonly ports: Set<string>; readonly namespace: string }>()

  constructor(deps: SegmentDeps) {
    this.#deps = deps
  }

  /**
   * A Port of this node is on a VNI, or in a VLAN: from its first one on its locks and rules are followed.
   *
   * @param vni undefined: not our fabric
   */
  use(vni: number | undefined, portUID: string, namespace: string): void {
    if (vni === undefined) return
    const users = this.#users.get(vni) ?? { ports: new Set<string>(), namespace }
    if (users.ports.has(portUID)) return
    users.ports.add(portUID)
    this.#users.set(vni, users)
    if (users.ports.size === 1) this.#follow()
  }

  leave(vni: number, portUID: string): void {
    const users = this.#users.get(vni)
    if (users?.ports.delete(portUID) !== true || users.ports.size > 0) return
    this.#users.delete(vni)
    this.#subnets.delete(vni)
    this.#deps.pieces.set(segmentPiece, segmentKey(vni), undefined)
    this.#follow()
  }

  /**
   * The Subnet of a Port, known from now on to its Segment.
   *
   * @returns undefined where there is none
   */
  async learn(port: Resource<'Port'>): Promise<Subnet | undefined> {
    const vni = segmentOf(port)
    const key = subnetKeyOfPort(port)
    const subnet = await this.#deps.objects.get('Subnet', key)
    if (vni === undefined || isVlanSegment(vni) || !this.#users.has(vni)) return subnet
    const known = this.#subnets.get(vni) ?? new Map<string, Subnet>()
    // What is known as it is changes nothing: a Segment is made of all its Ports.
    if (subnet !== undefined && known.get(key) === subnet) return subnet
    if (subnet !== undefined) known.set(key, subnet)
    this.#subnets.set(vni, known)
    this.refresh(vni)
    return subnet
  }

  /** Its Subnets, hosts or ports are others than before. A VLAN is no Segment: its switches carry it, and its routers are its own. */
  refresh(vni: number | undefined): void {
    if (vni === undefined || isVlanSegment(vni)) return
    const { pieces, locks } = this.#deps
    const known = this.#subnets.get(vni)
    if (known === undefined || !this.#users.has(vni)) return
    const subnets = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, subnet]) => subnet)
    const segment = segmentFrom({ vni, subnets, hosts: locks.hostsOf(vni), ports: [...pieces.of(portPiece).values()] })
    pieces.set(segmentPiece, segmentKey(vni), segment)
  }

  /** Whether all VNIs in use have a Segment; VLANs have none. */
  get known(): boolean {
    return [...this.#users.keys()].every((vni) => this.#subnets.has(vni) || isVlanSegment(vni))
  }

  #follow(): void {
    const hosted = new Map([...this.#users].map(([vni, { namespace }]) => [vni, namespace]))
    // Where somebody is in a VLAN its switches say, and nobody tunnels.
    this.#deps.locks.follow(new Map([...hosted].filter(([vni]) => !isVlanSegment(vni))))
    this.#deps.ruleSets.follow(hosted)
  }
}
