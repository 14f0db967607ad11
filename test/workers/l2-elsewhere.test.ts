// One switch that does nothing, because its Fabric is a dry run or because it refuses, holds no other up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SwitchRefused } from '../../core/errors.ts'
import type { VlanId } from '../../core/net/segment.ts'
import { memory, memorySwitch } from '../../workers/drivers/fabric/memory.ts'
import { site, withFabric, type Site } from './fabric-site.ts'
import { openHouse, type House } from './house.ts'

/** Beside the site's Fabric a node n3 of the same pool on tor3, in a Fabric of its own. */
async function inHouse(more: { readonly dryRun?: boolean }, run: (house: House, fabric: Site & { refuses: string | undefined }) => Promise<void>): Promise<void> {
  const fabric = Object.assign(site(['tor1', 'tor2', 'tor3']), { refuses: undefined as string | undefined })
  const registry: Site['registry'] = {
    ...fabric.registry,
    memory: ({ address }) => {
      const driver = memory(fabric.switches.get(address) ?? memorySwitch(), { any: true })
      return { ...driver, apply: (action, signal) => (fabric.refuses === address ? Promise.reject(new SwitchRefused({ target: address, reason: 'its table is full' })) : driver.apply(action, signal)) }
    },
  }
  const house = await openHouse({ fabricRegistry: registry })
  try {
    await withFabric(house)
    const pool = (await house.get('NodePool', 'pool'))!
    await house.store.update({ ...pool, spec: { ...pool.spec, nodes: ['n1', 'n2', 'n3'] } })
    await house.make('Fabric', 'lab', { switches: [{ name: 'tor3', driver: 'memory', address: 'tor3' }], links: [{ node: 'n3', interface: 'ens1', switch: 'tor3', switchPort: 'n3' }], ...more })
    await house.make('L2Service', 'a/s', { segmentationID: 100 })
    await house.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await house.settle()
    await run(house, fabric)
  } finally {
    await house.close()
  }
}
const leave = async (house: House, nodes: readonly string[]): Promise<void> => {
  const pool = (await house.get('NodePool', 'pool'))!
  await house.store.update({ ...pool, spec: { ...pool.spec, nodes: [...nodes] } })
  for (let i = 0; i < 3; i++) await house.turn(30_001)
}
const domainOf = async (house: House) => (await house.all('L2BridgeDomain'))[0]!

test('a Fabric that is a dry run holds no other back: what left a node is closed on its switch', () => inHouse({ dryRun: true }, async (house, fabric) => {
  assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor2/n2: 100'])
  await leave(house, ['n1', 'n3'])
  assert.deepEqual(fabric.lines(), ['tor1/n1: 100'])
  assert.equal((await domainOf(house)).status?.message, 'dry run: would open VLAN 100 on lab/tor3/n3')
}))

test('a VLAN of before that no definition says is closed on all others, though a dry run keeps the new one from opening everywhere', () => inHouse({ dryRun: true }, async (house, fabric) => {
  const service = (await house.get('L2Service', 'a/s'))!
  await house.store.update({ ...service, spec: { segmentationID: 101 } })
  for (let i = 0; i < 3; i++) await house.turn(30_001)
  assert.deepEqual(fabric.lines(), ['tor1/n1: 101', 'tor2/n2: 101'])
  assert.equal((await domainOf(house)).status?.message, 'dry run: would open VLAN 101 on lab/tor3/n3')
}))

test('what a dry run leaves open is remembered, also when its L2Service goes, and closed once it is none any more', () => inHouse({}, async (house, fabric) => {
  assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor2/n2: 100', 'tor3/n3: 100'])
  const lab = (await house.get('Fabric', 'lab'))!
  await house.store.update({ ...lab, spec: { ...lab.spec, dryRun: true } })
  await house.settle()
  await leave(house, ['n1'])
  assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor3/n3: 100'])
  assert.deepEqual((await domainOf(house)).status?.switches, ['dc/tor1', 'lab/tor3'])
  await house.store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name: 'att' })
  await house.store.delete({ kind: 'L2Service', namespace: 'a', name: 's' })
  for (let i = 0; i < 3; i++) await house.turn(30_001)
  assert.deepEqual(fabric.lines(), ['tor3/n3: 100'])
  assert.equal((await domainOf(house)).status?.phase, 'terminating')
  const dry = (await house.get('Fabric', 'lab'))!
  await house.store.update({ ...dry, spec: { ...dry.spec, dryRun: false } })
  for (let i = 0; i < 3; i++) await house.turn(30_001)
  assert.deepEqual(fabric.lines(), [])
  assert.deepEqual(await house.all('L2BridgeDomain'), [])
}))

test('a switch that refuses to open holds no other back: what is not wanted any more is closed on those', () => inHouse({}, async (house, fabric) => {
  await leave(house, ['n1', 'n2'])
  assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor2/n2: 100'])
  fabric.refuses = 'tor3'
  await leave(house, ['n1', 'n3'])
  assert.deepEqual(fabric.lines(), ['tor1/n1: 100'])
  assert.match((await domainOf(house)).status?.message ?? '', /its table is full/)
}))

test('what moves to another switch is opened there before it is closed where it was', () => inHouse({}, async (house, fabric) => {
  await leave(house, ['n1'])
  const { ports } = fabric.switches.get('tor1')!
  const before = ports.set.bind(ports)
  const seen: boolean[] = []
  ports.set = (name, port) => {
    if (!port.ours.has(100 as VlanId)) seen.push(fabric.lines().includes('tor2/n2: 100'))
    return before(name, port)
  }
  await leave(house, ['n2'])
  assert.deepEqual(fabric.lines(), ['tor2/n2: 100'])
  assert.deepEqual(seen, [true])
}))
