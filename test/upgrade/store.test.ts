// What a release of 2026-11-24 has stored, opened by today's: its objects, and what its node remembers (./2026-11-24/record.ts made it).
import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { thisDisk } from '../../agent/ledger/disk.ts'
import { Ledger } from '../../agent/ledger/ledger.ts'
import { check } from '../../core/admit/object/schema.ts'
import { allKinds, isOwnKind, keyOfItem, type Kind, type Resource } from '../../core/kinds/index.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openNode } from '../agent/node.ts'
import { makePod } from '../workers/network.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'

const recorded = join(import.meta.dirname, '2026-11-24')
let folder: string
let store: SqliteStore
/** What a test has opened, last opened first closed, however it ends. */
let open: { close(): Promise<void> }[]
beforeEach(async () => {
  open = []
  folder = await mkdtemp(join(tmpdir(), 'mz-upgrade-'))
  await writeFile(join(folder, 'store.sqlite'), gunzipSync(await readFile(join(recorded, 'store.sqlite.gz'))))
  await mkdir(join(folder, 'ledger'))
  await copyFile(join(recorded, 'ledger.jsonl'), join(folder, 'ledger/ledger.jsonl'))
  store = SqliteStore.open(join(folder, 'store.sqlite'))
})
afterEach(async () => {
  for (const each of open.reverse()) await each.close()
  await store.close()
  await rm(folder, { recursive: true })
})

async function everything(): Promise<readonly Resource[]> {
  const lists = await Promise.all(allKinds.map((kind: Kind) => store.list(kind)))
  return lists.flatMap(({ items }) => items)
}
const versions = (items: readonly Resource[]): Record<string, string> =>
  Object.fromEntries(items.map((item) => [`${item.kind} ${keyOfItem(item)}`, item.metadata.resourceVersion]))
/** Workers on what was stored, an hour after it was. */
async function workers(): Promise<TestCluster> {
  const cluster = await openTestCluster({ store, clock: new TurnedClock(Date.parse('2026-11-24T14:30:00Z')) })
  open.push(cluster)
  return cluster
}

test('each object that was stored is one that may be stored today', async () => {
  const items = await everything()
  const kinds = new Set(items.map(({ kind }) => kind))
  for (const kind of [
    'Vpc',
    'Subnet',
    'Port',
    'Pod',
    'IPLock',
    'SegmentLock',
    'Notice',
    'Subscription',
    'SecurityGroup',
    'NodePool',
  ] as const)
    assert.ok(kinds.has(kind), `no ${kind} was recorded`)
  for (const item of items) if (isOwnKind(item.kind)) assert.deepEqual(check(item.kind, item), [], `${item.kind} ${keyOfItem(item)}`)
})

test('what was reported stands: workers of both versions beside each other have nothing to correct', async () => {
  const before = versions(await everything())
  const cluster = await workers()
  await cluster.settle()
  assert.deepEqual(versions(await everything()), before)
  assert.ok(Object.keys(before).length >= 15, 'something was stored')
})

test('Ports keep their addresses, and no one of theirs is given to another', async () => {
  const addresses = async (): Promise<object> =>
    Object.fromEntries(
      (await store.list('Port')).items.map((port) => [keyOfItem(port), port.spec.ips ?? port.status?.addresses?.map(String)]),
    )
  const before = await addresses()
  const cluster = await workers()
  await cluster.make('Port', 'a/next', { subnet: 'one' })
  await cluster.advance(600_000)
  const { 'a/next': next, ...after } = (await addresses()) as Record<string, readonly string[]>
  assert.deepEqual(after, before)
  assert.equal(Object.values(before).flat().length, 3)
  assert.equal(Object.values(after).flat().includes(next![0]!), false, String(next))
})

test('a node knows what it has wired, and unwires it', async () => {
  const place = { disk: thisDisk, folder: join(folder, 'ledger'), node: 'n1', log: silentLog(), now: () => Date.now(), boot: 'one' }
  const ledger = await Ledger.open(place)
  const [{ port, ...wired }] = [...ledger.wired()] as [ReturnType<Ledger['wired']> extends Iterable<infer W> ? W : never]
  assert.deepEqual([wired.containerID, wired.ifname, port.number, port.addresses], ['c1', 'net1', 1, ['10.0.0.7']])
  await ledger.close()

  const cluster = await workers()
  const node = await openNode({ store, name: 'n1', address: '192.0.2.1', config: { ledger: place.folder } })
  open.push(node)
  const next = await makePod(cluster, 'a/next', { node: 'n1' })
  await cluster.settle()
  assert.equal((await node.cni('ADD', { pod: next, containerID: 'c2' })).code, 0)
  assert.equal((await node.cni('DEL', { containerID: 'c1' })).code, 0)
  await node.kill()
  const kept = await Ledger.open(place)
  const left = [...kept.wired()]
  await kept.close()
  assert.deepEqual(
    left.map((each) => [each.containerID, each.port.number]),
    [['c2', 2]],
  )
})
