// The VNIs of this node, and the VLANs that are Vpcs: which there are, what is said of their Subnets, and which other nodes share them.
// Beside them VNIs that one of them is peered with: of those what a packet needs that goes there.
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import type { SegmentRouter } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { isVlanSegment } from '../../core/net/segment.ts'
import { segmentKey, segmentPiece } from '../../core/pieces/segment.ts'
import type { LockedBlock } from '../../core/plan/builtin/routed-blocks.ts'
import { egressFrom } from '../../core/plan/egress/node-egress.ts'
import { peersFrom, type FollowedPeer } from '../../core/plan/peering/peers.ts'
import type { RouterSources } from '../../core/plan/node/router.ts'
import { isFlooded, l3Blocks, segmentFrom, subnetKeyOfPort } from '../../core/plan/node/pieces.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Log } from '../../platform/log.ts'
import type { ObjectCache } from './object-cache.ts'
import type { LockWatches } from './lock-watches.ts'
import type { RuleSets } from './rule-sets.ts'
import type { ServiceWatches } from './service-watches.ts'
import type { VniObjects } from './vni-objects.ts'
import type { Pieces } from '../pieces/pieces.ts'

type Subnet = Resource<'Subnet'>

export interface SegmentDeps {
  readonly pieces: Pieces
  readonly objects: ObjectCache
  readonly locks: LockWatches
  readonly ruleSets: RuleSets
  /** What the kernel routes, by VNI. */
  readonly routersOf: (around: Pick<RouterSources, 'peers' | 'routed' | 'egress'>) => ReadonlyMap<number, SegmentRouter>
  readonly subnets: VniObjects<'Subnet'>
  readonly peerings: VniObjects<'VpcPeering'>
  /** They say which blocks are behind Ports. */
  readonly vniLocks: VniObjects<'SegmentLock'>
  readonly vpcs: VniObjects<'Vpc'>
  /** Of this node. */
  readonly node: string
  /** Absent: this node has nothing to do with routes. */
  readonly services?: ServiceWatches | undefined
  readonly log: Log
  /** How the kernel routes a VNI, or which of its Subnets, is other than before. */
  readonly onRouted: (vni: number) => void
}

export class Segments {
  readonly #deps: SegmentDeps
  /** VNI → Subnets of its Ports here, by key. */
  readonly #subnets = new Map<number, Map<string, Subnet>>()
  /** VNI → UIDs of the Ports here that need it, and the namespace of its Vpc. */
  readonly #users = new Map<number, { readonly ports: Set<string>; readonly namespace: string }>()
  /** VNI of a Port here → those that it is peered with. */
  #peers: ReadonlyMap<number, readonly FollowedPeer[]> = new Map()
  /** VNI of a Port here → what Ports of it have behind them. */
  readonly #behind = new Map<number, readonly LockedBlock[]>()
  /** VNI of no Port here that one here is peered with → namespace of its Vpc. */
  #beside: ReadonlyMap<number, string> = new Map()
  #routers: ReadonlyMap<number, SegmentRouter>

