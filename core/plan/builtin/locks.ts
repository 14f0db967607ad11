// Locks: how one is written, how one stands to somebody who wants it, and how one is freed.
import type { Draft, Write } from '../../contracts/store.ts'
import { wiredFinalizer } from '../../kinds/annotations.ts'
import { refOf, type Kind, type Resource, type SpecOf } from '../../kinds/index.ts'
import type { Holder } from '../../kinds/meta.ts'
import { addressLockNameOf, macLockName, portIDLockName } from '../../net/names.ts'
import { isEvicted } from '../vpc/eviction.ts'

/** The thing that a lock is the right to. */
export type LockedThing = { readonly address: string } | { readonly mac: string } | { readonly portID: string }

/** The name of the lock of a thing in a VNI; undefined where an address is none. */
export function lockName(vni: number, thing: LockedThing): string | undefined {
  if ('mac' in thing) return macLockName(vni, thing.mac)
  if ('portID' in thing) return portIDLockName(vni, thing.portID)
  return addressLockNameOf(vni, thing.address)
}

export interface LockOwner {
  /** Of the Vpc: all its locks live there. */
  readonly namespace: string
  readonly vni: number
  /** Name of the Subnet, in that namespace. */
  readonly subnet: string
  readonly holder: Holder
}

/** What stands in an address lock once its MAC, its node and its identity are known: other nodes watch these. */
export interface LockLocation {
  readonly mac?: string | undefined
  readonly hostIP?: string | undefined
  readonly identity?: number | undefined
}

export function lockSpec(owner: LockOwner, thing: LockedThing, where: LockLocation = {}): SpecOf<'IPLock'> {
  const { mac, hostIP, identity } = where
  return {
    vni: owner.vni,
    ...('address' in thing && mac !== undefined && { mac }),
    ...thing,
    subnet: owner.subnet,
    holder: owner.holder,
    ...('address' in thing && hostIP !== undefined && { hostIP }),
    ...('address' in thing && identity !== undefined && { identity }),
  }
}

export function lockDraft(name: string, owner: LockOwner, thing: LockedThing, where?: LockLocation): Draft<'IPLock'> {
  return { kind: 'IPLock', metadata: { namespace: owner.namespace, name }, spec: lockSpec(owner, thing, where) }
}

/** Who wants a lock: a Port, and the pod's Nic that it answers. */
export interface Claimant {
  readonly uid: string
  readonly namespace: string
  readonly podUID?: string | undefined
  readonly owner?: string | undefined
  readonly nic?: string | undefined
}

/** taken: by somebody else, named for people. */
export type LockState = { readonly kind: 'free' | 'ours' | 'takeable' } | { readonly kind: 'taken'; readonly by: string }

/**
 * How a lock stands to a claimant. A reservation may be taken over by the pod it was made for, by the same owner's pod for
 * the same Nic (a StatefulSet's replacement, a create that was refused and tried again). Whether it has lapsed nobody judges here: workers
 * end it.
 */
export function lockStateFor(lock: Resource<'IPLock'> | undefined, who: Claimant): LockState {
  if (lock === undefined) return { kind: 'free' }
  const { holder, shared = [], reservation } = lock.spec
  if ([holder, ...shared].some((each) => each?.uid === who.uid)) return { kind: 'ours' }
  if (holder !== undefined) return { kind: 'taken', by: holder.namespace === who.namespace ? nameOf(holder) : elsewhere }
  if (reservation === undefined || isFor(reservation, who)) return { kind: 'takeable' }
  return { kind: 'taken', by: reservation.namespace === who.namespace ? `a reservation for ${reservation.owner}` : elsewhere }
}

/** Of whose it is in another namespace nothing is said, as at admission: in a network that is shared they are strangers. */
const elsewhere = 'another namespace'

const nameOf = ({ kind, namespace, name }: Holder): string => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

function isFor(reservation: NonNullable<SpecOf<'IPLock'>['reservation']>, who: Claimant): boolean {
  if (reservation.namespace !== who.namespace || reservation.nic !== who.nic) return false
  return reservation.podUID === who.podUID || reservation.owner === who.owner
}

export type AnyLock = Resource<'IPLock'> | Resource<'SegmentLock'>

/** The one way to free a lock: as it was read, so that what somebody has put into it since is not freed with it. */
export function freeing(lock: AnyLock): Write {
  const { uid, resourceVersion } = lock.metadata
  return { do: 'delete', ref: refOf<Kind>(lock), preconditions: { uid, resourceVersion } }
}

/**
 * Whether a lock cannot be freed: blocks of Subnets or Ports are in it, or its holder is there and counts on it.
 *
 * @param holder as the store has it now; undefined: there is none
 */
export function reliesOn(holder: Resource<'Port'> | undefined, lock: AnyLock): boolean {
  return lock.kind === 'SegmentLock' ? hasBlocks(lock) : holder !== undefined && countsOn(holder, lock)
}

export const hasBlocks = ({ spec: { blocks = [], routedBlocks = [] } }: Resource<'SegmentLock'>): boolean =>
  blocks.length + routedBlocks.length > 0

function countsOn(port: Resource<'Port'>, { spec }: Resource<'IPLock'>): boolean {
  if (port.metadata.uid !== spec.holder?.uid) return false
  // Of one that goes a node may still send from it.
  if (port.metadata.deletionTimestamp !== undefined || isEvicted(port)) return port.metadata.finalizers?.includes(wiredFinalizer) === true
  return isReported(port, spec)
}

/** Whether its status tells of what is locked. */
function isReported({ status = {} }: Resource<'Port'>, { address, mac, portID }: SpecOf<'IPLock'>): boolean {
  if (address !== undefined) return status.addresses?.includes(address) === true
  return mac !== undefined ? status.mac === mac : status.portID === portID
}
