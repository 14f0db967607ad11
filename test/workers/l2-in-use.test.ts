// What carries the VLANs of somebody stays until nobody needs it, with his name, and then goes by itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, withFabric, type Site } from './fabric-site.ts'
import { openHouse, type House, type HouseOptions } from './house.ts'
import { withLateWatch } from './late-watch.ts'

const open = ['tor1/n1: 100', 'tor2/n2: 100']
const network = { 'k8s.v1.cni.cncf.io/networks': 'att' }

/** An attachment of VLAN 100 that a pod uses. */
async function inHouse(run: (house: House, fabric: Site) => Promise<void>, options: HouseOptions = {}): Promise<void> {
  const fabric = site()
  const house = await openHouse({ ...options, fabricRegistry: fabric.registry })
  try {
    await withFabric(house)
    await house.make('L2Service', 'a/s', { segmentationID: 100 })
    await house.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await house.settle()
    await house.make('Pod', 'a/p', { containers: [{ name: 'main' }] }, { annotations: network })
    await house.settle()
    await run(house, fabric)
  } finally {
    await house.close()
  }
}
const remove = (house: House, kind: 'NodePool' | 'Subnet' | 'L2ServiceAttachment' | 'Pod', name: string): Promise<unknown> => house.store.delete({ kind, name, ...(kind !== 'NodePool' && { namespace: 'a' }) })
const pool = async (house: House): Promise<string> => {
  const item = await house.get('NodePool', 'pool')
  return item === undefined ? 'gone' : `${item.status?.phase ?? 'new'}: ${item.status?.message ?? ''}`
}

test('a NodePool whose interfaces carry the VLANs of a pod stays with them, and goes by itself after the last', () => inHouse(async (house, fabric) => {
  assert.deepEqual(fabric.lines(), open)
  await remove(house, 'NodePool', 'pool')
  await house.turn(60_000)
  assert.deepEqual([await pool(house), fabric.lines()], ['terminating: L2ServiceAttachment a/att still uses it', open])
  await remove(house, 'L2ServiceAttachment', 'att')
  await house.turn(60_000)
  assert.deepEqual([await pool(house), fabric.lines()], ['terminating: L2ServiceAttachment a/att still uses it', open])
  await remove(house, 'Pod', 'p')
  await house.settle()
  assert.deepEqual([await pool(house), fabric.lines()], ['gone', []])
}))

test('a NodePool stays until its VLANs are closed, where a switch does not answer', () => inHouse(async (house, fabric) => {
  fabric.cut.add('tor2')
  await remove(house, 'NodePool', 'pool')
  await remove(house, 'L2ServiceAttachment', 'att')
  await house.store.delete({ kind: 'L2Service', namespace: 'a', name: 's' })
  await remove(house, 'Pod', 'p')
  for (let i = 0; i < 3; i++) await house.turn(30_000)
  assert.deepEqual([await pool(house), fabric.lines()], ['terminating: L2Service a/s still uses it', ['tor2/n2: 100']])
  fabric.cut.clear()
  for (let i = 0; i < 3; i++) await house.turn(30_000)
  assert.deepEqual([await pool(house), fabric.lines()], ['gone', []])
}))

test('a NodePool of another ConnectionPoint, or whose interface is down, goes at once', () => inHouse(async (house, fabric) => {
  await house.make('NodePool', 'other', { nodes: ['n1'], interfaces: [{ name: 'ens1', connectionPoint: 'other' }, { name: 'ens2', connectionPoint: 'cp', state: 'down' }] })
  await house.settle()
  await remove(house, 'NodePool', 'other')
  await house.settle()
  assert.equal(await house.get('NodePool', 'other'), undefined)
  assert.deepEqual(fabric.lines(), open)
}))

test('a NodePool stays for an attachment that no watch has told of yet', async () => {
  const store = withLateWatch(({ kind }) => kind === 'L2ServiceAttachment', 200)
  await inHouse(async (house) => {
    await remove(house, 'NodePool', 'pool')
    await house.settle()
    assert.equal(house.caches.L2ServiceAttachment.size, 0)
    assert.equal(await pool(house), 'terminating: L2ServiceAttachment a/att still uses it')
  }, { store })
  await store.close()
})

const subnet = async (house: House, name = 'v4'): Promise<string> => {
  const item = await house.get('Subnet', `a/${name}`)
  return item === undefined ? 'gone' : `${item.status?.phase ?? 'new'}: ${item.status?.message ?? ''}`
}
const lists = async (house: House, subnets: readonly string[]): Promise<void> => {
  const service = (await house.get('L2Service', 'a/s'))!
  await house.store.update({ ...service, spec: { ...service.spec, subnets: [...subnets] } })
  await house.settle()
}
const config = async (house: House): Promise<string> => (await house.get('NetworkAttachmentDefinition', 'a/att'))?.spec.config ?? ''

test('a Subnet that an attached L2Service lists stays in its definitions, and goes by itself after the attachment', () => inHouse(async (house) => {
  await house.make('Subnet', 'a/v4', { l2Service: 's', ipv4: { cidr: '10.9.0.0/24' } })
  await lists(house, ['v4'])
  const before = await config(house)
  assert.match(before, /10\.9\.0\.0\/24/)
  await remove(house, 'Subnet', 'v4')
  await house.turn(60_000)
  assert.deepEqual([await subnet(house), await config(house)], ['terminating: L2Service s lists it and is attached', before])
  await remove(house, 'L2ServiceAttachment', 'att')
  await house.settle()
  assert.equal(await subnet(house), 'terminating: L2Service s lists it and is attached')
  await remove(house, 'Pod', 'p')
  await house.settle()
  assert.equal(await subnet(house), 'gone')
}))

test('a Subnet goes by itself once its L2Service lists it no more, and at once where nobody lists it', () => inHouse(async (house) => {
  for (const [name, cidr] of [['v4', '10.9.0.0/24'], ['spare', '10.8.0.0/24']] as const) await house.make('Subnet', `a/${name}`, { l2Service: 's', ipv4: { cidr } })
  await lists(house, ['v4'])
  await remove(house, 'Subnet', 'v4')
  await remove(house, 'Subnet', 'spare')
  await house.settle()
  assert.deepEqual([await subnet(house), await subnet(house, 'spare')], ['terminating: L2Service s lists it and is attached', 'gone'])
  await lists(house, [])
  assert.equal(await subnet(house), 'gone')
}))
