import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { networkReadyCondition, portFinalizer, tunnelAddressAnnotation, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { kosMac } from '../../core/net/mac.ts'
import { portNameOf } from '../../core/net/names.ts'
import { deletePod, lockedAddresses, makePod, toldOf, withNetwork } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

let cluster: TestCluster
beforeEach(async () => {
  cluster = await openTestCluster()
})
afterEach(() => cluster.close())

test('a pod gets a Port with an address that has a lock, and is told of it', async () => {
  await withNetwork(cluster)
  const pod = await makePod(cluster, 'a/web')
  await cluster.settle()
  const port = await cluster.get('Port', `a/${portNameOf(pod.metadata, 'net1')}`)
  assert.equal(port?.status?.phase, 'ready')
  assert.deepEqual(port.metadata.finalizers, [portFinalizer])
  assert.deepEqual(port.spec.claim, { pod: 'web', nic: 'net1', owner: 'Pod/web', podUID: pod.metadata.uid })
  const [address] = port.status.addresses ?? []
  assert.equal(port.status.mac, kosMac(5000, address ?? ''))
  const [lock] = await cluster.all('IPLock')
  assert.deepEqual(lock?.spec.holder, { kind: 'Port', namespace: 'a', name: port.metadata.name, uid: port.metadata.uid })
  assert.equal(lock.spec.mac, port.status.mac)
  const { timeline, ...said } = await toldOf(cluster, 'a/web')
  assert.deepEqual(
    timeline.map(({ sequence, phase, reason }) => [sequence, phase, reason]),
    [[1, 'ready', 'InPlace']],
  )
  assert.deepEqual(said, {
    phase: 'ready',
    sequence: 1,
    reason: 'InPlace',
    message: '1 NIC ready',
    nics: [
      {
        name: 'net1',
        port: port.metadata.name,
        portID: port.metadata.uid,
        subnet: 'one',
        addresses: [address],
        mac: port.status.mac,
        createdByUs: true,
        phase: 'ready',
      },
    ],
  })
  const told = await cluster.get('Pod', 'a/web')
  assert.equal(told?.status?.conditions?.find(({ type }) => type === networkReadyCondition)?.status, 'True')
})

test('a pod made before its network waits, and is served when that comes', async () => {
  await makePod(cluster, 'a/early')
  await cluster.settle()
  assert.deepEqual(
    [(await toldOf(cluster, 'a/early')).phase, (await toldOf(cluster, 'a/early')).message],
    ['pending', 'Vpc blue not found'],
  )
  await withNetwork(cluster)
  assert.equal((await toldOf(cluster, 'a/early')).phase, 'ready')
})

test('deleting a pod frees all that was made for it and nothing else', async () => {
  await withNetwork(cluster)
  await makePod(cluster, 'a/web', { nics: [{ name: 'net1' }, { name: 'net2' }] })
  await makePod(cluster, 'a/other', { nics: [{ name: 'net1', ip: '10.0.0.77' }] })
  await cluster.settle()
  assert.equal((await cluster.all('Port')).length, 3)
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  assert.deepEqual(
    (await cluster.all('Port')).map((port) => port.spec.claim?.pod),
    ['other'],
  )
  assert.deepEqual(await lockedAddresses(cluster), ['10.0.0.77'])
})

test('a pod made anew under the same name has Ports of its own', async () => {
  await withNetwork(cluster)
  await makePod(cluster, 'a/web')
  await cluster.settle()
  const [first] = await cluster.all('Port')
  await deletePod(cluster, 'a/web')
  await makePod(cluster, 'a/web')
  await cluster.settle()
  const ports = await cluster.all('Port')
  assert.equal(ports.length, 1)
  assert.notEqual(ports[0]?.metadata.uid, first?.metadata.uid)
  assert.equal((await toldOf(cluster, 'a/web')).phase, 'ready')
})

test('a dual-stack Subnet gives one address of each family', async () => {
  await withNetwork(cluster, { ipv4: { cidr: '10.0.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } })
  await makePod(cluster, 'a/web', { nics: [{ name: 'net1', ip: '2001:db8::77' }] })
  await cluster.settle()
  const { nics, phase } = await toldOf(cluster, 'a/web')
  assert.equal(phase, 'ready')
  assert.match(nics[0]?.addresses?.[0] ?? '', /^10\.0\.0\.\d+$/)
  assert.equal(nics[0]?.addresses?.[1], '2001:db8::77')
})

test('an IPv6 Subnet gives an address of its first 2^52 and a MAC with a lock of its own', async () => {
  await withNetwork(cluster, { ipv6: { cidr: '2001:db8::/64' } })
  await makePod(cluster, 'a/web')
  await cluster.settle()
  const { nics } = await toldOf(cluster, 'a/web')
  assert.match(nics[0]?.addresses?.[0] ?? '', /^2001:db8::/)
  const locks = await cluster.all('IPLock')
  assert.deepEqual(locks.map((lock) => lock.metadata.name.split('-')[0]).sort(), ['mac', 'v1'])
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  assert.deepEqual(await cluster.all('IPLock'), [])
})

test('a fixed address outside its Subnet, or taken, is an error that names it', async () => {
  await withNetwork(cluster)
  await makePod(cluster, 'a/first', { nics: [{ name: 'net1', ip: '10.0.0.9' }] })
  await makePod(cluster, 'a/outside', { nics: [{ name: 'net1', ip: '10.9.0.9' }] })
  await cluster.settle()
  await makePod(cluster, 'a/second', { nics: [{ name: 'net1', ip: '10.0.0.9' }] })
  await cluster.settle()
  const [outside, second] = [await toldOf(cluster, 'a/outside'), await toldOf(cluster, 'a/second')]
  assert.equal(outside.phase, 'error')
  assert.match(outside.message, /10\.9\.0\.9/)
  assert.deepEqual([second.phase, second.reason], ['error', 'AddressTaken'])
  assert.match(second.message, /address 10\.0\.0\.9 is taken by Port a\/first-/)
  assert.deepEqual((await cluster.all('Event')).map((event) => [event.spec.regarding.name, event.spec.type]).sort(), [
    ['outside', 'Warning'],
    ['second', 'Warning'],
  ])
  await deletePod(cluster, 'a/first')
  await cluster.settle()
  assert.equal((await toldOf(cluster, 'a/second')).phase, 'ready', 'a fixed address does not wait for its rest')
})

test('a pre-made Port is claimed by its portID, survives its pod, and may be claimed again', async () => {
  await withNetwork(cluster)
  await cluster.make('Port', 'a/mine', { subnet: 'one', portID: 'a2815656', ips: ['10.0.0.5'] })
  await cluster.settle()
  await makePod(cluster, 'a/web', { nics: [{ name: 'net1', portID: 'a2815656' }] })
  await cluster.settle()
  const said = await toldOf(cluster, 'a/web')
  assert.deepEqual([said.phase, said.nics[0]?.port, said.nics[0]?.createdByUs, said.nics[0]?.portID], ['ready', 'mine', false, 'a2815656'])
  await makePod(cluster, 'a/thief', { nics: [{ name: 'net1', portID: 'a2815656' }] })
  await cluster.settle()
  assert.deepEqual(
    [(await toldOf(cluster, 'a/thief')).reason, (await cluster.get('Port', 'a/mine'))?.spec.claim?.pod],
    ['PortTaken', 'web'],
  )
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  const port = await cluster.get('Port', 'a/mine')
  assert.deepEqual([port?.status?.phase, port?.spec.claim?.pod, await lockedAddresses(cluster)], ['ready', 'thief', ['10.0.0.5']])
  assert.equal((await toldOf(cluster, 'a/thief')).phase, 'ready')
})

test('two Ports of one Vpc cannot have the same portID', async () => {
  await withNetwork(cluster)
  await cluster.make('Port', 'a/first', { subnet: 'one', portID: 'same' })
  await cluster.settle()
  await cluster.make('Port', 'a/second', { subnet: 'one', portID: 'same' })
  await cluster.settle()
  const second = await cluster.get('Port', 'a/second')
  assert.deepEqual([second?.status?.phase, second?.status?.message], ['error', 'portID same is taken by Port a/first'])
  assert.equal((await lockedAddresses(cluster)).length, 1, 'nothing is left of what could not be whole')
  await cluster.store.delete({ kind: 'Port', namespace: 'a', name: 'first' })
  await cluster.settle()
  assert.equal((await cluster.get('Port', 'a/second'))?.status?.phase, 'ready')
})

test('a Port that is to be retained outlives the pod it was made for', async () => {
  await withNetwork(cluster)
  const pod = await makePod(cluster, 'a/web')
  await cluster.settle()
  const port = await cluster.get('Port', `a/${portNameOf(pod.metadata, 'net1')}`)
  await cluster.store.update({ ...port!, spec: { ...port!.spec, retain: true } })
  await cluster.settle()
  await deletePod(cluster, 'a/web')
  await cluster.settle()
  const left = await cluster.get('Port', `a/${port!.metadata.name}`)
  assert.deepEqual(
    [left?.status?.phase, left?.status?.createdByUs, left?.spec.claim, left?.spec.podUID],
    ['ready', true, undefined, undefined],
  )
})

test('a Port follows its pod to the node: address of the node, lock and finalizer', async () => {
  await withNetwork(cluster)
  await cluster.make('Node', 'n1', {})
  await cluster.store.replaceForeignStatus({ kind: 'Node', name: 'n1' }, (await cluster.get('Node', 'n1'))!.metadata.uid, {
    addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
  })
  await makePod(cluster, 'a/web')
  await cluster.settle()
  const pod = await cluster.get('Pod', 'a/web')
  await cluster.store.update({ ...pod!, spec: { ...pod!.spec, nodeName: 'n1' } })
  await cluster.settle()
  const [port] = await cluster.all('Port')
  const [lock] = await cluster.all('IPLock')
  assert.deepEqual(
    [port?.spec.node, port?.status?.hostIP, lock?.spec.hostIP, port?.metadata.finalizers],
    ['n1', '192.0.2.1', '192.0.2.1', [portFinalizer, wiredFinalizer]],
  )
})

test("what a Node's annotation says is where others tunnel to, also when it is said later", async () => {
  await withNetwork(cluster)
  await cluster.make('Node', 'n1', {})
  await cluster.store.replaceForeignStatus({ kind: 'Node', name: 'n1' }, (await cluster.get('Node', 'n1'))!.metadata.uid, {
    addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
  })
  await cluster.make('Port', 'a/one', { subnet: 'one', node: 'n1' })
  await cluster.settle()
  assert.equal((await cluster.get('Port', 'a/one'))?.status?.hostIP, '192.0.2.1')
  const node = await cluster.get('Node', 'n1')
  await cluster.store.update({ ...node!, metadata: { ...node!.metadata, annotations: { [tunnelAddressAnnotation]: '198.51.100.1' } } })
  await cluster.settle()
  assert.deepEqual(
    [(await cluster.get('Port', 'a/one'))?.status?.hostIP, (await cluster.all('IPLock'))[0]?.spec.hostIP],
    ['198.51.100.1', '198.51.100.1'],
  )
})

test('a Subnet of another namespace serves pods where its Vpc is shared, and is not found where it is not', async () => {
  await cluster.make('Vpc', 'a/blue', { vni: 5000, sharedWith: ['b'] })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await cluster.settle()
  for (const namespace of ['b', 'c'])
    await makePod(cluster, `${namespace}/web`, { vpc: 'a/blue', nics: [{ name: 'net1', subnet: 'a/one' }] })
  await cluster.make('Port', 'c/own', { subnet: 'a/one' })
  await cluster.settle()
  assert.equal((await toldOf(cluster, 'b/web')).phase, 'ready')
  assert.match((await toldOf(cluster, 'c/web')).message, /not found/)
  assert.deepEqual(
    [(await cluster.get('Port', 'c/own'))?.status?.phase, (await cluster.get('Port', 'c/own'))?.status?.message],
    ['pending', 'Subnet a/one not found'],
  )
  assert.equal((await cluster.all('IPLock'))[0]?.metadata.namespace, 'a', 'locks live with their Vpc')
})

test('a lock that is taken away by hand is made again', async () => {
  await withNetwork(cluster)
  await makePod(cluster, 'a/web')
  await cluster.settle()
  const before = await lockedAddresses(cluster)
  const [lock] = await cluster.all('IPLock')
  await cluster.store.delete({ kind: 'IPLock', namespace: 'a', name: lock!.metadata.name })
  await cluster.settle()
  assert.deepEqual(await lockedAddresses(cluster), before)
})
