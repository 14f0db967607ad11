import { afterEach, beforeEach, test } from 'node:test'
import assert from 'node:assert/strict'
import { makePod, toldOf, withNetwork } from './network.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

let cluster: TestCluster
beforeEach(async () => {
  cluster = await openTestCluster()
})
afterEach(() => cluster.close())

const remove = (kind: 'Vpc' | 'Subnet' | 'Port', name: string): Promise<unknown> => cluster.store.delete({ kind, namespace: 'a', name })
const reportOf = async (kind: 'Vpc' | 'Subnet' | 'Port', key: string): Promise<unknown[]> => {
  const item = await cluster.get(kind, key)
  return [item?.status?.phase, item?.status?.message]
}

test('a Vpc that names no VNI gets one of the range, and no two the same', async () => {
  for (let i = 0; i < 20; i++) await cluster.make('Vpc', `a/v${i}`, {})
  await cluster.settle()
  const vnis = (await cluster.all('Vpc')).map((vpc) => vpc.status?.vni ?? 0)
  assert.equal(new Set(vnis).size, 20)
  assert.ok(vnis.every((vni) => vni >= cluster.config.vniMin && vni <= cluster.config.vniMax))
  assert.deepEqual((await cluster.all('SegmentLock')).map((lock) => lock.spec.vni).sort(), vnis.sort())
})

test('a range of three VNIs serves three Vpcs; the fourth is told, and served when one goes', async () => {
  await cluster.close()
  cluster = await openTestCluster({ config: { vniMin: 10, vniMax: 12 } })
  for (const name of ['v1', 'v2', 'v3', 'v4']) await cluster.make('Vpc', `a/${name}`, {})
  await cluster.advance(1_000)
  const without = (await cluster.all('Vpc')).filter((vpc) => vpc.status?.vni === undefined)
  assert.deepEqual(
    without.map((vpc) => [vpc.status?.phase, vpc.status?.message]),
    [['error', 'every VNI of the configured range is taken']],
  )
  await remove('Vpc', without[0]?.metadata.name === 'v1' ? 'v2' : 'v1')
  await cluster.advance(31_000)
  assert.deepEqual(
    (await cluster.all('Vpc')).map((vpc) => vpc.status?.phase),
    ['ready', 'ready', 'ready'],
  )
})

test('a VNI that another Vpc has is refused, and had when that one goes', async () => {
  await cluster.make('Vpc', 'a/first', { vni: 77 })
  await cluster.settle()
  await cluster.make('Vpc', 'a/second', { vni: 77 })
  await cluster.settle()
  assert.deepEqual(await reportOf('Vpc', 'a/second'), ['error', 'VNI 77 belongs to another Vpc'])
  await remove('Vpc', 'first')
  await cluster.settle()
  assert.deepEqual(await reportOf('Vpc', 'a/second'), ['ready', 'VNI 77'])
})

const tagged = { physicalNetwork: 'default', id: 100 }
const untilTagged = async (): Promise<void> => {
  await cluster.make('Vpc', 'a/tagged', { vlan: tagged })
  await cluster.make('Subnet', 'a/s', { vpc: 'tagged', ipv4: { cidr: '10.0.0.0/24' } })
  for (const name of ['p', 'q']) await cluster.make('Port', `a/${name}`, { subnet: 's', type: 'kernel', portSecurity: true })
  await cluster.settle()
}

test('in a Vpc that is a VLAN Ports have addresses and MACs of their own, and say in which VLAN they are', async () => {
  await untilTagged()
  const segment = vlanSegment('default', 100)
  const where = (item: { readonly status?: object } | undefined): object => ({ ...item?.status })
  for (const item of [await cluster.get('Vpc', 'a/tagged'), await cluster.get('Subnet', 'a/s'), ...(await cluster.all('Port'))])
    assert.partialDeepStrictEqual(where(item), { phase: 'ready', vlan: tagged, segment })
  const ports = (await cluster.all('Port')).map(({ status = {}, metadata: { uid } }) => ({ ...status, uid }))
  assert.ok(ports.every((status) => !('vni' in status)))
  const locks = (await cluster.all('IPLock')).filter(({ spec }) => spec.vni === segment)
  for (const { uid, addresses, mac } of ports) {
    const held = locks.filter(({ spec }) => spec.holder?.uid === uid)
    assert.deepEqual(held.map(({ spec }) => spec.address ?? spec.mac).sort(), [...addresses!, mac].sort(), 'an address and a MAC')
  }
  assert.equal(new Set(ports.map(({ mac }) => mac)).size, 2)
})

