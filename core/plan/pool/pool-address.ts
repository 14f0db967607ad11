// What has addresses of a pool: each under a lock, and its end, which waits until nobody tells others of them.
import type { Draft } from '../../contracts/store.ts'
import { refOf, resolveReference, type Resource } from '../../kinds/index.ts'
import { lockDraft, lockName, lockStateFor } from '../builtin/locks.ts'
import { familyOf, type AddressOffer, type Family } from '../builtin/port.ts'
import { firstAndMore, refused, waitingFor, type Plan, type Step } from '../plan.ts'
import { sameJson } from '../../same-json.ts'

/** Of each: `subnet` is the pool, and `vni` is the pool's. */
export const pooledKinds = ['ServiceAddress', 'EgressAddress'] as const
export type PooledKind = (typeof pooledKinds)[number]
export const isPooled = (kind: string): kind is PooledKind => pooledKinds.some((each) => each === kind)
type Address<K extends PooledKind = PooledKind> = { [Each in K]: Resource<Each> }[K]
type Lock = Resource<'IPLock'>

export type AddressAction =
  | { readonly do: 'lockAddress'; readonly draft: Draft<'IPLock'> }
  | { readonly do: 'setAddresses'; readonly address: Address; readonly addresses: readonly string[] }
  | { readonly do: 'freeAddress'; readonly lock: Lock }
type AddressPlan = Plan<AddressAction>

export interface AddressDesired {
  readonly address: Address
  /** The pool; undefined: it is not there, or not validated. */
  readonly subnet: Resource<'Subnet'> | undefined
  /** What its Service names itself, where it may have that. */
  readonly fixed: readonly string[]
  /** Its own, as a cache and the store have them. */
  readonly held: readonly Lock[]
  readonly lockOf: (name: string) => Lock | undefined
  /** For each family that it has no address of. */
  readonly offers: { readonly [F in Family]?: AddressOffer }
  /** Nodes that may tell others of what it has, in order. */
  readonly announcing: readonly string[]
  /** For how long this worker has known that it is being deleted: whoever deleted it may have another clock. */
  readonly goingMs: number
}

const families = ['ipv4', 'ipv6'] as const
/** A taken address is looked at again when its lock goes; this is for the case that nobody saw it go. */
const takenAgainMs = 30_000
/**
 * Nodes stop to announce an address once its object goes; that they have done so nobody says. As long as prefixes leave
 * (docs/decisions/0059): a node that hears of nothing for longer has lost its sessions too.
 */
export const withdrawnMs = 60_000

export function planPoolAddress(desired: AddressDesired): AddressPlan {
  if (desired.address.metadata.deletionTimestamp !== undefined) return planEnd(desired)
  if (desired.subnet === undefined) return waitingFor('PoolMissing', `Subnet ${desired.address.spec.subnet} is not there, or not validated`)
  const chosen = choose(desired, desired.subnet)
  return 'phase' in chosen ? chosen : planLocked(desired, chosen.keep)
}

/** Freed while a node tells others that it has them, somebody else's packets would come to it. */
function planEnd({ address, held, announcing, goingMs }: AddressDesired): AddressPlan {
  const leftMs = withdrawnMs - goingMs
  const [first, ...others] = announcing
  if (held.length > 0 && first !== undefined && leftMs > 0)
    return {
      ...waitingFor('Announced', `${firstAndMore(`BGPSpeaker ${first}`, others.length)} may still announce it`, leftMs),
      phase: 'terminating',
    }
  return {
    steps: held.map((lock) => freed(lock, address, `${nounOf(address)} that is being deleted`)),
    phase: 'deleted',
    reason: 'Freed',
    message: 'all that it held is free',
  }
}

const nounOf = ({ kind }: Address): string => `${kind === 'EgressAddress' ? 'an' : 'a'} ${kind}`
const freed = (lock: Lock, address: Address, rule: string): Step<AddressAction> => ({
  action: { do: 'freeAddress', lock },
  because: { rule, of: refOf(address) },
})

