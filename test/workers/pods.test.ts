import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { networkReadyCondition, portFinalizer, tunnelAddressAnnotation, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { kosMac } from '../../core/net/mac.ts'
import { portNameOf } from '../../core/net/names.ts'
import { deletePod, lockedAddresses, makePod, toldOf, withNetwork } from './network.ts'
import { openHouse, type House } from './house.ts'

let house: House
beforeEach(async () => {
  house = await openHouse()
})
afterEach(() => house.close())

test('a pod gets a Port with an address that has a lock, and is told of it', async () => {
  await withNetwork(house)
  const pod = await makePod(house, 'a/web')
  await house.settle()
  const port = await house.get('Port', `a/${portNameOf(pod.metadata, 'net1')}`)
  assert.equal(port?.status?.phase, 'ready')
  assert.deepEqual(port.metadata.finalizers, [portFinalizer])
  assert.deepEqual(port.spec.claim, { pod: 'web', nic: 'net1', owner: 'Pod/web', podUID: pod.metadata.uid })
  const [address] = port.status.addresses ?? []
  assert.equal(port.status.mac, kosMac(5000, address ?? ''))
  const [lock] = await house.all('IPLock')
  assert.deepEqual(lock?.spec.holder, { kind: 'Port', namespace: 'a', name: port.metadata.name, uid: port.metadata.uid })
  assert.equal(lock.spec.mac, port.status.mac)
  const { timeline, ...said } = await toldOf(house, 'a/web')
  assert.deepEqual(timeline.map(({ sequence, phase, reason }) => [sequence, phase, reason]), [[1, 'ready', 'InPlace']])
  assert.deepEqual(said, {
    phase: 'ready', sequence: 1, reason: 'InPlace', message: '1 NIC ready',
    nics: [{ name: 'net1', port: port.metadata.name, portID: port.metadata.uid, subnet: 'one', addresses: [address], mac: port.status.mac, createdByUs: true, phase: 'ready' }],
  })
  const told = await house.get('Pod', 'a/web')
  assert.equal(told?.status?.conditions?.find(({ type }) => type === networkReadyCondition)?.status, 'True')
})

test('a pod made before its network waits, and is served when that comes', async () => {
  await makePod(house, 'a/early')
  await house.settle()
  assert.deepEqual([(await toldOf(house, 'a/early')).phase, (await toldOf(house, 'a/early')).message], ['pending', 'Vpc blue not found'])
  await withNetwork(house)
  assert.equal((await toldOf(house, 'a/early')).phase, 'ready')
})

test('deleting a pod frees all that was made for it and nothing else', async () => {
  await withNetwork(house)
  await makePod(house, 'a/web', { nics: [{ name: 'net1' }, { name: 'net2' }] })
  await makePod(house, 'a/other', { nics: [{ name: 'net1', ip: '10.0.0.77' }] })
  await house.settle()
  assert.equal((await house.all('Port')).length, 3)
  await deletePod(house, 'a/web')
  await house.settle()
  assert.deepEqual((await house.all('Port')).map((port) => port.spec.claim?.pod), ['other'])
  assert.deepEqual(await lockedAddresses(house), ['10.0.0.77'])
})

test('a pod made anew under the same name has Ports of its own', async () => {
  await withNetwork(house)
  await makePod(house, 'a/web')
  await house.settle()
  const [first] = await house.all('Port')
  await deletePod(house, 'a/web')
  await makePod(house, 'a/web')
  await house.settle()
  const ports = await house.all('Port')
  assert.equal(ports.length, 1)
  assert.notEqual(ports[0]?.metadata.uid, first?.metadata.uid)
  assert.equal((await toldOf(house, 'a/web')).phase, 'ready')
})

test('a dual-stack Subnet gives one address of each family', async () => {
  await withNetwork(house, { ipv4: { cidr: '10.0.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } })
  await makePod(house, 'a/web', { nics: [{ name: 'net1', ip: '2001:db8::77' }] })
  await house.settle()
  const { nics, phase } = await toldOf(house, 'a/web')
  assert.equal(phase, 'ready')
  assert.match(nics[0]?.addresses?.[0] ?? '', /^10\.0\.0\.\d+$/)
  assert.equal(nics[0]?.addresses?.[1], '2001:db8::77')
})

test('an IPv6 Subnet gives an address of its first 2^52 and a MAC with a lock of its own', async () => {
  await withNetwork(house, { ipv6: { cidr: '2001:db8::/64' } })
  await makePod(house, 'a/web')
  await house.settle()
  const { nics } = await toldOf(house, 'a/web')
  assert.match(nics[0]?.addresses?.[0] ?? '', /^2001:db8::/)
  const locks = await house.all('IPLock')
  assert.deepEqual(locks.map((lock) => lock.metadata.name.split('-')[0]).sort(), ['mac', 'v1'])
  await deletePod(house, 'a/web')
  await house.settle()
  assert.deepEqual(await house.all('IPLock'), [])
})

test('a fixed address outside its Subnet, or taken, is an error that names it', async () => {
  await withNetwork(house)
  await makePod(house, 'a/first', { nics: [{ name: 'net1', ip: '10.0.0.9' }] })
  await makePod(house, 'a/outside', { nics: [{ name: 'net1', ip: '10.9.0.9' }] })
  await house.settle()
  await makePod(house, 'a/second', { nics: [{ name: 'net1', ip: '10.0.0.9' }] })
  await house.settle()
  const [outside, second] = [await toldOf(house, 'a/outside'), await toldOf(house, 'a/second')]
  assert.equal(outside.phase, 'error')
  assert.match(outside.message, /10\.9\.0\.9/)
  assert.deepEqual([second.phase, second.reason], ['error', 'AddressTaken'])
  assert.match(second.message, /address 10\.0\.0\.9 is taken by Port a\/first-/)
  assert.deepEqual((await house.all('Event')).map((event) => [event.spec.regarding.name, event.spec.type]).sort(), [['outside', 'Warning'], ['second', 'Warning']])
  await deletePod(house, 'a/first')
  await house.settle()
  assert.equal((await toldOf(house, 'a/second')).phase, 'ready', 'a fixed address does not wait for its rest')
})

test('a pre-made Port is claimed by its portID, survives its pod, and may be claimed again', async () => {
  await withNetwork(house)
  await house.make('Port', 'a/mine', { subnet: 'one', portID: 'a2815656', ips: ['10.0.0.5'] })
  await house.settle()
  await makePod(house, 'a/web', { nics: [{ name: 'net1', portID: 'a2815656' }] })
  await house.settle()
  const said = await toldOf(house, 'a/web')
  assert.deepEqual([said.phase, said.nics[0]?.port, said.nics[0]?.createdByUs, said.nics[0]?.portID], ['ready', 'mine', false, 'a2815656'])
  await makePod(house, 'a/thief', { nics: [{ name: 'net1', portID: 'a2815656' }] })
  await house.settle()
  assert.deepEqual([(await toldOf(house, 'a/thief')).reason, (await house.get('Port', 'a/mine'))?.spec.claim?.pod], ['PortTaken', 'web'])
  await deletePod(house, 'a/web')
  await house.settle()
  const port = await house.get('Port', 'a/mine')
  assert.deepEqual([port?.status?.phase, port?.spec.claim?.pod, await lockedAddresses(house)], ['ready', 'thief', ['10.0.0.5']])
  assert.equal((await toldOf(house, 'a/thief')).phase, 'ready')
})

test('two Ports of one Vpc cannot have the same portID', async () => {
  await withNetwork(house)
  await house.make('Port', 'a/first', { subnet: 'one', portID: 'same' })
  await house.settle()
  await house.make('Port', 'a/second', { subnet: 'one', portID: 'same' })
  await house.settle()
  const second = await house.get('Port', 'a/second')
  assert.deepEqual([second?.status?.phase, second?.status?.message], ['error', 'portID same is taken by Port a/first'])
  assert.equal((await lockedAddresses(house)).length, 1, 'nothing is left of what could not be whole')
  await house.store.delete({ kind: 'Port', namespace: 'a', name: 'first' })
  await house.settle()
  assert.equal((await house.get('Port', 'a/second'))?.status?.phase, 'ready')
})

test('a Port that is to be retained outlives the pod it was made for', async () => {
  await withNetwork(house)
  const pod = await makePod(house, 'a/web')
  await house.settle()
  const port = await house.get('Port', `a/${portNameOf(pod.metadata, 'net1')}`)
  await house.store.update({ ...port!, spec: { ...port!.spec, retain: true } })
  await house.settle()
  await deletePod(house, 'a/web')
  await house.settle()
  const left = await house.get('Port', `a/${port!.metadata.name}`)
  assert.deepEqual([left?.status?.phase, left?.status?.createdByUs, left?.spec.claim, left?.spec.podUID], ['ready', true, undefined, undefined])
})

test('a Port follows its pod to the node: address of the node, lock and finalizer', async () => {
  await withNetwork(house)
  await house.make('Node', 'n1', {})
  await house.store.replaceForeignStatus({ kind: 'Node', name: 'n1' }, (await house.get('Node', 'n1'))!.metadata.uid, { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] })
  await makePod(house, 'a/web')
  await house.settle()
  const pod = await house.get('Pod', 'a/web')
  await house.store.update({ ...pod!, spec: { ...pod!.spec, nodeName: 'n1' } })
  await house.settle()
  const [port] = await house.all('Port')
  const [lock] = await house.all('IPLock')
  assert.deepEqual([port?.spec.node, port?.status?.hostIP, lock?.spec.hostIP, port?.metadata.finalizers], ['n1', '192.0.2.1', '192.0.2.1', [portFinalizer, wiredFinalizer]])
})

test('what a Node\'s annotation says is where others tunnel to, also when it is said later', async () => {
  await withNetwork(house)
  await house.make('Node', 'n1', {})
  await house.store.replaceForeignStatus({ kind: 'Node', name: 'n1' }, (await house.get('Node', 'n1'))!.metadata.uid, { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] })
  await house.make('Port', 'a/one', { subnet: 'one', node: 'n1' })
  await house.settle()
  assert.equal((await house.get('Port', 'a/one'))?.status?.hostIP, '192.0.2.1')
  const node = await house.get('Node', 'n1')
  await house.store.update({ ...node!, metadata: { ...node!.metadata, annotations: { [tunnelAddressAnnotation]: '198.51.100.1' } } })
  await house.settle()
  assert.deepEqual([(await house.get('Port', 'a/one'))?.status?.hostIP, (await house.all('IPLock'))[0]?.spec.hostIP], ['198.51.100.1', '198.51.100.1'])
})

test('a Subnet of another namespace serves pods where its Vpc is shared, and is not found where it is not', async () => {
  await house.make('Vpc', 'a/blue', { vni: 5000, sharedWith: ['b'] })
  await house.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await house.settle()
  for (const namespace of ['b', 'c']) await makePod(house, `${namespace}/web`, { vpc: 'a/blue', nics: [{ name: 'net1', subnet: 'a/one' }] })
  await house.make('Port', 'c/own', { subnet: 'a/one' })
  await house.settle()
  assert.equal((await toldOf(house, 'b/web')).phase, 'ready')
  assert.match((await toldOf(house, 'c/web')).message, /not found/)
  assert.deepEqual([(await house.get('Port', 'c/own'))?.status?.phase, (await house.get('Port', 'c/own'))?.status?.message], ['pending', 'Subnet a/one not found'])
  assert.equal((await house.all('IPLock'))[0]?.metadata.namespace, 'a', 'locks live with their Vpc')
})

test('a lock that is taken away by hand is made again', async () => {
  await withNetwork(house)
  await makePod(house, 'a/web')
  await house.settle()
  const before = await lockedAddresses(house)
  const [lock] = await house.all('IPLock')
  await house.store.delete({ kind: 'IPLock', namespace: 'a', name: lock!.metadata.name })
  await house.settle()
  assert.deepEqual(await lockedAddresses(house), before)
})
