// A running pod that is given NICs and loses them, on a node of its own: whatever comes in between, no interface is without its Port, and
// its pod is told what is there.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { hotNicsAnnotation, networkStatusAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { portNameOf } from '../../core/net/names.ts'
import type { NetworkStatus } from '../../core/wire/cni/network-status.ts'
import { deletePod, makePod, withNetwork } from '../workers/network.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { memory } from '../../agent/dataplanes/memory.ts'
import { eventually, openTestClusterWithNode, sandboxArgs, thingsOf, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
let pod: Resource<'Pod'>
let isSwitchAway = false
beforeEach(async () => {
  isSwitchAway = false
  ;({ cluster, node } = await openTestClusterWithNode({
    plane(there) {
      const plane = memory(there)
      const { apply } = plane
      return Object.assign(plane, {
        apply: (...args: Parameters<typeof apply>) => (isSwitchAway ? Promise.reject(new Error('it is away')) : apply(...args)),
      })
    },
  }))
  await withNetwork(cluster)
  pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0', subnet: 'one', ip: '10.0.0.5' }] })
  await cluster.settle()
})
afterEach(async () => {
  await node.close()
  await cluster.close()
})

const fast = { name: 'fast', subnet: 'one', ip: '10.0.0.9' }

async function plug(...nics: readonly object[]): Promise<void> {
  const now = (await cluster.get('Pod', 'a/web'))!
  const annotations = { ...now.metadata.annotations, [hotNicsAnnotation]: JSON.stringify(nics) }
  await cluster.store.update({ ...now, metadata: { ...now.metadata, annotations } })
  await cluster.settle()
}
async function begin(): Promise<void> {
  const { code, said } = await node.cni('ADD', { pod })
  assert.equal(code, 0, JSON.stringify(said))
}
const port = (nic = 'fast'): Promise<Resource<'Port'> | undefined> => cluster.get('Port', `a/${portNameOf(pod.metadata, nic)}`)
const inside = (): string[] => [...node.links.there.values()].map(({ inside: { ifname, netns } }) => `${netns ?? ''} ${ifname}`).sort()
const networkStatus = async (): Promise<readonly string[]> => {
  const text = (await cluster.get('Pod', 'a/web'))?.metadata.annotations?.[networkStatusAnnotation] ?? '[]'
  return (JSON.parse(text) as NetworkStatus[]).map(({ interface: name, ips }) => `${name} ${ips?.join() ?? ''}`)
}
const isWired = async (): Promise<boolean> => (await port())?.status?.node?.wired === true
const [c1, both] = ['/var/run/netns/c1', ['/var/run/netns/c1 fast', '/var/run/netns/c1 net1']]

test('a NIC that comes is wired into the sandbox that runs, one that goes is unwired, and nothing else is touched', async () => {
  await begin()
  await plug(fast)
  await eventually(isWired, 'the Port says that it is wired')
  assert.deepEqual(inside(), both)
  assert.ok(thingsOf(node).some((line) => line.includes('10.0.0.9')))
  await eventually(async () => (await networkStatus()).includes('fast 10.0.0.9'), 'the pod is told')
  assert.equal((await node.cni('CHECK', { pod })).code, 0)
  await plug()
  await eventually(async () => (await port()) === undefined, 'the Port is gone')
  assert.deepEqual(inside(), [`${c1} net1`])
  assert.ok(!thingsOf(node).some((line) => line.includes('10.0.0.9')))
  await eventually(async () => (await networkStatus()).join() === 'eth0 10.244.0.5,net1 10.0.0.5', 'the pod is told')
  assert.equal((await node.cni('CHECK', { pod })).code, 0)
})

test('an interface that goes loses its routes and addresses before it goes itself', async (t) => {
  await begin()
  await plug(fast)
  await eventually(isWired, 'it is wired')
  const order: string[] = []
  const { strip, remove } = node.links
  t.mock.method(node.links, 'strip', (of: Parameters<typeof strip>[0]) => (order.push(`strip ${of.ifname}`), strip(of)))
  t.mock.method(node.links, 'remove', (name: string) => (order.push(`remove ${[...node.links.there.keys()].includes(name)}`), remove(name)))
  await plug()
  await eventually(async () => (await port()) === undefined, 'the Port is gone')
  assert.deepEqual(order.slice(0, 2), ['strip fast', 'remove true'])
  await node.cni('DEL', { pod })
  assert.ok(!order.includes('strip net1'), 'a sandbox that ends is not emptied first')
})

test('what came before the sandbox was answered for is in it', async () => {
  await plug(fast)
  await begin()
  assert.deepEqual(inside(), both)
})

test('a list that is wrong, or whose NIC cannot be had yet, keeps no pod from its sandbox: the NIC comes when it can', async () => {
  await plug({ ...fast, subnet: 'not-there' })
  await begin()
  assert.deepEqual(inside(), [`${c1} net1`])
  await plug(fast)
  await eventually(isWired, 'it is wired once the list is right')
  assert.deepEqual(inside(), both)

  await node.cni('DEL', { pod })
  await cluster.make('Port', 'a/other', { subnet: 'one', ips: ['10.0.0.7'] })
  await cluster.settle()
  await plug(fast, { name: 'more', subnet: 'one', ip: '10.0.0.7' })
  await begin()
  assert.deepEqual(inside(), both)
})

test('a runtime that names another Port for a NIC of the list is refused, as with any NIC', async () => {
  await plug(fast)
  const list = JSON.stringify([{ name: 'eth0' }, { name: 'fast', portID: 'another' }])
  const { code, said } = await node.cni('ADD', { pod, args: `${sandboxArgs(pod)};NICs=${list}` })
  assert.equal(code, 100)
  assert.match(said.msg ?? '', /is another, and the Port of that NIC is/)
  assert.equal(said.details, 'CNI_ARGS/NICs/1/portID')
  assert.deepEqual(inside(), [])
})

test('what comes while the sandbox is being made is wired once it is answered for', async (t) => {
  const { ensure } = node.links
  const asked = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  t.mock.method(node.links, 'ensure', async (...args: Parameters<typeof ensure>) => {
    asked.resolve()
    await go.promise
    return ensure(...args)
  })
  const adding = begin()
  await asked.promise
  await plug(fast)
  await eventually(async () => (await port())?.status?.phase === 'ready', 'its Port is there')
  go.resolve()
  await adding
  await eventually(isWired, 'it is wired')
  assert.deepEqual(inside(), both)
})

test('an agent that was away wires what came and unwires what went meanwhile', async () => {
  await begin()
  await node.kill()
  await plug(fast)
  await node.restart()
  await eventually(isWired, 'it is wired')
  assert.deepEqual(inside(), both)
  await node.kill()
  await plug()
  await node.restart()
  await eventually(async () => (await port()) === undefined, 'the Port is gone')
  assert.deepEqual(inside(), [`${c1} net1`])
  await eventually(async () => !(await networkStatus()).includes('fast 10.0.0.9'), 'the pod is told')
})

test('an agent that was killed before its word of the wiring gives it', async (t) => {
  await begin()
  await eventually(async () => (await networkStatus()).length === 2, 'the pod is told of the others')
  const { ledger } = node.agent.env
  const wrote = Promise.withResolvers<void>()
  t.mock.method(ledger, 'putSandbox', () => (wrote.resolve(), new Promise<void>(() => undefined)))
  await plug(fast)
  await wrote.promise
  assert.deepEqual([inside(), await networkStatus()], [both, ['eth0 10.244.0.5', 'net1 10.0.0.5']])
  await node.restart()
  await eventually(async () => (await networkStatus()).includes('fast 10.0.0.9'), 'the pod is told')
  assert.equal(await isWired(), true)
})

test('a name that is taken in the pod is said in the Port’s status, and left alone until it is free', async () => {
  await begin()
  const theirs = [...node.links.there.values()].find(({ inside: { ifname } }) => ifname === 'net1')!
  const taken = { port: { ...theirs.port, uid: 'else', ifcName: 'else' }, inside: { ...theirs.inside, ifname: 'fast' } }
  await node.links.ensure(taken.port, taken.inside)
  await plug(fast)
  await eventually(async () => /interface fast in .* is somebody else's/.test((await port())?.status?.node?.message ?? ''), 'it is said')
  assert.equal((await port())?.status?.node?.wired, false)
  assert.deepEqual(inside(), both, 'theirs is there')
  assert.deepEqual([...node.links.there.keys()].length, 2, 'and nothing of ours')
  assert.equal((await node.cni('CHECK', { pod })).code, 0, 'what was there is well')
  await node.links.remove('else')
  await eventually(isWired, 'it is wired once the name is free')
  assert.equal((await port())?.status?.node?.message, undefined)
})

test('a switch that is not there is waited for, and then has the NIC', async () => {
  await begin()
  isSwitchAway = true
  await plug(fast)
  await eventually(() => node.agent.problem() !== undefined, 'the switch is seen to be away')
  assert.equal(await isWired(), false, 'it is not said to be wired')
  isSwitchAway = false
  await eventually(isWired, 'it is wired')
  assert.ok(thingsOf(node).some((line) => line.includes('10.0.0.9')))
})

test('a pod that is deleted meanwhile keeps nothing', async () => {
  await begin()
  await plug(fast)
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  await cluster.settle()
  await eventually(async () => (await cluster.all('Port')).length === 0, 'its Ports are gone')
  assert.deepEqual(inside(), [])
})

test('a Port that claims a NIC which its pod does not list is not wired', async () => {
  await begin()
  const claim = { pod: 'web', nic: 'fast', owner: 'Pod/web', podUID: pod.metadata.uid }
  const spec = { subnet: 'one', claim, podUID: pod.metadata.uid, node: 'n1' }
  await cluster.make('Port', `a/${portNameOf(pod.metadata, 'fast')}`, spec)
  await cluster.settle()
  await eventually(() => [...node.agent.env.ports.values()].length > 0, 'the node knows Ports')
  await node.agent.env.outbox.idle()
  assert.deepEqual(inside(), [`${c1} net1`])
})
