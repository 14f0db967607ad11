import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { NamespaceTerminating, StoreInUse } from '../../core/errors.ts'
import type { Draft } from '../../core/contracts/store.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { TurnedClock, type Clock } from '../../platform/clock.ts'
import { storeLaws } from '../laws/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'megrez-sqlite-'))
after(() => rmSync(folder, { recursive: true }))

storeLaws('sqlite in memory', async () => {
  const store = SqliteStore.open(':memory:')
  return { store, namespace: 'laws', end: () => store.close() }
})
storeLaws('sqlite in a file', async () => {
  const store = SqliteStore.open(join(folder, 'laws.sqlite'))
  return { store, namespace: 'laws', end: () => store.close() }
})

const group = (name: string, namespace = 'a'): Draft => ({ kind: 'SecurityGroup', metadata: { name, namespace }, spec: { rules: [] } })

test('what was acknowledged is there after a restart, and versions go on', async () => {
  const file = join(folder, 'restart.sqlite')
  const first = SqliteStore.open(file)
  await Promise.all(Array.from({ length: 50 }, (_, i) => first.create(group(`g${i}`))))
  await first.delete({ kind: 'SecurityGroup', namespace: 'a', name: 'g0' })
  const before = (await first.list('SecurityGroup')).resourceVersion
  await first.close()
  const second = SqliteStore.open(file)
  const { items, resourceVersion } = await second.list('SecurityGroup')
  assert.equal(items.length, 49)
  assert.equal(resourceVersion, before)
  const next = await second.create(group('next'))
  assert.ok(Number(next.metadata.resourceVersion) > Number(before))
  const abort = new AbortController()
  // What was changed before the restart is known no longer one by one.
  assert.equal((await second.watch('SecurityGroup', { from: String(Number(before) - 1) }, abort.signal).next()).value?.type, 'all')
  await second.close()
})

test('a second process is told that the file is in use', async () => {
  const file = join(folder, 'used.sqlite')
  const first = SqliteStore.open(file)
  assert.throws(() => SqliteStore.open(file), StoreInUse)
  await first.close()
})

test('a commit is all or nothing', async () => {
  const store = SqliteStore.open(':memory:')
  await store.create(group('taken'))
  await assert.rejects(
    store.commit([
      { do: 'create', draft: group('one') },
      { do: 'create', draft: group('taken') },
    ]),
  )
  assert.equal(await store.get({ kind: 'SecurityGroup', namespace: 'a', name: 'one' }), undefined)
  await store.close()
})

test('commits that wait together are judged one after the other', async () => {
  const store = SqliteStore.open(':memory:')
  const made = await store.create(group('race'))
  const tries = await Promise.allSettled([1, 2, 3].map((n) => store.update({ ...made, spec: { rules: [], n } })))
  assert.deepEqual(
    tries.map((each) => each.status),
    ['fulfilled', 'rejected', 'rejected'],
  )
  await store.close()
})

test('a namespace that is going takes nothing in and stays until its finalizer is taken off', async () => {
  const store = SqliteStore.open(':memory:')
  const namespace = await store.create<'Namespace'>({ kind: 'Namespace', metadata: { name: 'a' }, spec: {} })
  await store.create(group('before'))
  const going = await store.delete({ kind: 'Namespace', name: 'a' })
  assert.deepEqual(going?.status, { phase: 'Terminating' })
  await assert.rejects(store.create(group('late')), NamespaceTerminating)
  await store.commit([
    { do: 'removeFinalizer', ref: { kind: 'Namespace', name: 'a' }, uid: namespace.metadata.uid, finalizer: 'kubernetes' },
  ])
  assert.equal(await store.get({ kind: 'Namespace', name: 'a' }), undefined)
  await store.create(group('after'))
  await store.close()
})

test('a watcher that falls far behind is told everything anew', async () => {
  const store = SqliteStore.open(':memory:', { freeze: false })
  const abort = new AbortController()
  const watch = store.watch('SecurityGroup', {}, abort.signal)
  assert.equal((await watch.next()).value?.type, 'all')
  for (let i = 0; i < 17; i++) await Promise.all(Array.from({ length: 1000 }, (_, j) => store.create(group(`g${i}-${j}`))))
  const next = await watch.next()
  assert.equal(next.value?.type, 'all')
  assert.equal(next.value.items.length, 17_000)
  abort.abort()
  assert.equal((await watch.next()).done, true)
  await store.close()
})

test('whoever lists while a group is on its way to the disk misses nothing by watching from there', async () => {
  const store = SqliteStore.open(join(folder, 'flush.sqlite'))
  for (let i = 0; i < 20; i++) {
    const name = `g${i}`
    const made = store.create(group(name))
    // Turns of the event loop until the group is being flushed, or is through.
    for (let tick = 0; tick < i % 4; tick++) await new Promise((resolve) => setImmediate(resolve))
    const { items, resourceVersion } = await store.list('SecurityGroup')
    await made
    if (items.some(({ metadata }) => metadata.name === name)) continue
    const abort = new AbortController()
    const { value } = await store.watch('SecurityGroup', { from: resourceVersion }, abort.signal).next()
    assert.equal(value?.type === 'put' && value.item.metadata.name, name)
    abort.abort()
  }
  await store.close()
})

test('closing waits for what was asked before it', async () => {
  const file = join(folder, 'closing.sqlite')
  const first = SqliteStore.open(file)
  const asked = Array.from({ length: 5 }, (_, i) => first.create(group(`g${i}`)))
  await first.close()
  await Promise.all(asked)
  const second = SqliteStore.open(file)
  assert.equal((await second.list('SecurityGroup')).items.length, 5)
  await second.close()
})

test('in memory all it takes from outside is handed in: when, by what UIDs, and the turn in which commits land', async () => {
  const turned = new TurnedClock(Date.parse('2026-03-01T00:00:00Z'))
  const due: (() => void)[] = []
  const clock: Clock = {
    now: () => turned.now(),
    elapsed: () => turned.elapsed(),
    after: (ms, call) => turned.after(ms, call),
    soon: (call) => void due.push(call),
  }
  let count = 0
  const store = SqliteStore.open(':memory:', { clock, uids: () => `uid-${++count}` })
  const made = Promise.all([store.create(group('one')), store.create(group('two'))])
  assert.equal(due.length, 1)
  assert.equal((await store.list('SecurityGroup')).items.length, 0)
  due.shift()!()
  assert.deepEqual(
    (await made).map(({ metadata }) => [metadata.uid, metadata.creationTimestamp]),
    [
      ['uid-1', '2026-03-01T00:00:00Z'],
      ['uid-2', '2026-03-01T00:00:00Z'],
    ],
  )
  assert.equal(due.length, 0)
  await store.close()
})
