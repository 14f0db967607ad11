// Who else is on the VNIs of this node, by their IPLocks.
import type { Store } from '../../core/contracts/store.ts'
import { Fingerprints } from '../../core/fingerprints.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { EndpointsSeen } from '../../core/node/endpoints.ts'
import type { Endpoint } from '../../core/node/wanted.ts'
import { endpointKey } from '../../core/pieces/endpoint-map.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { endpointOf } from '../../core/plan/node/pieces.ts'
import type { Pieces } from '../pieces/pieces.ts'
import { VniWatches } from './vni-watches.ts'

type Lock = Resource<'IPLock'>

export interface LockWatchDeps {
  readonly store: Store
  readonly pieces: Pieces
  /** The tunnel address of this node: what is bound to it is no endpoint. */
  readonly here: string
  /** The other nodes of a VNI are others than before. */
  readonly onHosts: (vni: number) => void
  /** A VNI has told all it knows. */
  readonly onSynced: (vni: number) => void
  /** An address of another node was heard of for the first time, not from a list. */
  readonly onNewcomer?: (lock: Lock) => void
}

interface OfVni {
  /** Host → how many endpoints it has here. */
  readonly hosts: Map<string, number>
  /** Counts the hosts that came and went, and as much of it as was notified. */
  hostChanges: number
  hostChangesNotified: number
  /** Addresses that the list under way has told; absent where nothing was known before it. */
  reported: Fingerprints | undefined
}

export class LockWatches {
  readonly #deps: LockWatchDeps
  readonly #watches: VniWatches<'IPLock'>
  readonly #vnis = new Map<number, OfVni>()

  constructor(deps: LockWatchDeps) {
    this.#deps = deps
    this.#watches = new VniWatches(deps.store, {
      kind: 'IPLock',
      begin: (vni) => void (this.#of(vni).reported = this.#endpointsOf(vni).size === 0 ? undefined : new Fingerprints()),
      listed: (vni, lock) => this.#listed(vni, lock),
      ended: (vni) => this.#ended(vni),
      put: (vni, lock) => this.#putOne(vni, lock),
      gone: (vni, { spec: { address } }) => {
        this.#set(vni, address, undefined)
        this.#notifyHosts(vni)
      },
      left: (vni) => this.#left(vni),
      synced: (vni) => deps.onSynced(vni),
    })
  }

  get vnis(): readonly number[] {
    return this.#watches.vnis
  }
  get synced(): boolean {
    return this.#watches.synced
  }

  /** @param hosted VNI → namespace of its Vpc; watches of others end */
  follow(hosted: ReadonlyMap<number, string>): void {
    this.#watches.follow(hosted)
  }

  /** Tunnel addresses of the other nodes of a VNI, in order. */
  hostsOf(vni: number): readonly string[] {
    return [...(this.#vnis.get(vni)?.hosts.keys() ?? [])].sort()
  }

  isKnown(vni: number): boolean {
    return this.#watches.isKnown(vni)
  }

  /** Resolves once all endpoints of a VNI are known, or the signal falls. */
  known(vni: number, signal: AbortSignal): Promise<void> {
    return this.#watches.known(vni, signal)
  }

  stop(): void {
    this.#watches.stop()
  }

  #of(vni: number): OfVni {
    const there = this.#vnis.get(vni) ?? { hosts: new Map<string, number>(), hostChanges: 0, hostChangesNotified: 0, reported: undefined }
    this.#vnis.set(vni, there)
    return there
  }

  #left(vni: number): void {
    this.#vnis.delete(vni)
    for (const address of [...this.#endpointsOf(vni).keys()]) this.#deps.pieces.set(endpointPiece, endpointKey(vni, address), undefined)
  }

  /** Not after each part of a list: a list of very many would have the Segment rendered over and over. */
  #notifyHosts(vni: number): void {
    const of = this.#of(vni)
    if (of.hostChanges === of.hostChangesNotified) return
    of.hostChangesNotified = of.hostChanges
    this.#deps.onHosts(vni)
  }

  /** One of all there are. */
  #listed(vni: number, lock: Lock): void {
    if (lock.spec.address !== undefined) this.#of(vni).reported?.add(lock.spec.address, '')
    this.#put(vni, lock)
  }

  /** Who was known before, and is not among all there are. */
  #ended(vni: number): void {
    const of = this.#of(vni)
    const { reported } = of
    of.reported = undefined
    const missing = reported === undefined ? [] : [...this.#endpointsOf(vni).keys()].filter((each) => reported.stateOf(each) === undefined)
    for (const address of missing) this.#set(vni, address, undefined)
    this.#notifyHosts(vni)
  }

  #endpointsOf(vni: number): EndpointsSeen {
    return this.#deps.pieces.of(endpointPiece).ofVni(vni)
  }

  #putOne(vni: number, lock: Lock): void {
    const address = lock.spec.address ?? ''
    const isKnown = !this.isKnown(vni) || this.#endpointsOf(vni).get(address) !== undefined
    this.#put(vni, lock)
    if (!isKnown && this.#endpointsOf(vni).get(address) !== undefined) this.#deps.onNewcomer?.(lock)
    this.#notifyHosts(vni)
  }

  #put(vni: number, lock: Lock): void {
    this.#set(vni, lock.spec.address, endpointOf(lock, this.#deps.here))
  }

  #set(vni: number, address: string | undefined, endpoint: Endpoint | undefined): void {
    if (address === undefined) return
    const { pieces } = this.#deps
    const was = this.#endpointsOf(vni).get(address)?.hostIP
    // Once all are known everything is compared.
    if (endpoint !== undefined && !this.isKnown(vni)) pieces.learn(endpointPiece, endpoint)
    else pieces.set(endpointPiece, endpointKey(vni, address), endpoint)
    if (was === endpoint?.hostIP) return
    if (was !== undefined) count(this.#of(vni), was, -1)
    if (endpoint !== undefined) count(this.#of(vni), endpoint.hostIP, 1)
  }
}

function count(of: OfVni, host: string, by: number): void {
  const before = of.hosts.get(host) ?? 0
  if (before + by > 0) of.hosts.set(host, before + by)
  else of.hosts.delete(host)
  if (before === 0 || before + by === 0) of.hostChanges++
}
