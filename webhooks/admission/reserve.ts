// Keeping what a pod names (an address, a MAC, a pre-made Port) until a worker has bound it: made by creating the IPLock, or by
// claiming the Port with compare-and-swap. It lapses by itself, since an admitted pod may never be stored.
import { claimUntil, isGoing, portAvailability, type Claimer } from '../../core/admit/pod/claims.ts'
import { refuse, refuseForNow, type Refusal } from '../../core/admit/refusal.ts'
import { lockStateFor } from '../../core/plan/builtin/locks.ts'
import { AlreadyExists, NotFound, Stale } from '../../core/errors.ts'
import type { Store } from '../../core/contracts/store.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { Claim } from '../../core/kinds/vpc/port.ts'
import type { Clock } from '../../platform/clock.ts'

/** A lock that a Nic needs, and where in the pod the wish for it stands. */
export interface LockReservation {
  readonly do: 'lock'
  readonly namespace: string
  readonly name: string
  readonly spec: Pick<SpecOf<'IPLock'>, 'vni' | 'address' | 'mac' | 'subnet'>
  /** For people: `address 10.0.0.5 of Subnet blue`. */
  readonly what: string
  readonly nic: string
  readonly at: string
}
export interface PortReservation {
  readonly do: 'claim'
  readonly port: Resource<'Port'>
  readonly what: string
  readonly nic: string
  readonly at: string
}
export type ReservationRequest = LockReservation | PortReservation

export interface ReserveDeps {
  readonly store: Store
  readonly clock: Clock
  readonly settings: { readonly reservationMs: number }
}
/** Who wants it; the Nic is the wish's. */
export type Requester = Omit<Claimer, 'nic'>

/** Kept, with how to give it back; or waiting for the same owner's pod that is on its way out; or not to be had. */
type KeepResult =
  { readonly kind: 'kept'; readonly undo?: () => Promise<void> } | { readonly kind: 'waits'; readonly warning: string } | Refusal

/** Rivals write the same object only for a moment: a few tries are enough. */
const attempts = 5

type Undo = () => Promise<void>

/** Keeps all or nothing. `dryRun` reads and writes nothing. The warnings say what the pod will have to wait for. */
export async function reserve(
  deps: ReserveDeps,
  wishes: readonly ReservationRequest[],
  who: Requester,
  dryRun: boolean,
): Promise<{ readonly kind: 'reserved'; readonly warnings: readonly string[] } | Refusal> {
  const undo: Undo[] = []
  const warnings: string[] = []
  // In one order for everybody, so that two pods that want the same two things do not both go without.
  const inOrder = [...wishes].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  try {
    for (const wish of inOrder) {
      const kept = await keep(deps, wish, { ...who, nic: wish.nic }, dryRun)
      if (kept.kind === 'waits') warnings.push(kept.warning)
      else if (kept.kind === 'kept') undo.push(kept.undo ?? nothing)
      else return await giveBack(undo, kept)
    }
  } catch (err) {
    throw await giveBack(undo, err)
  }
  return { kind: 'reserved', warnings }
}

const nothing: Undo = () => Promise.resolve()

/** What cannot be given back now lapses. */
async function giveBack<T>(undo: readonly Undo[], because: T): Promise<T> {
  for (const back of undo.toReversed()) await back().catch(nothing)
  return because
}

const keyOf = (wish: ReservationRequest): string =>
  wish.do === 'lock' ? `lock ${wish.namespace}/${wish.name}` : `port ${wish.port.metadata.uid}`

async function keep(deps: ReserveDeps, wish: ReservationRequest, who: Claimer, dryRun: boolean): Promise<KeepResult> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return wish.do === 'lock' ? await keepLock(deps, wish, who, dryRun) : await keepPort(deps, wish, who, dryRun)
    } catch (err) {
      // A rival was faster: what it left is read anew.
      if (!(err instanceof AlreadyExists || err instanceof Stale || err instanceof NotFound)) throw err
    }
  }
  return refuseForNow(wish.at, `${wish.what} is being taken by several pods at once`)
}

