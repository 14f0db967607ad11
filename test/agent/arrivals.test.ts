// A VM that may come to a node: its TAP is there before it is, and nothing else of it until it speaks.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { portPiece } from '../../core/pieces/port.ts'
import { withNetwork } from '../workers/network.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'
import { eventually, openNode, type TestNode } from './node.ts'

describe('a VM that may come', () => {
  let cluster: TestCluster
  let node: TestNode
  /** Who listens at a TAP. */
  let ears: Map<string, (frame: Uint8Array | undefined) => void>
  beforeEach(async () => {
    cluster = await openTestCluster()
    await withNetwork(cluster)
    for (const name of ['n1', 'n2']) {
      await cluster.store.create({ kind: 'Node', metadata: { name }, spec: {} })
      await cluster.store.replaceForeignStatus({ kind: 'Node', name }, (await cluster.get('Node', name))!.metadata.uid, {
        addresses: [{ type: 'InternalIP', address: `192.0.2.${name.slice(1)}` }],
      })
    }
    node = await openNode({ store: cluster.store, name: 'n2', address: '192.0.2.2' })
    ears = new Map()
  })
  afterEach(async () => {
    await node.close()
    await cluster.close()
  })

  const listening = (): void => {
    node.links.hear = (tap, _, onFrame) => {
      ears.set(tap, onFrame)
      return Promise.resolve({ stop: () => void ears.delete(tap) })
    }
  }
  const moving = (): Promise<unknown> => cluster.make('Port', 'a/vm', { subnet: 'one', type: 'tap', node: 'n1', migratingTo: 'n2' })
  const port = async () => (await cluster.get('Port', 'a/vm'))!
  const migration = async () => (await port()).status?.migration
  const isCarried = async (): Promise<boolean> => node.agent.env.loop.pieces.of(portPiece).get((await port()).metadata.uid) !== undefined

  test('has a TAP that its switch does not know; with its first frame it is there', async () => {
    listening()
    await moving()
    await eventually(async () => (await migration())?.tap !== undefined, 'its TAP is told of')
    const { tap = '' } = (await migration())!
    assert.deepEqual([node.links.there.has(tap), await isCarried(), (await port()).spec.node], [true, false, 'n1'])
    ears.get(tap)!(new Uint8Array(60))
    await eventually(async () => (await port()).status?.node?.wired === true, 'it is wired here')
    const { spec, status } = await port()
    assert.deepEqual([spec.node, spec.migratingTo, status?.hostIP, await isCarried()], ['n2', undefined, '192.0.2.2', true])
    await eventually(async () => (await migration()) === undefined, 'nothing is said of the move any more')
    assert.equal(node.agent.env.arrivals.of.size, 0)
  })

  test('is listened at anew where its TAP was lost', async () => {
    listening()
    await moving()
    await eventually(() => ears.size === 1, 'it is listened at')
    const [tap, first] = [...ears][0]!
    first(undefined)
    await eventually(() => ears.has(tap) && ears.get(tap) !== first, 'it is listened at anew')
    assert.equal((await migration())?.active, undefined)
  })

  test('that does not come leaves nothing', async () => {
    listening()
    await moving()
    await eventually(async () => (await migration())?.tap !== undefined, 'its TAP is told of')
    const { spec, ...rest } = await port()
    const { migratingTo: _, ...stays } = spec
    await cluster.store.update({ ...rest, spec: stays })
    await eventually(async () => (await migration()) === undefined, 'nothing is said of it any more')
    assert.deepEqual([node.links.there.size, ears.size, (await port()).spec.node], [0, 0, 'n1'])
  })

  async function movingAtCloud(): Promise<void> {
    await cluster.make('Cloud', 'c', { provider: 'memory', endpoint: 'arrivals' })
    await cluster.make('Vpc', 'a/there', { provider: 'memory', cloud: 'c' })
    await cluster.make('Subnet', 'a/far', { vpc: 'there', ipv4: { cidr: '10.7.0.0/24' } })
    await cluster.make('Port', 'a/vm', { subnet: 'far', type: 'tap', node: 'n1', migratingTo: 'n2' })
  }

  /** Clouds are asked again by time. */
  const later = (condition: () => Promise<boolean>, what: string): Promise<void> =>
    eventually(async () => {
      await cluster.advance(300)
      return condition()
    }, what)

  test('with a Port of a cloud is plugged in where that says, and stays so once it speaks', async () => {
    listening()
    await movingAtCloud()
    await later(async () => (await migration())?.tap !== undefined, 'its TAP is told of')
    const { tap = '' } = (await migration())!
    const attached = (): object | undefined => [...node.agent.env.loop.pieces.of(portPiece).values()][0]?.attachment
    assert.deepEqual(attached(), { kind: 'vif', plug: 'bridge', bridge: 'br-int', interfaceID: (await port()).status?.providerID })
    assert.deepEqual([(await port()).status?.vif?.node, (await port()).status?.nextVif?.node], ['n1', 'n2'])
    ears.get(tap)!(new Uint8Array(60))
    await later(async () => (await port()).status?.vif?.node === 'n2', 'it is bound here')
    await later(async () => (await port()).status?.node?.wired === true, 'it is wired here')
    const { spec, status } = await port()
    assert.deepEqual([spec.node, spec.migratingTo, status?.nextVif, status?.node?.tap], ['n2', undefined, undefined, tap])
    assert.deepEqual([node.links.there.has(tap), await isCarried()], [true, true])
  })

  test('with a Port of a cloud, and does not, leaves nothing', async () => {
    listening()
    await movingAtCloud()
    await later(async () => (await migration())?.tap !== undefined, 'its TAP is told of')
    const { spec, ...rest } = await port()
    const { migratingTo: _, ...stays } = spec
    await cluster.store.update({ ...rest, spec: stays })
    await later(async () => (await migration()) === undefined, 'nothing is said of it any more')
    await later(async () => (await port()).status?.nextVif === undefined, 'its cloud has one binding')
    await later(async () => node.links.there.size === 0 && !(await isCarried()), 'the node has nothing of it')
    assert.equal(ears.size, 0)
  })

  test('to a node that cannot listen is told why it cannot', async () => {
    await moving()
    await eventually(async () => (await migration())?.message !== undefined, 'why not is said')
    const { message, tap } = (await migration())!
    assert.deepEqual([/native addon/.test(message ?? ''), tap, (await port()).spec.node], [true, undefined, 'n1'])
  })
})
