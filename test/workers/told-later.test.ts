// When a pod is told of its NICs in a cluster whose nodes have agents.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { callbackAnnotation } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import type { House } from './house.ts'
import { deletePod, makePod, openClusterLike, toldOf } from './network.ts'

let store: SqliteStore
let house: House
beforeEach(async () => {
  ({ store, house } = await openClusterLike())
})
afterEach(async () => {
  await house.close()
  await store.close()
})

const phaseTold = async (key: string): Promise<string | undefined> => (await toldOf(house, key)).phase
const servedPort = async (): Promise<Resource<'Port'>> => {
  const [port] = await house.all('Port')
  assert.equal(port?.status?.phase, 'ready')
  return port
}
/** As its agent does. */
async function wire(port: Resource<'Port'>): Promise<void> {
  await store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { wired: true, dataplane: 'memory' } } })
  await house.settle()
}

test('a pod is told of its NICs when its node has wired them', async () => {
  await makePod(house, 'a/web', { node: 'n1' })
  await house.turn(1_000)
  const port = await servedPort()
  assert.equal(await phaseTold('a/web'), undefined)
  await wire(port)
  assert.equal(await phaseTold('a/web'), 'ready')
})

test('a pod whose node says nothing is told after four seconds', async () => {
  await makePod(house, 'a/web', { node: 'n1' })
  await house.turn(3_900)
  await servedPort()
  assert.equal(await phaseTold('a/web'), undefined)
  await house.turn(100)
  assert.equal(await phaseTold('a/web'), 'ready')
})

test('a pod whose changes somebody is told of is told at once, and so is one that is on no node', async () => {
  await makePod(house, 'a/heard', { node: 'n1', metadata: { annotations: { [callbackAnnotation]: 'https://example.org/told' } } })
  await house.settle()
  assert.equal(await phaseTold('a/heard'), 'ready')
  await makePod(house, 'a/waiting')
  await house.turn(2_000)
  assert.equal(await phaseTold('a/waiting'), 'ready')
})

test('a pod whose second NIC cannot be served is told at once what it lacks', async () => {
  await makePod(house, 'a/web', { node: 'n1', nics: [{ name: 'net1' }, { name: 'net2', portID: 'not-there' }] })
  await house.settle()
  assert.equal(await phaseTold('a/web'), 'pending')
})

test('a pod that ends before it is told leaves nothing behind', async () => {
  await makePod(house, 'a/web', { node: 'n1' })
  await house.turn(1_000)
  const port = await servedPort()
  await deletePod(house, 'a/web')
  await house.settle()
  await store.commit([{ do: 'removeFinalizer', ref: refOf(port), uid: port.metadata.uid, finalizer: 'megrez.io/wired' }])
  await house.turn(4_000)
  assert.deepEqual([await house.all('Port'), await house.all('IPLock')], [[], []])
})
