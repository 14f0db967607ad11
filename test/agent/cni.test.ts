import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { networksAnnotation, networkStatusAnnotation, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { NetworkStatus } from '../../core/wire/cni/network-status.ts'
import type { TestCluster } from '../workers/test-cluster.ts'
import { deletePod, makePod, withNetwork } from '../workers/network.ts'
import { eventually, openTestClusterWithNode, thingsOf, type TestNode } from './node.ts'

let cluster: TestCluster
let node: TestNode
beforeEach(async () => void ({ cluster, node } = await openTestClusterWithNode()))
afterEach(async () => {
  await node.close()
  await cluster.close()
})

/** A pod of this node with Nics, whose Ports are ready. */
async function podHere(key = 'a/web', options: Parameters<typeof makePod>[2] = {}): Promise<Resource<'Pod'>> {
  const pod = await makePod(cluster, key, { node: 'n1', ...options })
  await cluster.settle()
  return pod
}
const portsOf = async (): Promise<readonly Resource<'Port'>[]> => cluster.all('Port')

test('a pod gets what the delegate makes and its own Nics beside it, and everybody is told', async () => {
  await withNetwork(cluster)
  const pod = await podHere('a/web', { nics: [{ name: 'eth0', ip: '10.0.0.7' }] })
  const { code, said } = await node.cni('ADD', { pod })
  assert.equal(code, 0, JSON.stringify(said))
  assert.deepEqual(
    said.interfaces?.map(({ name }) => name),
    ['eth0', 'net1'],
  )
  assert.deepEqual(
    said.ips?.map(({ address, interface: index }) => [address, index]),
    [
      ['10.244.0.5/24', 0],
      ['10.0.0.7/24', 1],
    ],
  )
  assert.ok(thingsOf(node).some((line) => line.includes('10.0.0.7')))
  await eventually(async () => (await portsOf())[0]?.status?.node?.wired === true, 'the Port says that it is wired')
  await eventually(
    async () => (await cluster.get('Pod', 'a/web'))?.metadata.annotations?.[networkStatusAnnotation] !== undefined,
    'the pod says so too',
  )
  const status = JSON.parse((await cluster.get('Pod', 'a/web'))!.metadata.annotations![networkStatusAnnotation]!) as NetworkStatus[]
  assert.deepEqual(
    status.map(({ interface: name, ips, default: first }) => [name, ips, first]),
    [
      ['eth0', ['10.244.0.5'], true],
      ['net1', ['10.0.0.7'], undefined],
    ],
  )
})

test('with cluster-nic none the first Nic is eth0 and the way out, and the delegate is not asked', async () => {
  await withNetwork(cluster)
  const pod = await podHere('a/web', {
    nics: [{ name: 'eth0' }, { name: 'eth1' }],
    metadata: { annotations: { 'megrez.io/cluster-nic': 'none' } },
  })
  const { code, said } = await node.cni('ADD', { pod })
  assert.equal(code, 0, JSON.stringify(said))
  assert.deepEqual(
    said.interfaces?.map(({ name }) => name),
    ['eth0', 'eth1'],
  )
  assert.deepEqual(said.routes, [{ dst: '0.0.0.0/0', gw: '10.0.0.1' }])
  assert.deepEqual(await node.delegated(), [])
})

test('after another plugin in a chain, its result stands before ours, the delegate is not asked, and the way out is its own', async () => {
  await withNetwork(cluster)
  const pod = await podHere('a/web', { nics: [{ name: 'net1', ip: '10.0.0.7' }] })
  const prevResult = {
    cniVersion: '1.0.0',
    interfaces: [{ name: 'veth1' }, { name: 'eth0', sandbox: '/var/run/netns/c1' }],
    ips: [{ address: '10.99.0.5/24', interface: 1 }],
    routes: [{ dst: '0.0.0.0/0' }],
    dns: {},
  }
  const { code, said } = await node.cni('ADD', { pod, conf: { prevResult } })
  assert.equal(code, 0, JSON.stringify(said))
  assert.deepEqual(
    said.interfaces?.map(({ name }) => name),
    ['veth1', 'eth0', 'net1'],
  )
  assert.deepEqual(
    said.ips?.map(({ address, interface: index }) => [address, index]),
    [
      ['10.99.0.5/24', 1],
      ['10.0.0.7/24', 2],
    ],
  )
  assert.deepEqual(said.routes, [{ dst: '0.0.0.0/0' }])
  assert.equal((await node.cni('CHECK', { pod, conf: { prevResult: said } })).code, 0)
  assert.equal((await node.cni('DEL', { pod, conf: { prevResult: said } })).code, 0)
  assert.deepEqual(await node.delegated(), [])
})

test('a pod that asks for nothing, and a static pod, get the delegate alone', async () => {
  const plain = await cluster.make('Pod', 'a/plain', { containers: [{ name: 'main' }], nodeName: 'n1' })
  assert.equal((await node.cni('ADD', { pod: plain })).code, 0)
  assert.equal(
    (
      await node.cni('ADD', {
        containerID: 'c2',
        args: `K8S_POD_NAMESPACE=kube-system;K8S_POD_NAME=etcd-n1;K8S_POD_UID=${'0123456789abcdef'.repeat(2)}`,
      })
    ).code,
    0,
  )
  assert.deepEqual(await node.delegated(), ['ADD c1 eth0', 'ADD c2 eth0'])
})

test('ADD waits for a Port that is not ready, and for the workers who bind it', async () => {
  const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
  const answer = node.cni('ADD', { pod: { ...pod } })
  await withNetwork(cluster)
  await cluster.settle()
  assert.equal((await answer).code, 0)
  assert.equal((await portsOf())[0]?.spec.node, 'n1')
})

test('STATUS is answered while what is under way hangs', async () => {
  const pod = await makePod(cluster, 'a/web', { node: 'n1', nics: [{ name: 'eth0' }] })
  let over = false
  const answer = node.cni('ADD', { pod: { ...pod } }).finally(() => void (over = true))
  assert.equal((await node.cni('STATUS', { pod: { ...pod } })).code, 0)
  assert.equal(over, false)
  await withNetwork(cluster)
  await cluster.settle()
  assert.equal((await answer).code, 0)
})

test('DEL takes away what the sandbox had, twice is once, and the Port goes when the pod does', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  await node.cni('ADD', { pod })
  assert.equal((await portsOf())[0]?.metadata.finalizers?.includes(wiredFinalizer), true)
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  assert.equal((await node.cni('DEL', { pod, netns: '' })).code, 0)
  assert.equal(node.links.there.size, 0)
  assert.equal((await portsOf()).length, 1)
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  await eventually(async () => {
    await cluster.settle()
    return (await portsOf()).length === 0
  }, 'the Port is gone')
  assert.deepEqual(await cluster.all('IPLock'), [])
  await eventually(() => thingsOf(node).join() === 'bridge up', 'nothing is left in the data plane')
})

