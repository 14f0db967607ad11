// Ports that are nothing but IPLocks: the existence of the lock is the right to the address, and its name the fence.
import type { Draft, Store, Write } from '../../../core/contracts/store.ts'
import type { PortScope, HeldPort, HolderAction, PortHolder } from '../../../core/contracts/port-holder.ts'
import { AlreadyExists } from '../../../core/errors.ts'
import { hopNote } from '../../../core/kinds/hops.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { isKosMac } from '../../../core/net/mac.ts'
import {
  freeing,
  lockDraft,
  lockName,
  lockSpec,
  lockStateFor,
  type Claimant,
  type LockedThing,
  type LockOwner,
  type LockLocation,
} from '../../../core/plan/builtin/locks.ts'
import { sameJson } from '../../../core/same-json.ts'

type Lock = Resource<'IPLock'>
type CreatePort = Extract<HolderAction, { do: 'createPort' }>
type FreeAddresses = Extract<HolderAction, { do: 'freeAddresses' }>

/** Locks as a cache has them; may be behind. */
export interface LockView {
  byHolder(uid: string): Iterable<Lock>
  get(namespace: string, name: string): Lock | undefined
}
export interface LocksDeps {
  readonly store: Store
  readonly locks: LockView
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** What an identity says where the locks of one Port disagree: nobody's number, so it is put right. */
const mixedIdentity = -1

/** What hostIP says where the locks of one Port disagree: no node's address, so it is put right. */
const mixed = ''

export function lockHolder({ store, locks, now }: LocksDeps): PortHolder {
  const liveLock = (namespace: string, name: string): Promise<Lock | undefined> => store.get({ kind: 'IPLock', namespace, name })

  /** The cache's, and those its status tells of that the cache does not have (yet, or any more). */
  async function held(scope: PortScope): Promise<Lock[]> {
    const found = new Map([...locks.byHolder(scope.port.uid)].map((lock) => [lock.metadata.name, lock]))
    for (const address of scope.known) {
      const name = lockName(scope.vni, { address })
      const lock = name === undefined || found.has(name) ? undefined : await liveLock(scope.vpc.namespace, name)
      if (lock !== undefined && isOf(lock, scope.port.uid)) found.set(lock.metadata.name, lock)
    }
    return [...found.values()]
  }

  /** The same action on locks read anew, so that doing it twice is doing it once. */
  async function live(action: HolderAction): Promise<readonly Write[]> {
    const { scope } = action
    const { namespace } = scope.vpc
    const names = new Set([...locks.byHolder(scope.port.uid)].map((lock) => lock.metadata.name))
    for (const name of namesOf(action)) names.add(name)
    const read = await Promise.all([...names].map((name) => liveLock(namespace, name)))
    const now = new Map(read.flatMap((lock) => (lock === undefined ? [] : [[lock.metadata.name, lock]])))
    return writesOf(action, { byHolder: (uid) => [...now.values()].filter((lock) => isOf(lock, uid)), get: (_, name) => now.get(name) })
  }

  function isKnown(action: HolderAction): boolean {
    if (action.do === 'createPort') return true
    const mine = new Set([...locks.byHolder(action.scope.port.uid)].map((lock) => lock.metadata.name))
    return [...namesOf(action)].every((name) => mine.has(name))
  }

  function writesOf(action: HolderAction, view: LockView): readonly Write[] {
    const mine = [...view.byHolder(action.scope.port.uid)]
    switch (action.do) {
      case 'createPort':
        return wantedOf(action).flatMap(({ name, thing, where }) =>
          take(view.get(action.scope.vpc.namespace, name), { name, thing, where, action, now: now() }),
        )
      case 'bindPort':
        return mine.flatMap((lock) =>
          moved(
            lock,
            { mac: action.port.mac, hostIP: action.hostIP, identity: action.identity },
            () => noted(lock, action.scope, now()).metadata,
          ),
        )
      case 'freeAddresses':
        return mine.filter((lock) => isSurplus(lock, action)).map((lock) => freed(lock, action.scope.port.uid))
      case 'deletePort':
        return mine.map((lock) => freed(lock, action.scope.port.uid))
    }
  }

  return {
    name: 'builtin',
    idOf: ({ port }) => port.uid,
    async observe(scope) {
      return { port: seen(await held(scope), scope) }
    },
    async apply(action) {
      await store.commit(await live(action))
    },
    // A lock that only a live read has found is not in the cache: it is changed outside of the loop's commit, on locks that are read anew.
    asWrites: (action) => (isKnown(action) ? writesOf(action, locks) : undefined),
  }
}

const isOf = ({ spec }: Lock, uid: string): boolean =>
  spec.holder?.uid === uid || spec.shared?.some((holder) => holder.uid === uid) === true

/** What locks amount to. */
function seen(held: readonly Lock[], scope: PortScope): HeldPort | undefined {
  if (held.length === 0) return undefined
  const onAddress = held.filter((lock) => lock.spec.address !== undefined)
  const addresses = onAddress.map((lock) => lock.spec.address!)
  const hostIPs = [...new Set(onAddress.map((lock) => lock.spec.hostIP))]
  const portID = held.find((lock) => lock.spec.portID !== undefined)?.spec.portID
  const identities = [...new Set(onAddress.map((lock) => lock.spec.identity))]
  return {
    providerID: scope.port.uid,
    addresses,
    mac: macOf(held, scope.vni),
    portID,
    hostIP: hostIPs.length > 1 ? mixed : hostIPs[0],
    identity: identities.length > 1 ? mixedIdentity : identities[0],
  }
}

/** The one that its addresses are reached at; a MAC that needs a lock of its own counts only with it. */
function macOf(held: readonly Lock[], vni: number): string | undefined {
  const locked = held.flatMap(({ spec: { address, mac } }) => (address === undefined && mac !== undefined ? [mac] : []))
  const onAddress = held.filter(({ spec }) => spec.address !== undefined)
  const isSafe = (mac: string): boolean =>
    locked.includes(mac) ||
    isKosMac(
      vni,
      mac,
      onAddress.map(({ spec }) => spec.address!),
    )
  // A lock of several holders says nothing of where, and which MAC it is of the first of them.
  const own = onAddress.filter(({ spec: { shared = [] } }) => shared.length === 0)
  if (own.length === 0) return locked[0] ?? onAddress.flatMap(({ spec }) => spec.mac ?? []).find(isSafe)
  const [mac, ...others] = new Set(own.map(({ spec }) => spec.mac))
  return mac !== undefined && others.length === 0 && isSafe(mac) ? mac : undefined
}

const isSurplus = ({ spec: { address, mac } }: Lock, free: FreeAddresses): boolean =>
  address === undefined ? mac !== undefined && mac !== free.mac : free.addresses.includes(address)

interface WantedLock {
  readonly name: string
  readonly thing: LockedThing
  readonly where: LockLocation
}

/** The locks of a Port. The portID first: its name is what a person chose, and a refusal of it should leave nothing behind. */
function wantedOf({ scope, addresses, mac, macNeedsLock, portID, hostIP, identity }: CreatePort): WantedLock[] {
  const things: LockedThing[] = [
    ...(portID === undefined ? [] : [{ portID }]),
    ...addresses.map((address) => ({ address })),
    ...(macNeedsLock ? [{ mac }] : []),
  ]
  return things.flatMap((thing) => {
    const name = lockName(scope.vni, thing)
    return name === undefined ? [] : [{ name, thing, where: { mac, hostIP, identity } }]
  })
}

function* namesOf(action: HolderAction): Generator<string> {
  const { scope } = action
  if (action.do === 'createPort') for (const { name } of wantedOf(action)) yield name
  else {
    const addresses = action.do === 'freeAddresses' ? action.addresses : action.port.addresses
    for (const address of addresses) yield lockName(scope.vni, { address }) ?? address
  }
}

function take(
  lock: Lock | undefined,
  { name, thing, where, action, now }: WantedLock & { readonly action: CreatePort; readonly now: number },
): readonly Write[] {
  const { scope, claim } = action
  const owner: LockOwner = { namespace: scope.vpc.namespace, vni: scope.vni, subnet: scope.subnet, holder: { kind: 'Port', ...scope.port } }
  const who: Claimant = { uid: scope.port.uid, namespace: scope.port.namespace, ...claim }
  const stands = lockStateFor(lock, who)
  if (lock === undefined || stands.kind === 'free')
    return [{ do: 'create', draft: noted(lockDraft(name, owner, thing, where), scope, now) }]
  if (stands.kind === 'ours') return moved(lock, where, () => noted(lock, scope, now).metadata)
  if (stands.kind === 'taken') throw new AlreadyExists({ kind: 'IPLock', key: `${scope.vpc.namespace}/${name}` })
  return [{ do: 'update', item: { ...noted(lock, scope, now), spec: lockSpec(owner, thing, where) } }]
}

/** A lock of an address says since when, for whoever will have a flow to it. */
function noted<T extends Pick<Lock, 'metadata'> | Draft<'IPLock'>>(lock: T, { since }: PortScope, now: number): T {
  if (since === undefined) return lock
  return { ...lock, metadata: { ...lock.metadata, annotations: { ...lock.metadata.annotations, ...hopNote(since, now) } } }
}

/** A lock of several holders says nothing of where, nor of who: it is at all of them. */
function moved(lock: Lock, { mac, hostIP, identity }: LockLocation, metadata: () => Lock['metadata']): readonly Write[] {
  if (lock.spec.address === undefined || (lock.spec.shared?.length ?? 0) > 0) return []
  const { mac: _, hostIP: __, identity: ___, ...rest } = lock.spec
  const spec = {
    ...rest,
    ...(mac !== undefined && { mac }),
    ...(hostIP !== undefined && { hostIP }),
    ...(identity !== undefined && { identity }),
  }
  return sameJson(spec, lock.spec) ? [] : [{ do: 'update', item: { ...lock, metadata: metadata(), spec } }]
}

/** Of several holders the others keep it. */
function freed(lock: Lock, uid: string): Write {
  const { holder, shared = [], ...rest } = lock.spec
  const [next, ...others] = [...(holder === undefined ? [] : [holder]), ...shared].filter((each) => each.uid !== uid)
  if (next === undefined) return freeing(lock)
  return { do: 'update', item: { ...lock, spec: { ...rest, holder: next, ...(others.length > 0 && { shared: others }) } } }
}
