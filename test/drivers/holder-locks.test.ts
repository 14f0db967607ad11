import type { Store, Write } from '../../core/contracts/store.ts'
import type { PortScope, HolderAction } from '../../core/contracts/port-holder.ts'
import type { PortObserved } from '../../core/plan/builtin/port.ts'
import { openCaches, type Caches } from '../../platform/cache/caches.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { lockHolder } from '../../workers/drivers/holder/locks.ts'
import { driverLaws, type DriverWorld, type Through } from '../laws/driver.ts'
import { journeys, wants } from './holder-wants.ts'

/** A store that commits as a cluster's does: write by write, each on a way of its own. */
function clusterLike(store: Store, { way }: Through): Store {
  const one = async (write: Write): Promise<void> => {
    await way()
    await store.commit([write])
  }
  return Object.assign(Object.create(store) as Store, {
    async get(ref: Parameters<Store['get']>[0]) {
      await way()
      const item = await store.get(ref)
      await way()
      return item
    },
    async commit(writes: readonly Write[]) {
      for (const write of writes) await one(write)
    },
  })
}

async function caughtUp(caches: Caches, store: Store): Promise<void> {
  const { items } = await store.list('IPLock')
  const seen = (): boolean =>
    caches.IPLock.size === items.length &&
    items.every(
      (lock) =>
        caches.IPLock.get(`${lock.metadata.namespace ?? ''}/${lock.metadata.name}`)?.metadata.resourceVersion ===
        lock.metadata.resourceVersion,
    )
  while (!seen()) await new Promise((resolve) => setImmediate(resolve))
}

async function open(asWrites: boolean): Promise<DriverWorld<PortScope, PortObserved, HolderAction>> {
  const store = SqliteStore.open(':memory:')
  const stop = new AbortController()
  const caches = openCaches(store)
  await caches.start(stop.signal)
  const holder = { kind: 'Port', namespace: 'a', name: 'q', uid: 'other' }
  const until = '1970-01-01T00:00:01Z'
  await store.commit([
    {
      do: 'create',
      draft: {
        kind: 'IPLock',
        metadata: { namespace: 'a', name: 'v1-5000-10-0-0-8' },
        spec: { vni: 5000, address: '10.0.0.8', subnet: 'one', holder },
      },
    },
    {
      do: 'create',
      draft: {
        kind: 'IPLock',
        metadata: { namespace: 'a', name: 'v1-5000-10-0-0-10' },
        spec: {
          vni: 5000,
          address: '10.0.0.10',
          subnet: 'one',
          reservation: { namespace: 'a', owner: 'Pod/z', nic: 'net1', podUID: 'z', until },
        },
      },
    },
  ])
  const lines = async (mine: boolean): Promise<string[]> => {
    const { items } = await store.list('IPLock')
    return items
      .filter((lock) => (lock.spec.holder?.uid === 'port') === mine)
      .map((lock) => `${lock.metadata.name} ${JSON.stringify(lock.spec)}`)
  }
  return {
    async instance(through) {
      // The eyes of one instance are a moment old: they are as they were when it looked last.
      await caughtUp(caches, store)
      const locks = new Map([...caches.IPLock.values()].map((lock) => [lock.metadata.name, lock]))
      const view = {
        byHolder: (uid: string) => [...locks.values()].filter((lock) => lock.spec.holder?.uid === uid),
        get: (_: string, name: string) => locks.get(name),
      }
      const seenStore = through === undefined ? store : clusterLike(store, through)
      const driver = lockHolder({ store: seenStore, locks: view, now: () => 0 })
      const committing = { ...driver, apply: (action: HolderAction) => seenStore.commit(driver.asWrites?.(action) ?? []) }
      return { driver: asWrites ? committing : driver, wants: wants((name) => locks.get(name)) }
    },
    ours: () => lines(true),
    theirs: () => lines(false),
    async close() {
      stop.abort()
      await store.close()
    },
  }
}

driverLaws('builtin', { journeys, open: () => open(false) })
driverLaws('builtin as the loop commits it', { journeys, open: () => open(true), asWrites: true })
