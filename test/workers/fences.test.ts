// Two workers, one of whose watches is late: what it has not seen it neither overwrites nor frees.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import type { Write } from '../../core/contracts/store.ts'
import { refOf } from '../../core/kinds/index.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { heldBack, type Held } from './late-watch.ts'
import { makePod, podPhase, reportedStatusOf } from './network.ts'

let inner: SqliteStore
let cluster: TestCluster
let late: TestCluster
let held: Held
const stops: (() => Promise<void>)[] = []

beforeEach(() => {
  inner = SqliteStore.open(':memory:')
})
afterEach(async () => {
  held.release()
  for (const stop of stops.splice(0).reverse()) await stop()
  await inner.close()
})

/** A second worker that is told of a kind up to what is held back. */
async function openLate(isHeld: Parameters<typeof heldBack>[1], seed = 7): Promise<void> {
  held = heldBack(inner, isHeld)
  late = await openTestCluster({ store: held.store, seed })
  stops.push(() => late.close())
}
async function open(): Promise<void> {
  cluster = await openTestCluster({ store: inner })
  stops.push(() => cluster.close())
}

for (const how of ['its first report', 'its lock alone'] as const)
  test(`a Vpc's VNI is not drawn anew by a worker whose watch has not told of ${how}`, async () => {
    // The late one is there first, so that it has seen the Vpc bare, and is asked to look when the other is done.
    await openLate(({ kind, status }) => kind === 'SegmentLock' || kind === 'Subnet' || (kind === 'Vpc' && status !== undefined))
    const { commit } = inner
    let asked = 0
    held.store.commit = (writes: readonly Write[]) => (asked++ === 0 ? Promise.reject(new Error('cut off')) : commit.call(inner, writes))
    await late.make('Vpc', 'a/blue', {})
    await late.settle()
    await open()
    // Where it is its lock alone, that worker was cut off before it could report.
    if (how === 'its lock alone')
      inner.commit = (writes) =>
        commit.call(
          inner,
          writes.filter((write) => write.do !== 'patchStatus'),
        )
    await cluster.settle()
    inner.commit = commit
    const before = (await cluster.all('SegmentLock')).map((lock) => lock.spec.vni)
    assert.equal(before.length, 1)
    if (how === 'its first report') {
      await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
      await cluster.settle()
    }
    assert.equal(late.caches.Vpc.get('a/blue')?.status, undefined, 'the late watch has told of nothing')
    await late.advance(5_000)
    held.release()
    await late.advance(70_000)
    await cluster.advance(70_000)
    assert.deepEqual(
      [(await cluster.get('Vpc', 'a/blue'))?.status?.vni, (await cluster.all('SegmentLock')).map((lock) => lock.spec.vni)],
      [before[0], before],
    )
  })

test('a sequence never falls, whatever a worker with a late watch reports', async () => {
  await openLate(({ kind, status }) => kind === 'SecurityGroup' && status !== undefined)
  let asked = 0
  const { commit } = inner
  held.store.commit = (writes: readonly Write[]) => (asked++ === 0 ? Promise.reject(new Error('cut off')) : commit.call(inner, writes))
  const group = await late.make('SecurityGroup', 'a/web', {})
  await late.settle()
  const sequences: number[] = []
  const stop = new AbortController()
  stops.push(async () => stop.abort())
  void (async () => {
    for await (const change of inner.watch('SecurityGroup', {}, stop.signal))
      if (change.type === 'put') sequences.push(change.item.status?.sequence ?? 0)
  })()
  // The late one has seen none of it, and begins to count anew.
  for (const sequence of [1, 2, 3])
    await inner.patchStatus<'SecurityGroup'>(
      { ref: refOf(group), uid: group.metadata.uid },
      { report: { phase: sequence % 2 === 0 ? 'ready' : 'error', message: 'by another worker', sequence } },
    )
  await late.advance(5_000)
  assert.deepEqual(
    [asked > 1, sequences.filter((each, i) => each < (sequences[i - 1] ?? 0))],
    [true, []],
    `sequences went ${sequences.join(' ')}`,
  )
  const { sequence, phase } = (await inner.get(refOf(group)))!.status ?? {}
  assert.deepEqual([sequence, phase], [4, 'ready'], 'it has learned where the count was')
})

test('a pod is not told again what has been overtaken by a worker whose watch is late', async () => {
  await open()
  await cluster.make('Vpc', 'a/blue', { vni: 5000 })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await makePod(cluster, 'a/web')
  await cluster.settle()
  await openLate(({ kind }) => kind === 'Pod' || kind === 'Port')
  await late.settle()
  await podPhase(cluster, 'a/web', 'Succeeded')
  const before = reportedStatusOf(await cluster.get('Pod', 'a/web'))
  assert.deepEqual([before.phase, before.sequence], ['terminating', 2])
  await late.advance(61_000)
  assert.deepEqual(reportedStatusOf(await cluster.get('Pod', 'a/web')), before)
  held.release()
  await late.advance(61_000)
  assert.deepEqual(reportedStatusOf(await cluster.get('Pod', 'a/web')), before)
})