test("a DEL of an earlier sandbox leaves the pod's new one alone", async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  assert.equal((await node.cni('ADD', { pod, containerID: 'old' })).code, 0)
  assert.equal((await node.cni('ADD', { pod, containerID: 'new' })).code, 0)
  assert.equal((await node.cni('DEL', { pod, containerID: 'old' })).code, 0)
  assert.deepEqual(
    [...node.links.there.values()].map(({ inside }) => inside.netns),
    ['/var/run/netns/new'],
  )
  assert.equal((await node.cni('CHECK', { pod, containerID: 'new' })).code, 0)
})

test('an ADD for an old sandbox that nobody remembers, and its DEL, leave the pod wired where it runs', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  const netnsOf = (): readonly (string | undefined)[] => [...node.links.there.values()].map(({ inside }) => inside.netns)
  assert.equal((await node.cni('ADD', { pod, containerID: 'running' })).code, 0)
  assert.equal((await node.cni('ADD', { pod, containerID: 'old' })).code, 0)
  assert.deepEqual(netnsOf(), ['/var/run/netns/old'])
  assert.equal((await node.cni('DEL', { pod, containerID: 'old' })).code, 0)
  await eventually(() => netnsOf().join() === '/var/run/netns/running', 'it is wired again where it runs')
  await eventually(async () => (await portsOf()).every(({ status }) => status?.node?.wired === true), 'its Port says so')
  await eventually(async () => (await node.cni('CHECK', { pod, containerID: 'running' })).code === 0, 'the runtime finds it right')
})

test('a pod that runs, whose network goes and is made again, is wired into it', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  const [first] = await portsOf()
  await cluster.store.delete(refOf(first!))
  await eventually(async () => {
    await cluster.settle()
    const [now] = await portsOf()
    return now !== undefined && now.metadata.uid !== first!.metadata.uid && now.status?.node?.wired === true
  }, 'another Port is wired in its place')
  const [link, ...others] = [...node.links.there.values()]
  assert.deepEqual([others.length, link?.port.uid, link?.inside.netns], [0, (await portsOf())[0]!.metadata.uid, '/var/run/netns/c1'])
})

