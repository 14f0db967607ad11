// A Port that goes while its interface is being made: nothing of it is free before the interface is gone again.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { InterfacesBeingMade } from '../../agent/ports/interfaces-being-made.ts'
import { onPortChange } from '../../agent/ports/ports.ts'
import { unwire, wire, type WiringTarget } from '../../agent/ports/wiring.ts'
import { StoreUnavailable } from '../../core/errors.ts'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentKey, segmentPiece } from '../../core/pieces/segment.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { makePod, withNetwork } from '../workers/network.ts'
import { eventually, openTestClusterWithNode, type TestNode } from './node.ts'

const tick = (): Promise<void> => new Promise((done) => setImmediate(done))

test('whoever waits for what is made of a Port waits until the last of it, however it ends', async () => {
  const making = new InterfacesBeingMade()
  const first = Promise.withResolvers<void>()
  const order: string[] = []
  const made = making.during('u', () => first.promise.then(() => void order.push('first')))
  const second = making.during('u', async () => {
    order.push('second')
    throw new Error('not made')
  })
  second.catch(() => undefined)
  let over = false
  const waited = making.over('u').then(() => (over = true))
  await tick()
  assert.deepEqual([making.has('u'), over, order], [true, false, []])
  first.resolve()
  await made
  await assert.rejects(second, /not made/)
  await waited
  assert.deepEqual([making.has('u'), order], [false, ['first', 'second']])
  assert.equal(making.has('v'), false)
  await making.over('v')
})

test('a Port whose guard is refused while its Subnet is still asked for is not wired, and its maker hears why', async (t) => {
  const { cluster, node } = await openTestClusterWithNode()
  t.after(async () => {
    await node.close()
    await cluster.close()
  })
  await withNetwork(cluster)
  const port = await cluster.make('Port', 'a/p', { subnet: 'one' })
  await cluster.settle()
  const asked = Promise.withResolvers<void>()
  const { env } = node.agent
  t.mock.method(env.store, 'commit', () => Promise.reject(new StoreUnavailable({ reason: 'away' })))
  t.mock.method(env.segments, 'learn', async () => {
    // Nobody hears of what is rejected before whoever waits for it has begun to.
    await tick()
    await tick()
    asked.resolve()
    throw new Error('the Subnet is not known either')
  })
  const unguarded = { ...(await cluster.get('Port', 'a/p'))!, metadata: { ...port.metadata, finalizers: [] } }
  await assert.rejects(
    wire(
      unguarded,
      { containerID: 'c1', ifname: 'net1', netns: '/var/run/netns/c1', mtu: undefined, defaultRoute: false },
      env,
      new AbortController().signal,
    ),
    StoreUnavailable,
  )
  await asked.promise
  await tick()
  assert.deepEqual([...node.links.there], [])
})

const placeIn = (containerID: string): WiringTarget => ({
  containerID,
  ifname: 'net1',
  netns: `/var/run/netns/${containerID}`,
  mtu: undefined,
  defaultRoute: false,
})
const never = new AbortController().signal

/** A Port of this node whose interface is in the sandbox c1. */
async function wiredOnce(
  t: TestContext,
): Promise<{ readonly cluster: TestCluster; readonly node: TestNode; readonly port: Resource<'Port'>; readonly vni: number }> {
  const { cluster, node } = await openTestClusterWithNode()
  t.after(async () => {
    await node.close()
    await cluster.close()
  })
  await withNetwork(cluster)
  await makePod(cluster, 'a/web', { node: 'n1' })
  await cluster.settle()
  const { env } = node.agent
  const [port] = (await cluster.all('Port')) as [Resource<'Port'>]
  await eventually(
    () => [...env.ports.by('uid', port.metadata.uid)].some(({ status }) => status?.phase === 'ready'),
    'the agent hears of the Port',
  )
  const { joined } = await wire(port, placeIn('c1'), env, never)
  await joined
  return { cluster, node, port, vni: port.status!.vni! }
}

/** Where a Port's interface is by ledger, links and data plane. */
function whereIs({ metadata: { uid } }: Resource<'Port'>, { agent: { env }, links }: TestNode): unknown[] {
  const there = [...links.there.values()].find(({ port }) => port.uid === uid)
  return [env.ledger.wiredOf(uid)?.containerID, there?.inside.netns, env.loop.pieces.has(portPiece, uid)]
}