test('a VLAN is a Vpc’s or an L2Service’s, and never two things at once', async () => {
  await untilTagged()
  await cluster.make('L2Service', 'a/late', { segmentationID: 100 })
  await cluster.make('Vpc', 'b/rival', { vlan: tagged })
  await cluster.settle()
  const isTaken = 'VLAN 100 of physical network default belongs to another Vpc or to an L2Service'
  assert.partialDeepStrictEqual(await cluster.get('L2Service', 'a/late'), {
    status: { message: 'VLAN 100 of physical network default is held by Vpc a/tagged' },
  })
  assert.partialDeepStrictEqual(await cluster.get('Vpc', 'b/rival'), { status: { phase: 'error', message: isTaken } })
  await cluster.store.delete({ kind: 'Vpc', namespace: 'b', name: 'rival' })
  for (const name of ['p', 'q']) await remove('Port', name)
  await remove('Subnet', 's')
  await remove('Vpc', 'tagged')
  await cluster.advance(31_000)
  assert.deepEqual([await cluster.all('IPLock'), await cluster.get('Vpc', 'a/tagged')], [[], undefined])
  assert.partialDeepStrictEqual(await cluster.get('L2Service', 'a/late'), { status: { phase: 'ready' } })
  await cluster.make('Vpc', 'a/later', { vlan: tagged })
  await cluster.settle()
  assert.deepEqual(await reportOf('Vpc', 'a/later'), ['error', isTaken])
})