  constructor(deps: SegmentDeps) {
    this.#deps = deps
    this.#routers = deps.routersOf({})
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
    this.#behind.delete(vni)
    this.#follow()
    if (this.#beside.has(vni)) this.refresh(vni)
    else this.#deps.pieces.set(segmentPiece, segmentKey(vni), undefined)
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
    if (this.#beside.has(vni)) this.#setBeside(vni)
    else this.#set(vni)
    for (const [other, peers] of this.#peers) if (peers.some((peer) => peer.vni === vni)) this.#set(other)
  }

  #set(vni: number): void {
    const { pieces, locks, subnets: watched } = this.#deps
    const known = this.#subnets.get(vni)
    if (known === undefined || !this.#users.has(vni)) return
    const router = this.#routers.get(vni)
    // What is watched is the newer one; until it is known, what was asked for counts. A router leads to all Subnets of its VNI.
    const all = router === undefined ? known : new Map([...known, ...[...watched.of(vni)].map((each) => [keyOfItem(each), each] as const)])
    const subnets = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, subnet]) => watched.get(vni, key) ?? subnet)
    const segment = segmentFrom({
      vni,
      subnets,
      flood: [...subnets, ...watched.of(vni)].some(isFlooded),
      hosts: locks.hostsOf(vni),
      peerHosts: (this.#peers.get(vni) ?? []).flatMap((peer) => locks.hostsOf(peer.vni)),
      ports: [...pieces.of(portPiece).values()],
      router: router && { ...router, ...(router.peers && { peers: router.peers.filter((peer) => this.#isCarried(peer.vni)) }) },
      l3: l3Blocks([...subnets, ...watched.of(vni)]),
      routedBlocks: this.#behind.get(vni),
    })
    const before = pieces.of(segmentPiece).get(segmentKey(vni))
    pieces.set(segmentPiece, segmentKey(vni), segment)
    if (!sameJson([before?.router, before?.l3], [segment.router, segment.l3])) this.#deps.onRouted(vni)
  }

  /** Nobody tunnels into it here: what comes from there comes into the VNI that it is for. */
  #setBeside(vni: number): void {
    const { pieces, subnets: watched } = this.#deps
    const subnets = [...watched.of(vni)].sort((a, b) => (keyOfItem(a) < keyOfItem(b) ? -1 : 1))
    const segment = segmentFrom({
      vni,
      subnets,
      flood: false,
      hosts: [],
      ports: [],
      router: this.#routers.get(vni),
      l3: l3Blocks(subnets),
    })
    pieces.set(segmentPiece, segmentKey(vni), subnets.length === 0 ? undefined : segment)
  }

  /** A route leads to a peer whose router is there: it has the gateways of the Subnets there. */
  #isCarried(vni: number): boolean {
    return (
      this.#deps.pieces
        .of(segmentPiece)
        .get(segmentKey(vni))
        ?.subnets.some(({ gateway }) => gateway !== undefined) === true
    )
  }

  /** Of every VNI something may be other than before. */
  refreshAll(): void {
    for (const vni of [...this.#beside.keys(), ...this.#users.keys()]) this.refresh(vni)
  }

  /** What the kernel routes, or with whom a VNI is peered, is other than before. */
  reroute(): void {
    this.#follow()
    this.refreshAll()
  }

  /** The lock of a VNI is another; which Subnets stand in it is no matter here. */
  relock(vni: number): void {
    const behind = [...this.#deps.vniLocks.of(vni)].flatMap(({ spec }) => spec.routedBlocks ?? [])
    if (sameJson(behind, this.#behind.get(vni) ?? [])) return
    this.#behind.set(vni, behind)
    this.reroute()
  }

  /** Whether all VNIs in use have a Segment; VLANs have none. */
  get known(): boolean {
    const { subnets, vniLocks } = this.#deps
    return subnets.synced && vniLocks.synced && [...this.#users.keys()].every((vni) => this.#subnets.has(vni) || isVlanSegment(vni))
  }

  /** Resolves once all Subnets, peers, blocks behind Ports, what leaves and service addresses of a VNI are known, or the signal falls. */
  async heard(vni: number, signal: AbortSignal): Promise<void> {
    const { subnets, peerings, services, vniLocks, vpcs } = this.#deps
    await Promise.all([subnets, peerings, vniLocks, vpcs, ...(services ? [services] : [])].map((each) => each.known(vni, signal)))
  }

  stop(): void {
    this.#deps.subnets.stop()
    this.#deps.peerings.stop()
    this.#deps.vniLocks.stop()
    this.#deps.vpcs.stop()
    this.#deps.services?.stop()
  }

  #follow(): void {
    const hosted = new Map([...this.#users].map(([vni, { namespace }]) => [vni, namespace]))
    // Where somebody is in a VLAN its switches say, and nobody tunnels.
    const vnis = new Map([...hosted].filter(([vni]) => !isVlanSegment(vni)))
    this.#deps.peerings.follow(vnis)
    this.#deps.vniLocks.follow(new Map([...vnis.keys()].map((vni) => [vni, undefined])))
    this.#deps.vpcs.follow(vnis)
    this.#meet(vnis)
    const carried = new Map([...this.#beside, ...vnis])
    this.#deps.locks.follow(carried)
    this.#deps.subnets.follow(carried)
    this.#deps.services?.follow(vnis.keys())
    this.#deps.ruleSets.follow(hosted)
  }

  /** @param vnis those of Ports here */
  #meet(vnis: ReadonlyMap<number, string>): void {
    const { peerings, vpcs, pieces, routersOf, node } = this.#deps
    const before = this.#beside
    this.#peers = new Map(
      [...vnis.keys()].map((vni) => [vni, peersFrom(peerings.of(vni))] as const).filter(([, peers]) => peers.length > 0),
    )
    const all = [...this.#peers.values()].flat()
    this.#beside = new Map(all.flatMap(({ vni, namespace }) => (vnis.has(vni) ? [] : [[vni, namespace] as const])))
    for (const vni of before.keys()) if (!this.#beside.has(vni) && !vnis.has(vni)) pieces.set(segmentPiece, segmentKey(vni), undefined)
    const egress = new Map(
      [...vnis.keys()].flatMap((vni) => {
        const letOut = egressFrom(vpcs.of(vni), node)
        return letOut === undefined ? [] : [[vni, letOut] as const]
      }),
    )
    this.#routers = routersOf({
      peers: this.#peers,
      egress,
      routed: [...this.#behind].flatMap(([vni, blocks]) => (blocks.length > 0 && vnis.has(vni) ? [vni] : [])),
    })
  }
}