function choose(desired: AddressDesired, subnet: Resource<'Subnet'>): { readonly keep: readonly string[] } | AddressPlan {
  const keep: string[] = []
  for (const family of families) {
    if (subnet.spec[family] === undefined) continue
    const chosen = chooseOne(desired, family)
    if (typeof chosen !== 'string') return chosen
    keep.push(chosen)
  }
  return { keep }
}

function chooseOne(desired: AddressDesired, family: Family): string | AddressPlan {
  const { address, fixed, held, offers } = desired
  const isOfFamily = (each: string): boolean => familyOf(each) === family
  const wish = fixed.find(isOfFamily)
  if (wish !== undefined) return stateOf(desired, wish) ?? wish
  const mine = held.flatMap(({ spec }) => spec.address ?? []).filter(isOfFamily)
  const current = address.spec.addresses.filter(isOfFamily)
  // What it tells of stays, though somebody has taken its lock away; of several that two workers have drawn one is told of.
  const kept = current.find((each) => stateOf(desired, each) === undefined) ?? mine[0]
  if (kept !== undefined) return kept
  const offer = offers[family]
  if (offer !== undefined && 'address' in offer) return offer.address
  const { namespace, name } = resolveReference(address.spec.subnet, '')
  const text = `Subnet ${address.spec.subnet} has no free ${family === 'ipv4' ? 'IPv4' : 'IPv6'} address`
  return { ...waitingFor('SubnetFull', text, offer?.againInMs), waitsFor: { kind: 'address', namespace, subnet: name } }
}

/** Undefined: it is its own, or free. */
function stateOf({ address: { metadata, spec }, lockOf }: AddressDesired, text: string): AddressPlan | undefined {
  const name = lockName(spec.vni, { address: text })
  const who = { uid: metadata.uid, namespace: metadata.namespace ?? '' }
  const stands = lockStateFor(name === undefined ? undefined : lockOf(name), who)
  if (stands.kind === 'ours' || stands.kind === 'free') return undefined
  const by = stands.kind === 'taken' ? stands.by : 'a reservation'
  return {
    ...refused('AddressTaken', `address ${text} is taken by ${by}`),
    requeueAfterMs: takenAgainMs,
    ...(name !== undefined && { waitsFor: { kind: 'lock', namespace: resolveReference(spec.subnet, '').namespace, name } }),
  }
}

/** A lock is there before the object tells of it, and the object tells of no other before one goes. */
function planLocked({ address, held }: AddressDesired, keep: readonly string[]): AddressPlan {
  const { spec } = address
  const because = { rule: `${nounOf(address)} that lacks an address`, of: refOf(address) }
  const missing = keep.filter((each) => !held.some((lock) => lock.spec.address === each))
  const locks = missing.flatMap((each): readonly Step<AddressAction>[] => {
    const draft = draftOf(address, each)
    return draft === undefined ? [] : [{ action: { do: 'lockAddress', draft }, because }]
  })
  const isSaid = sameJson(keep, spec.addresses)
  const changed: readonly Step<AddressAction>[] = isSaid ? [] : [{ action: { do: 'setAddresses', address, addresses: keep }, because }]
  const surplus = isSaid && missing.length === 0 ? held.filter((lock) => !keep.includes(lock.spec.address ?? '')) : []
  return {
    steps: [...locks, ...changed, ...surplus.map((lock) => freed(lock, address, `an address that ${nounOf(address)} does not tell of`))],
    phase: 'ready',
    reason: 'InPlace',
    message: `${keep.join(' and ')} in Subnet ${spec.subnet}`,
  }
}

function draftOf({ kind, metadata, spec }: Address, address: string): Draft<'IPLock'> | undefined {
  const { namespace, name: subnet } = resolveReference(spec.subnet, '')
  const { namespace: own = '', name, uid } = metadata
  const lock = lockName(spec.vni, { address })
  const holder = { kind, namespace: own, name, uid }
  return lock === undefined ? undefined : lockDraft(lock, { namespace, vni: spec.vni, subnet, holder }, { address })
}