test('of two overlapping Subnets made at once one is valid, and the other when that one goes', async () => {
  await cluster.make('Vpc', 'a/blue', { vni: 5000 })
  const rivals = [
    cluster.make('Subnet', 'a/x', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/16' } }),
    cluster.make('Subnet', 'a/y', { vpc: 'blue', ipv4: { cidr: '10.0.7.0/24' } }),
  ]
  await Promise.all(rivals)
  await cluster.advance(1_000)
  const all = await cluster.all('Subnet')
  const valid = all.filter((subnet) => subnet.status?.validated === true)
  const [refused] = all.filter((subnet) => subnet.status?.validated !== true)
  assert.equal(valid.length, 1)
  assert.equal(refused?.status?.phase, 'error')
  assert.match(refused.status.message ?? '', new RegExp(`overlaps .* of Subnet a/${valid[0]?.metadata.name ?? ''} on VNI 5000`))
  await remove('Subnet', valid[0]!.metadata.name)
  await cluster.settle()
  const left = await cluster.all('Subnet')
  assert.deepEqual(
    left.map((subnet) => [subnet.metadata.name, subnet.status?.validated]),
    [[refused.metadata.name, true]],
  )
})

test('the same block in two Vpcs is no overlap', async () => {
  await withNetwork(cluster)
  await cluster.make('Vpc', 'a/red', {})
  await cluster.make('Subnet', 'a/two', { vpc: 'red', ipv4: { cidr: '10.0.0.0/24' } })
  await cluster.settle()
  assert.deepEqual(
    (await cluster.all('Subnet')).map((subnet) => subnet.status?.validated),
    [true, true],
  )
  await makePod(cluster, 'a/p', { nics: [{ name: 'net1', subnet: 'one', ip: '10.0.0.9' }] })
  await makePod(cluster, 'a/q', { vpc: 'red', nics: [{ name: 'net1', subnet: 'two', ip: '10.0.0.9' }] })
  await cluster.settle()
  assert.deepEqual([(await toldOf(cluster, 'a/p')).phase, (await toldOf(cluster, 'a/q')).phase], ['ready', 'ready'])
})

test('a Subnet made before its Vpc waits for it', async () => {
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  await cluster.settle()
  assert.deepEqual(await reportOf('Subnet', 'a/one'), ['pending', 'Vpc blue not found'])
  await cluster.make('Vpc', 'a/blue', {})
  await cluster.settle()
  assert.equal((await reportOf('Subnet', 'a/one'))[0], 'ready')
})

test('Vpc, Subnet and Port are deleted in any order: each waits for those in it, and says for whom', async () => {
  await withNetwork(cluster)
  await cluster.make('Port', 'a/mine', { subnet: 'one' })
  await cluster.make('Port', 'a/other', { subnet: 'one' })
  await cluster.settle()
  await remove('Vpc', 'blue')
  await remove('Subnet', 'one')
  await cluster.settle()
  assert.deepEqual(await reportOf('Vpc', 'a/blue'), ['terminating', 'Subnet one is still in it'])
  assert.deepEqual(await reportOf('Subnet', 'a/one'), ['terminating', 'Port mine and 1 more are still in it'])
  assert.equal((await reportOf('Port', 'a/mine'))[0], 'ready', 'what is in it goes on working')
  await remove('Port', 'mine')
  await cluster.settle()
  assert.deepEqual(await reportOf('Subnet', 'a/one'), ['terminating', 'Port other is still in it'])
  await remove('Port', 'other')
  await cluster.settle()
  for (const kind of ['Vpc', 'Subnet', 'Port', 'IPLock', 'SegmentLock'] as const) assert.deepEqual(await cluster.all(kind), [], kind)
})

test('a Subnet that is being deleted takes no new Ports', async () => {
  await withNetwork(cluster)
  await cluster.make('Port', 'a/mine', { subnet: 'one' })
  await cluster.settle()
  await remove('Subnet', 'one')
  await cluster.settle()
  await cluster.make('Port', 'a/late', { subnet: 'one' })
  await cluster.settle()
  assert.deepEqual(await reportOf('Port', 'a/late'), ['error', 'Subnet one is being deleted'])
})

test('pools and excludes say what is handed out; changing them moves nobody', async () => {
  await withNetwork(cluster, { ipv4: { cidr: '10.0.0.0/24', pools: [{ first: '10.0.0.10', last: '10.0.0.13' }], excludes: ['10.0.0.11'] } })
  for (const name of ['p', 'q', 'r', 's']) await cluster.make('Port', `a/${name}`, { subnet: 'one' })
  await cluster.settle()
  const given = (await cluster.all('Port')).flatMap((port) => port.status?.addresses ?? [])
  assert.deepEqual(given.sort(), ['10.0.0.10', '10.0.0.12', '10.0.0.13'])
  const subnet = await cluster.get('Subnet', 'a/one')
  await cluster.store.update({
    ...subnet!,
    spec: { ...subnet!.spec, ipv4: { cidr: '10.0.0.0/24', pools: [{ first: '10.0.0.200', last: '10.0.0.200' }] } },
  })
  await cluster.advance(6_000)
  const after = (await cluster.all('Port')).flatMap((port) => port.status?.addresses ?? [])
  assert.deepEqual(after.sort(), [...given, '10.0.0.200'].sort())
})

test('of two Subnets of one L2Service that overlap the first stays, also when it is the younger by name; the other is told, and valid once it goes', async () => {
  const make = (name: string, cidr: string, l2Service = 's'): Promise<unknown> =>
    cluster.make('Subnet', `a/${name}`, { l2Service, ipv4: { cidr } })
  await make('z', '10.9.0.0/24')
  await cluster.settle()
  await make('b', '10.9.0.128/25')
  await make('apart', '10.9.1.0/24')
  await make('elsewhere', '10.9.0.0/24', 't')
  await cluster.settle()
  assert.deepEqual(await reportOf('Subnet', 'a/b'), ['error', '10.9.0.128/25 overlaps 10.9.0.0/24 of Subnet a/z in L2Service s'])
  for (const name of ['z', 'apart', 'elsewhere']) assert.equal((await reportOf('Subnet', `a/${name}`))[0], 'ready')
  await remove('Subnet', 'z')
  await cluster.settle()
  assert.deepEqual(await reportOf('Subnet', 'a/b'), ['ready', 'of L2Service s'])
})
