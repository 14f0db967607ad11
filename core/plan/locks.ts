// IPLocks: how one is written, and how one stands to somebody who wants it.
import type { Draft } from '../contracts/store.ts'
import type { Resource, SpecOf } from '../kinds/index.ts'
import type { Holder } from '../kinds/meta.ts'
import { addressLockNameOf, macLockName, portIDLockName } from '../net/names.ts'

/** The thing that a lock is the right to. */
export type Locked = { readonly address: string } | { readonly mac: string } | { readonly portID: string }

/** The name of the lock of a thing in a VNI; undefined where an address is none. */
export function lockName(vni: number, thing: Locked): string | undefined {
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

/** What stands in an address lock once its MAC and its node are known: other nodes watch these. */
export interface Whereabouts {
  readonly mac?: string | undefined
  readonly hostIP?: string | undefined
}

export function lockSpec(owner: LockOwner, thing: Locked, where: Whereabouts = {}): SpecOf<'IPLock'> {
  const { mac, hostIP } = where
  return { vni: owner.vni, ...('address' in thing && mac !== undefined && { mac }), ...thing, subnet: owner.subnet, holder: owner.holder, ...('address' in thing && hostIP !== undefined && { hostIP }) }
}

export function lockDraft(name: string, owner: LockOwner, thing: Locked, where?: Whereabouts): Draft<'IPLock'> {
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
export type Standing = { readonly is: 'free' | 'ours' | 'takeable' } | { readonly is: 'taken'; readonly by: string }

/**
 * How a lock stands to a claimant. A reservation may be taken over by the pod it was made for, by the same owner's pod for
 * the same Nic (a StatefulSet's replacement, a create that was refused and tried again), and by anybody once it has lapsed.
 */
export function standing(lock: Resource<'IPLock'> | undefined, who: Claimant, now: number): Standing {
  if (lock === undefined) return { is: 'free' }
  const { holder, shared = [], reservation } = lock.spec
  if ([holder, ...shared].some((each) => each?.uid === who.uid)) return { is: 'ours' }
  if (holder !== undefined) return { is: 'taken', by: nameOf(holder) }
  if (reservation === undefined || Date.parse(reservation.until) <= now || isFor(reservation, who)) return { is: 'takeable' }
  return { is: 'taken', by: `a reservation for ${reservation.owner}` }
}

const nameOf = ({ kind, namespace, name }: Holder): string => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

function isFor(reservation: NonNullable<SpecOf<'IPLock'>['reservation']>, who: Claimant): boolean {
  if (reservation.namespace !== who.namespace || reservation.nic !== who.nic) return false
  return reservation.podUID === who.podUID || reservation.owner === who.owner
}
