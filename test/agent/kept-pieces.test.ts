// Pieces of a kind that is kept, over restarts of the agent: in force while the store is away, and gone when their source says so.
import assert from 'node:assert/strict'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fencePiece, type Fence } from '../laws/made-up/fence.ts'
import { madeUpKinds } from '../laws/made-up/index.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { eventually, openTestClusterWithNode, thingsOf, type TestNode } from './node.ts'
import { storeAway } from './store-away.ts'

const fence: Fence = { vni: 4_096, group: 1, way: 'open', but: ['1.1', '1.2'] }
const other: Fence = { vni: 4_096, group: 2, way: 'open', but: ['1.2'] }
const fenced = ['but/4096/1.1 shut', 'but/4096/1.2 shut', 'way/4096/1 open', 'way/4096/2 open']

let cluster: TestCluster
let node: TestNode
beforeEach(async () => {
  ;({ cluster, node } = await openTestClusterWithNode({ kinds: madeUpKinds }))
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

const fences = (): string[] => thingsOf(node).filter((line) => /^(way|but)\//.test(line))

async function setAll(...all: readonly Fence[]): Promise<void> {
  node.agent.env.loop.pieces.setAll(fencePiece, all)
  await node.agent.env.loop.applied(AbortSignal.timeout(10_000))
}

test('with the store away an agent puts them into an empty data plane and drops nothing; once told all, it has what it was told', async (t) => {
  await setAll(fence, other)
  assert.deepEqual(fences(), fenced)
  const back = storeAway(t, cluster.store)
  node.memory.things.clear()
  node.memory.things.set('way/4096/9', 'open')
  await node.restart(false)
  await eventually(() => fences().length === 5, 'they are there again')
  assert.deepEqual(fences(), [...fenced, 'way/4096/9 open'])
  assert.equal(node.agent.env.ports.synced, false)
  // The source is not there either, and they are what it told last.
  node.agent.env.loop.pieces.setAll(fencePiece, [other])
  back()
  await node.agent.ready
  await eventually(() => fences().length === 2, 'what nobody tells of any more is gone')
  assert.deepEqual(fences(), ['but/4096/1.2 shut', 'way/4096/2 open'])
})

test('an item that two pieces want is there as long as one of them is, and a piece that is gone stays gone after a restart', async () => {
  await setAll(fence, other)
  await setAll(other)
  assert.deepEqual(fences(), ['but/4096/1.2 shut', 'way/4096/2 open'])
  await node.restart()
  assert.deepEqual(fences(), ['but/4096/1.2 shut', 'way/4096/2 open'])
  assert.deepEqual([...node.agent.env.ledger.pieces('Fence')], [['4096-2', other]])
})

test('a line of another version that cannot be read is left out, and what it came to stays until the source has told all', async (t) => {
  await setAll(other)
  await node.kill()
  await appendFile(
    join(node.folder, 'ledger/ledger.jsonl'),
    ['piece/Fence/4096-3', 'piece/Bridge/a'].map((put) => `${JSON.stringify({ put, value: 1 })}\n`).join(''),
  )
  node.memory.things.set('way/4096/3', 'open')
  const back = storeAway(t, cluster.store)
  await node.restart(false)
  await node.agent.env.loop.applied(AbortSignal.timeout(10_000))
  assert.deepEqual(fences(), ['but/4096/1.2 shut', 'way/4096/2 open', 'way/4096/3 open'])
  assert.deepEqual(
    [...node.agent.env.ledger.pieces('Fence')].map(([key]) => key),
    ['4096-2'],
  )
  // A kind that this agent does not know is the next one's to read.
  assert.deepEqual([...node.agent.env.ledger.pieces('Bridge')], [['a', 1]])
  back()
  await node.agent.ready
  assert.deepEqual(fences(), ['but/4096/1.2 shut', 'way/4096/2 open'])
})
