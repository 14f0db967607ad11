// Two workers may serve one Port at once, each with an address of its own: it keeps the one that it was told of, and the MAC that goes with
// it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SpecOf } from '../../core/kinds/index.ts'
import { lockName } from '../../core/plan/builtin/locks.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { lockHolder } from '../../workers/drivers/holder/locks.ts'

const holder = { kind: 'Port', namespace: 'a', name: 'p', uid: 'port' }
const scope = { vpc: { namespace: 'a', name: 'v1' }, vni: 5000, subnet: 'one', port: { namespace: 'a', name: 'p', uid: 'port' }, known: [] }

const addressed = (address: string, mac: string): SpecOf<'IPLock'> => ({ vni: 5000, subnet: 'one', holder, address, mac })
const hashed = (mac: string): SpecOf<'IPLock'> => ({ vni: 5000, subnet: 'one', holder, mac })

const nameOf = ({ address, mac = '' }: SpecOf<'IPLock'>): string => lockName(5000, address === undefined ? { mac } : { address })!

async function withLocks(...specs: readonly SpecOf<'IPLock'>[]) {
  const store = SqliteStore.open(':memory:')
  for (const spec of specs) await store.create({ kind: 'IPLock', metadata: { namespace: 'a', name: nameOf(spec) }, spec })
  const { items } = await store.list('IPLock')
  const byName = new Map(items.map((lock) => [lock.metadata.name, lock]))
  return { store, provider: lockHolder({ store, locks: { byHolder: () => items, get: (_, name) => byName.get(name) }, now: () => 0 }) }
}

async function macSeen(...specs: readonly SpecOf<'IPLock'>[]): Promise<string | undefined> {
  const { store, provider } = await withLocks(...specs)
  try {
    return (await provider.observe(scope, new AbortController().signal)).port?.mac
  } finally {
    await store.close()
  }
}

const [kos2, kos6, hash1, hash2] = ['06:00:00:02:13:88', '06:00:00:06:13:88', '02:00:00:00:00:11', '02:00:00:00:00:22']
const cases: Readonly<Record<string, readonly [readonly SpecOf<'IPLock'>[], string | undefined]>> = {
  'one address tells its MAC': [[addressed('10.0.0.6', kos6)], kos6],
  'two that disagree tell none, and it is chosen anew for the one that is kept': [
    [addressed('10.0.0.2', kos2), addressed('10.0.0.6', kos6)],
    undefined,
  ],
  'a MAC that follows from no address counts with its lock': [[addressed('2001:db8::5', hash1), hashed(hash1)], hash1],
  'and not without it': [[addressed('2001:db8::5', hash1)], undefined],
  'nor by the lock of another MAC': [[addressed('2001:db8::5', hash1), hashed(hash2)], undefined],
  'a MAC whose address is yet to be had is kept': [[hashed(hash1)], hash1],
}
for (const [name, [specs, mac]] of Object.entries(cases))
  test(`of a Port's locks: ${name}`, async () => assert.equal(await macSeen(...specs), mac))

test('with an address that is given back goes the MAC that came with it', async (t) => {
  const { store, provider } = await withLocks(
    addressed('2001:db8::5', hash1),
    hashed(hash1),
    addressed('2001:db8::6', hash2),
    hashed(hash2),
  )
  t.after(() => store.close())
  await store.commit(provider.asWrites?.({ do: 'freeAddresses', scope, addresses: ['2001:db8::6'], mac: hash1 }) ?? [])
  const { items } = await store.list('IPLock')
  assert.deepEqual(
    new Set(items.map(({ spec: { address, mac } }) => `${address} ${mac}`)),
    new Set([`2001:db8::5 ${hash1}`, `undefined ${hash1}`]),
  )
})

test('of a lock that the cache does not have yet nothing is written by its word: it is bound by a live look', async (t) => {
  const { store } = await withLocks(addressed('10.0.0.6', kos6))
  t.after(() => store.close())
  const blind = lockHolder({ store, locks: { byHolder: () => [], get: () => undefined }, now: () => 0 })
  const { port } = await blind.observe({ ...scope, known: ['10.0.0.6'] }, new AbortController().signal)
  const bind = { do: 'bindPort', scope, port: port!, hostIP: '192.0.2.1', identity: undefined } as const
  assert.equal(blind.asWrites?.(bind), undefined)
  await blind.apply(bind, new AbortController().signal)
  const { items } = await store.list('IPLock')
  assert.deepEqual(
    items.map(({ spec: { address, hostIP } }) => [address, hostIP]),
    [['10.0.0.6', '192.0.2.1']],
  )
})