async function keepLock(
  { store, clock, settings }: ReserveDeps,
  wish: LockReservation,
  who: Claimer,
  dryRun: boolean,
): Promise<KeepResult> {
  const { namespace, name } = wish
  const now = clock.now()
  const lock = await store.get({ kind: 'IPLock', namespace, name })
  const reservation = {
    namespace: who.namespace,
    owner: who.owner,
    nic: who.nic,
    podUID: who.podUID,
    until: new Date(now + settings.reservationMs).toISOString(),
  }
  const seen = lockStateFor(lock, { uid: '', namespace: who.namespace, podUID: who.podUID, owner: who.owner, nic: who.nic })
  if (seen.kind === 'taken') return leaving(store, lock!, wish, who)
  if (dryRun) return { kind: 'kept' }
  if (lock === undefined) {
    const made = await store.create({ kind: 'IPLock', metadata: { namespace, name }, spec: { ...wish.spec, reservation } })
    return { kind: 'kept', undo: () => drop(store, made) }
  }
  if (lock.spec.reservation?.podUID === who.podUID && Date.parse(lock.spec.reservation.until) > now) return { kind: 'kept' }
  // What is taken over was another pod's before; after a refusal it lapses as that one's would.
  await store.update({ ...lock, spec: { ...lock.spec, reservation } })
  return { kind: 'kept' }
}

/** Only as we made it: a worker or a rival may have it by now. */
async function drop(store: Store, lock: Resource<'IPLock'>): Promise<void> {
  const { namespace, name, uid, resourceVersion } = lock.metadata
  await store.delete({ kind: 'IPLock', ...(namespace === undefined ? {} : { namespace }), name }, { uid, resourceVersion })
}

/** A lock that is held: by the same owner's pod that is on its way out, its successor may wait for it (StatefulSets). */
async function leaving(store: Store, lock: Resource<'IPLock'>, wish: LockReservation, who: Claimer): Promise<KeepResult> {
  const claim = await claimOfHolder(store, lock, who)
  if (claim?.owner === who.owner && claim.nic === who.nic) {
    const pod = await store.get({ kind: 'Pod', namespace: who.namespace, name: claim.pod })
    if (isGoing(claim, pod))
      return { kind: 'waits', warning: `${wish.what} is still held for pod ${claim.pod}, which is going: the pod waits for it` }
  }
  return refuse(wish.at, `${wish.what} is taken by ${takenBy(lock, who, claim?.pod)}`)
}

async function claimOfHolder(store: Store, { spec: { holder } }: Resource<'IPLock'>, who: Claimer): Promise<Claim | undefined> {
  if (holder?.kind !== 'Port' || holder.namespace !== who.namespace) return undefined
  const port = await store.get({ kind: 'Port', namespace: who.namespace, name: holder.name })
  return port?.metadata.uid === holder.uid ? port.spec.claim : undefined
}

/** Other namespaces of a shared Vpc are not told about. */
function takenBy({ spec: { holder, reservation } }: Resource<'IPLock'>, who: Claimer, pod: string | undefined): string {
  if ((holder?.namespace ?? reservation?.namespace) !== who.namespace) return 'another namespace'
  if (holder === undefined) return `a reservation for ${reservation?.owner ?? 'nobody'}`
  return pod === undefined ? `${holder.kind} ${holder.name}` : `pod ${pod}`
}

async function keepPort(
  { store, clock, settings }: ReserveDeps,
  wish: PortReservation,
  who: Claimer,
  dryRun: boolean,
): Promise<KeepResult> {
  const { namespace, name, uid } = wish.port.metadata
  const now = clock.now()
  const port = await store.get({ kind: 'Port', ...(namespace === undefined ? {} : { namespace }), name })
  if (port === undefined || port.metadata.uid !== uid || port.metadata.deletionTimestamp !== undefined)
    return refuseForNow(wish.at, `${wish.what} is no longer there`)
  const claimant =
    port.spec.claim === undefined ? undefined : await store.get({ kind: 'Pod', namespace: who.namespace, name: port.spec.claim.pod })
  const seen = portAvailability(port, who, () => claimant)
  if (seen.is === 'taken') return refuse(wish.at, `${wish.what} is in use by ${seen.by}`)
  if (seen.is === 'leaving')
    return { kind: 'waits', warning: `${wish.what} is still held for ${seen.by}, which is going: the pod waits for it` }
  if (seen.is === 'ours' || dryRun) return { kind: 'kept' }
  const claimed = await store.update({ ...port, spec: { ...port.spec, claim: claimUntil(who, now + settings.reservationMs) } })
  return { kind: 'kept', undo: () => unclaim(store, claimed, port.spec) }
}

/** Back to what it was, unless somebody has written since. */
async function unclaim(store: Store, claimed: Resource<'Port'>, before: SpecOf<'Port'>): Promise<void> {
  await store.update({ ...claimed, spec: before })
}