test("a newer sandbox that comes for a Port while the older one's interface is taken away keeps what it has made", async (t) => {
  const { node, port, vni } = await wiredOnce(t)
  const { env } = node.agent
  const gate = Promise.withResolvers<void>()
  const { remove } = node.links
  t.mock.method(node.links, 'remove', async (...of: Parameters<typeof remove>) => {
    await gate.promise
    return remove(...of)
  })
  const gone = unwire(env.ledger.wiredOf(port.metadata.uid)!, env)
  const made = wire(port, placeIn('c2'), env, never)
  made.catch(() => undefined)
  for (let each = 0; each < 5; each++) await tick()
  gate.resolve()
  await gone
  await (
    await made
  ).joined
  assert.deepEqual(whereIs(port, node), ['c2', '/var/run/netns/c2', true])
  assert.ok(env.loop.pieces.has(segmentPiece, segmentKey(vni)))
})

test('a Port that leaves is taken from the sandbox it was in, and a newer one that has it by then keeps its segment and its guard', async (t) => {
  const { node, port, vni } = await wiredOnce(t)
  const { env } = node.agent
  t.mock.method(env.ports, 'by', () => [])
  onPortChange({ key: 'a/p', before: port, after: undefined }, env)
  const { joined } = await wire(port, placeIn('c2'), env, never)
  await joined
  await env.outbox.idle()
  assert.deepEqual(whereIs(port, node), ['c2', '/var/run/netns/c2', true])
  assert.ok(env.loop.pieces.has(segmentPiece, segmentKey(vni)))
})

test('a Port that is to leave and is wanted here again before it has stays wired', async (t) => {
  const { node, port, vni } = await wiredOnce(t)
  const { env } = node.agent
  onPortChange({ key: 'a/p', before: port, after: { ...port, spec: { ...port.spec, node: 'n2' } } }, env)
  await env.outbox.idle()
  assert.deepEqual(whereIs(port, node), ['c1', '/var/run/netns/c1', true])
  assert.ok(env.loop.pieces.has(segmentPiece, segmentKey(vni)))
  assert.ok((await env.store.get(refOf(port)))!.metadata.finalizers?.includes(wiredFinalizer))
})

test('a Port that goes and that the ledger does not know is let go only once its interface is away', async (t) => {
  const { cluster, node, port } = await wiredOnce(t)
  const { env } = node.agent
  // As after a kill between the interface and the line that tells of it.
  await env.ledger.drop(env.ledger.wiredOf(port.metadata.uid)!)
  const order: string[] = []
  const { remove } = node.links
  t.mock.method(node.links, 'remove', async (...of: Parameters<typeof remove>) => {
    await tick()
    order.push('interface')
    return remove(...of)
  })
  const { commit } = env.store
  t.mock.method(env.store, 'commit', (...[writes, ...more]: Parameters<typeof commit>) => {
    if (writes.some((write) => write.do === 'removeFinalizer' && write.finalizer === wiredFinalizer)) order.push('let go')
    return commit.call(env.store, writes, ...more)
  })
  await cluster.store.delete(refOf(port))
  await eventually(() => order.includes('let go'), 'it is let go')
  assert.deepEqual(order.slice(0, 2), ['interface', 'let go'])
  assert.equal(
    [...node.links.there.values()].some((each) => each.port.uid === port.metadata.uid),
    false,
  )
})

test('a Port that says something else, and at once again what it said before, is wired as before', async (t) => {
  const { node, port } = await wiredOnce(t)
  const { env } = node.agent
  const { uid } = port.metadata
  const other = { ...port, status: { ...port.status, addresses: ['10.0.0.77'] } }
  onPortChange({ key: 'a/p', before: port, after: other }, env)
  onPortChange({ key: 'a/p', before: other, after: port }, env)
  await env.outbox.idle()
  assert.deepEqual(
    [env.loop.pieces.of(portPiece).get(uid)?.addresses, env.ledger.wiredOf(uid)?.port.addresses],
    [port.status?.addresses, port.status?.addresses],
  )
})
