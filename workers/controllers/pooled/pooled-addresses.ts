// What has addresses of a pool, each the lock of one: the part that is the same whoever has them.
import type { Draft, Write } from '../../../core/contracts/store.ts'
import { refOf, resolveReference, type Kind, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { freeing, lockName } from '../../../core/plan/builtin/locks.ts'
import { familyOf } from '../../../core/plan/builtin/port.ts'
import type { AddressAction, AddressDesired, PooledKind } from '../../../core/plan/pool/pool-address.ts'
import { refused, type Plan } from '../../../core/plan/plan.ts'
import type { PickedAddresses } from '../../addresses/free-addresses.ts'
import type { Env } from '../../controller-env.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Controller } from '../../loop/controller.ts'
import type { LiveKind } from '../../loop/live-reads.ts'
import { settlePicks } from '../../providers/port-driver.ts'
import { named, type Keys } from '../../watch/map-to-keys.ts'

type Gathered<More> = AddressDesired & { readonly picks: PickedAddresses } & More

/** What differs. */
export interface PooledController<K extends PooledKind, More> {
  /** Of it, and of what is around it. */
  around(address: Resource<K>, env: Env): Pick<AddressDesired, 'fixed' | 'announcing'> & More
  basis(address: Resource<K>): readonly Ref[]
  plan(desired: Gathered<More>): Plan<PooledAction>
  /** Read live, all of them, before an address is given back. */
  readonly readBeforeFree: readonly Kind[]
  /** The same, before it is itself asked to go; absent: nothing. */
  readBeforeDelete?(address: Resource<K>): readonly LiveKind[]
}
/** It may itself be asked to go. */
export type PooledAction =
  | AddressAction
  | { readonly do: 'deleteAddress'; readonly address: AddressDesired['address'] }
  | { readonly do: 'makeAddress'; readonly draft: Draft<'ServiceAddress'> }

export const heldBy = <K extends PooledKind>(kind: K): Keys<'IPLock', K> =>
  named<'IPLock', K>(kind, 'its holder', ({ spec: { holder } }) =>
    holder?.kind === kind ? [`${holder.namespace ?? ''}/${holder.name}`] : [],
  )

export function pooledAddresses<K extends PooledKind, More>(
  kind: K,
  env: Env,
  of: PooledController<K, More>,
): Controller<Gathered<More>, undefined, undefined, PooledAction, Plan<PooledAction>> {
  const driver = objects<undefined, undefined, PooledAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  const cache = env.caches[kind] as { get(key: string): Resource<K> | undefined }
  /** By key: since when this worker knows that it goes, as time passes. */
  const going = new Map<string, { readonly uid: string; readonly since: number }>()
  const goingMsOf = (key: string, { uid }: Resource['metadata']): number => {
    const now = env.clock.elapsed()
    const known = going.get(key)
    if (known?.uid === uid) return now - known.since
    going.set(key, { uid, since: now })
    return 0
  }
  return {
    async gather(key) {
      const address = cache.get(key)
      const isGoing = address?.metadata.deletionTimestamp !== undefined
      if (!isGoing) going.delete(key)
      if (address === undefined) return undefined
      const around = of.around(address, env)
      return {
        ...(await desiredOf(address as AddressDesired['address'], around.fixed, env)),
        ...around,
        goingMs: isGoing ? goingMsOf(key, address.metadata) : 0,
      }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ address }) => address,
    basis: ({ address }) => [
      ...of.basis(address as unknown as Resource<K>),
      { kind: 'Subnet', ...resolveReference(address.spec.subnet, '') },
    ],
    plan: of.plan,
    needsLive: ({ address }, { phase, steps }): readonly LiveKind[] | undefined => {
      if (of.readBeforeDelete !== undefined && steps.some(({ action }) => action.do === 'deleteAddress'))
        return of.readBeforeDelete(address as unknown as Resource<K>)
      return phase === 'deleted' || steps.some(({ action }) => action.do === 'freeAddress') ? of.readBeforeFree : undefined
    },
    refusal: (message) => refused('Refused', message),
    settle: settlePicks,
  }
}

type Address = AddressDesired['address']

async function desiredOf(
  address: Address,
  fixed: readonly string[],
  env: Env,
): Promise<Omit<Gathered<object>, 'goingMs' | 'fixed' | 'announcing'>> {
  const { caches } = env
  const { spec } = address
  const { namespace } = resolveReference(spec.subnet, '')
  const there = caches.Subnet.get(spec.subnet)
  const subnet = there?.status?.validated === true && segmentOf(there) === spec.vni ? there : undefined
  const held = await heldLocks(address, env)
  const picks = env.addresses.open()
  return {
    address,
    subnet,
    held,
    lockOf: (name) => caches.IPLock.get(`${namespace}/${name}`),
    offers:
      subnet === undefined
        ? {}
        : offersOf(address, subnet, [...fixed, ...held.flatMap((lock) => lock.spec.address ?? [])], { picks, caches }),
    picks,
  }
}

/** The cache's, and those that it tells of and the cache does not have. */
async function heldLocks({ metadata: { uid }, spec }: Address, { caches, store }: Env): Promise<readonly Resource<'IPLock'>[]> {
  const { namespace } = resolveReference(spec.subnet, '')
  const found = new Map([...caches.IPLock.by('holder', uid)].map((lock) => [lock.metadata.name, lock]))
  for (const address of spec.addresses) {
    const name = lockName(spec.vni, { address })
    const lock = name === undefined || found.has(name) ? undefined : await store.get({ kind: 'IPLock', namespace, name })
    if (lock?.spec.holder?.uid === uid) found.set(lock.metadata.name, lock)
  }
  return [...found.values()]
}

/** Of what it tells of it keeps what nobody else has by now. */
function offersOf(
  address: Address,
  subnet: Resource<'Subnet'>,
  has: readonly string[],
  { picks, caches }: Pick<Gathered<object>, 'picks'> & Pick<Env, 'caches'>,
): AddressDesired['offers'] {
  if (address.metadata.deletionTimestamp !== undefined) return {}
  const isLost = (each: string): boolean => {
    const holder = caches.IPLock.get(`${subnet.metadata.namespace ?? ''}/${lockName(address.spec.vni, { address: each }) ?? ''}`)?.spec
      .holder
    return holder !== undefined && holder.uid !== address.metadata.uid
  }
  const families = new Set([...has, ...address.spec.addresses.filter((each) => !isLost(each))].map(familyOf))
  const lacking = (['ipv4', 'ipv6'] as const).filter((family) => subnet.spec[family] !== undefined && !families.has(family))
  return Object.fromEntries(
    lacking.flatMap((family) => {
      const offer = picks.pick(subnet, family)
      return offer === undefined ? [] : [[family, offer]]
    }),
  )
}

function writesOf(action: PooledAction): readonly Write[] {
  switch (action.do) {
    case 'lockAddress':
    case 'makeAddress':
      return [{ do: 'create', draft: action.draft }]
    case 'setAddresses':
      return [{ do: 'update', item: toldOf(action.address, [...action.addresses]) }]
    case 'freeAddress':
      return [freeing(action.lock)]
    case 'deleteAddress': {
      const { uid, resourceVersion } = action.address.metadata
      return [{ do: 'delete', ref: refOf<Kind>(action.address), preconditions: { uid, resourceVersion } }]
    }
  }
}

const toldOf = <T extends Address>(address: T, addresses: string[]): T => ({ ...address, spec: { ...address.spec, addresses } })