test('an ADD for a sandbox that was given up for another comes too late, and one that is alone may come again', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  for (const verb of ['ADD', 'DEL', 'ADD', 'DEL'] as const) assert.equal((await node.cni(verb, { pod, containerID: 'old' })).code, 0)
  assert.equal((await node.cni('ADD', { pod, containerID: 'new' })).code, 0)
  const { code, said } = await node.cni('ADD', { pod, containerID: 'old' })
  assert.equal(code, 11)
  assert.match(said.msg ?? '', /sandbox new has it, which came after old/)
  assert.equal((await node.cni('DEL', { pod, containerID: 'old' })).code, 0)
  assert.deepEqual(
    [...node.links.there.values()].map(({ inside }) => inside.netns),
    ['/var/run/netns/new'],
  )
  await node.restart()
  assert.equal((await node.cni('ADD', { pod, containerID: 'old' })).code, 11)
})

test('a Port whose pod is deleted by force is unwired without a DEL', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  await node.cni('ADD', { pod })
  await deletePod(cluster, 'a/web')
  await eventually(async () => {
    await cluster.settle()
    return (await portsOf()).length === 0
  }, 'the Port is gone')
  assert.equal(node.links.there.size, 0)
})

test('when the delegate fails, nothing of ours stays, and it is asked to clean up', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  await node.delegateFails(true)
  const { code, said } = await node.cni('ADD', { pod })
  assert.equal(code, 102)
  assert.match(said.msg ?? '', /told to fail/)
  assert.deepEqual(await node.delegated(), ['ADD c1 eth0', 'DEL c1 eth0'])
  assert.equal(node.links.there.size, 0)
  await node.delegateFails(false)
  assert.equal((await node.cni('ADD', { pod })).code, 0)
})

test('an agent that starts anew changes nothing of what is wired, and knows its sandboxes', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  await node.cni('ADD', { pod })
  const before = thingsOf(node)
  const changes = node.memory.changes
  await node.restart()
  assert.deepEqual(thingsOf(node), before)
  assert.equal(node.memory.changes, changes)
  assert.equal((await node.cni('CHECK', { pod })).code, 0)
  assert.equal((await node.cni('DEL', { pod })).code, 0)
  assert.equal(node.links.there.size, 0)
})

test('what an agent that was killed had not told yet is told by the next', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  await node.cni('ADD', { pod })
  const told = async (): Promise<string | undefined> => (await cluster.get('Pod', 'a/web'))?.metadata.annotations?.[networkStatusAnnotation]
  await eventually(async () => (await told()) !== undefined && (await portsOf())[0]?.status?.node?.wired === true, 'all is told')
  const before = await told()
  await node.kill()
  const { [networkStatusAnnotation]: _, ...annotations } = (await cluster.get('Pod', 'a/web'))!.metadata.annotations!
  const there = (await cluster.get('Pod', 'a/web'))!
  await cluster.store.update({ ...there, metadata: { ...there.metadata, annotations } })
  const port = (await portsOf())[0]!
  await cluster.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { wired: false } } })
  await node.restart()
  await eventually(async () => (await told()) === before && (await portsOf())[0]?.status?.node?.wired === true, 'all is told again')
})

test("what others have written of the pod's interfaces stays, also where the watch has not told of it yet", async (t) => {
  await withNetwork(cluster)
  const pod = await podHere()
  const past = node.agent.env.pods.get('a/web')
  t.mock.method(node.agent.env.pods, 'get', () => past)
  const theirs = { name: 'others/net', interface: 'net9', ips: ['192.0.2.99'] }
  const there = (await cluster.get('Pod', 'a/web'))!
  await cluster.store.update({
    ...there,
    metadata: { ...there.metadata, annotations: { ...there.metadata.annotations, [networkStatusAnnotation]: JSON.stringify([theirs]) } },
  })
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  const entries = async (): Promise<NetworkStatus[]> =>
    JSON.parse((await cluster.get('Pod', 'a/web'))!.metadata.annotations![networkStatusAnnotation]!) as NetworkStatus[]
  await eventually(async () => (await entries()).some(({ name }) => name.startsWith('megrez/')), 'ours are told')
  assert.deepEqual(
    (await entries()).filter(({ name }) => name === theirs.name),
    [theirs],
  )
})

test('what Multus has written over ours, after our answer, is told again, and each interface once', async () => {
  await withNetwork(cluster)
  const pod = await podHere()
  assert.equal((await node.cni('ADD', { pod })).code, 0)
  const entries = async (): Promise<NetworkStatus[]> =>
    JSON.parse((await cluster.get('Pod', 'a/web'))!.metadata.annotations?.[networkStatusAnnotation] ?? '[]') as NetworkStatus[]
  await eventually(async () => (await entries()).length > 0, 'ours are told')
  const ours = await entries()
  const theirs = { name: 'a/others', interface: 'net9', ips: ['192.0.2.99'] }
  const there = (await cluster.get('Pod', 'a/web'))!
  const written = [
    ...ours.map(({ interface: ifname, ips }) => ({ name: 'megrez', interface: ifname, ips, default: ifname === 'eth0' })),
    theirs,
  ]
  await cluster.store.update({
    ...there,
    metadata: { ...there.metadata, annotations: { ...there.metadata.annotations, [networkStatusAnnotation]: JSON.stringify(written) } },
  })
  await eventually(async () => (await entries()).some(({ name }) => name.startsWith('megrez/')), 'ours are told again')
  assert.deepEqual(await entries(), [...ours, theirs])
})

test('a pod that asks for networks of Multus is not wired past it while it is away, and says so', async (t) => {
  await withNetwork(cluster)
  const pod = await podHere()
  const there = (await cluster.get('Pod', 'a/web'))!
  await cluster.store.update({
    ...there,
    metadata: { ...there.metadata, annotations: { ...there.metadata.annotations, [networksAnnotation]: 'others@net9' } },
  })
  await eventually(
    () => node.agent.env.pods.get('a/web')?.metadata.annotations?.[networksAnnotation] === 'others@net9',
    'the agent has heard',
  )
  const away = t.mock.method(node.agent.env.machine, 'multusAway', () => Promise.resolve('/opt/cni/bin/multus-shim'))
  const { code, said } = await node.cni('ADD', { pod })
  assert.equal(code, 11, JSON.stringify(said))
  assert.match(JSON.stringify(said), /multus-shim/)
  assert.equal(node.links.there.size, 0)
  away.mock.restore()
  assert.equal((await node.cni('ADD', { pod })).code, 0)
})

test('GC takes away what the runtime does not name any more', async () => {
  await withNetwork(cluster)
  const [one, two] = [await podHere('a/one'), await podHere('a/two')]
  await node.cni('ADD', { pod: one, containerID: 'one' })
  await node.cni('ADD', { pod: two, containerID: 'two' })
  const { code } = await node.cni('GC', {
    version: '1.1.0',
    conf: { 'cni.dev/valid-attachments': [{ containerID: 'two', ifname: 'eth0' }] },
  })
  assert.equal(code, 0)
  assert.deepEqual(
    [...node.links.there.values()].map(({ inside }) => inside.netns),
    ['/var/run/netns/two'],
  )
  assert.ok((await node.delegated()).includes('DEL one eth0'))
})

test('GC does not judge what came after it was asked: a runtime that waits no longer adds on', async () => {
  await withNetwork(cluster)
  const [one, two] = [await podHere('a/one'), await podHere('a/two')]
  await node.cni('ADD', { pod: one, containerID: 'one' })
  const { remove } = node.links
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  Object.assign(node.links, {
    async remove(ifcName: string) {
      begun.resolve()
      await goOn.promise
      return remove(ifcName)
    },
  })
  const gc = node.cni('GC', { version: '1.1.0', conf: { 'cni.dev/valid-attachments': [] } })
  await begun.promise
  assert.equal((await node.cni('ADD', { pod: two, containerID: 'two' })).code, 0)
  goOn.resolve()
  assert.equal((await gc).code, 0)
  assert.deepEqual(
    [...node.links.there.values()].map(({ inside }) => inside.netns),
    ['/var/run/netns/two'],
  )
})

test('each wrong request has the number that the specification gives it', async () => {
  assert.equal((await node.cni('ADD', { version: '9.9.9' })).said.code, 1)
  assert.equal((await node.cni('ADD', { containerID: '' })).said.code, 4)
  assert.equal((await node.cni('ADD', { ifname: 'with/slash' })).said.code, 4)
  assert.equal((await node.cni('FLY')).said.code, 4)
  assert.equal((await node.cni('ADD', { conf: { name: '' } })).said.code, 7)
  assert.match(await node.raw(Buffer.from('CNI_COMMAND=ADD\0CNI_CONTAINERID=x\0\0{no json')), /^6\n/)
  assert.match(await node.raw(Buffer.from('nothing that the shim sends')), /^6\n/)
  assert.deepEqual((await node.cni('VERSION')).said, { cniVersion: '1.0.0', supportedVersions: ['0.4.0', '1.0.0', '1.1.0'] })
  assert.equal((await node.cni('STATUS', { version: '1.1.0' })).code, 0)
})
