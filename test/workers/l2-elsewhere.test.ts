// One switch that does nothing, because its Fabric is a dry run or because it refuses, holds no other up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SwitchRefused } from '../../core/errors.ts'
import type { VlanId } from '../../core/net/segment.ts'
import { memory, memorySwitch } from '../../workers/drivers/fabric/memory.ts'
import { site, withFabric, type Site } from './fabric-site.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

/** Beside the site's Fabric a node n3 of the same pool on tor3, in a Fabric of its own. */
async function inCluster(
  more: { readonly dryRun?: boolean },
  run: (cluster: TestCluster, fabric: Site & { refuses: string | undefined }) => Promise<void>,
): Promise<void> {
  const fabric = Object.assign(site(['tor1', 'tor2', 'tor3']), { refuses: undefined as string | undefined })
  const registry: Site['registry'] = {
    ...fabric.registry,
    memory: ({ address }) => {
      const driver = memory(fabric.switches.get(address) ?? memorySwitch(), { any: true })
      return {
        ...driver,
        apply: (action, signal) =>
          fabric.refuses === address
            ? Promise.reject(new SwitchRefused({ target: address, reason: 'its table is full' }))
            : driver.apply(action, signal),
      }
    },
  }
  const cluster = await openTestCluster({ fabricRegistry: registry })
  try {
    await withFabric(cluster)
    const pool = (await cluster.get('NodePool', 'pool'))!
    await cluster.store.update({ ...pool, spec: { ...pool.spec, nodes: ['n1', 'n2', 'n3'] } })
    await cluster.make('Fabric', 'lab', {
      switches: [{ name: 'tor3', driver: 'memory', address: 'tor3' }],
      links: [{ node: 'n3', interface: 'ens1', switch: 'tor3', switchPort: 'n3' }],
      ...more,
    })
    await cluster.make('L2Service', 'a/s', { segmentationID: 100 })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    await run(cluster, fabric)
  } finally {
    await cluster.close()
  }
}
const leave = async (cluster: TestCluster, nodes: readonly string[]): Promise<void> => {
  const pool = (await cluster.get('NodePool', 'pool'))!
  await cluster.store.update({ ...pool, spec: { ...pool.spec, nodes: [...nodes] } })
  for (let i = 0; i < 3; i++) await cluster.advance(30_001)
}
const domainOf = async (cluster: TestCluster) => (await cluster.all('L2BridgeDomain'))[0]!

test('a Fabric that is a dry run holds no other back: what left a node is closed on its switch', () =>
  inCluster({ dryRun: true }, async (cluster, fabric) => {
    assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor2/n2: 100'])
    await leave(cluster, ['n1', 'n3'])
    assert.deepEqual(fabric.lines(), ['tor1/n1: 100'])
    assert.equal((await domainOf(cluster)).status?.message, 'dry run: would open VLAN 100 on lab/tor3/n3')
  }))

test('a VLAN of before that no definition says is closed on all others, though a dry run keeps the new one from opening everywhere', () =>
  inCluster({ dryRun: true }, async (cluster, fabric) => {
    const service = (await cluster.get('L2Service', 'a/s'))!
    await cluster.store.update({ ...service, spec: { segmentationID: 101 } })
    for (let i = 0; i < 3; i++) await cluster.advance(30_001)
    assert.deepEqual(fabric.lines(), ['tor1/n1: 101', 'tor2/n2: 101'])
    assert.equal((await domainOf(cluster)).status?.message, 'dry run: would open VLAN 101 on lab/tor3/n3')
  }))

test('what a dry run leaves open is remembered, also when its L2Service goes, and closed once it is none any more', () =>
  inCluster({}, async (cluster, fabric) => {
    assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor2/n2: 100', 'tor3/n3: 100'])
    const lab = (await cluster.get('Fabric', 'lab'))!
    await cluster.store.update({ ...lab, spec: { ...lab.spec, dryRun: true } })
    await cluster.settle()
    await leave(cluster, ['n1'])
    assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor3/n3: 100'])
    assert.deepEqual((await domainOf(cluster)).status?.switches, ['dc/tor1', 'lab/tor3'])
    await cluster.store.delete({ kind: 'L2ServiceAttachment', namespace: 'a', name: 'att' })
    await cluster.store.delete({ kind: 'L2Service', namespace: 'a', name: 's' })
    for (let i = 0; i < 3; i++) await cluster.advance(30_001)
    assert.deepEqual(fabric.lines(), ['tor3/n3: 100'])
    assert.equal((await domainOf(cluster)).status?.phase, 'terminating')
    const dry = (await cluster.get('Fabric', 'lab'))!
    await cluster.store.update({ ...dry, spec: { ...dry.spec, dryRun: false } })
    for (let i = 0; i < 3; i++) await cluster.advance(30_001)
    assert.deepEqual(fabric.lines(), [])
    assert.deepEqual(await cluster.all('L2BridgeDomain'), [])
  }))

test('a switch that refuses to open holds no other back: what is not wanted any more is closed on those', () =>
  inCluster({}, async (cluster, fabric) => {
    await leave(cluster, ['n1', 'n2'])
    assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor2/n2: 100'])
    fabric.refuses = 'tor3'
    await leave(cluster, ['n1', 'n3'])
    assert.deepEqual(fabric.lines(), ['tor1/n1: 100'])
    assert.match((await domainOf(cluster)).status?.message ?? '', /its table is full/)
  }))

test('what moves to another switch is opened there before it is closed where it was', () =>
  inCluster({}, async (cluster, fabric) => {
    await leave(cluster, ['n1'])
    const { ports } = fabric.switches.get('tor1')!
    const before = ports.set.bind(ports)
    const seen: boolean[] = []
    ports.set = (name, port) => {
      if (!port.ours.has(100 as VlanId)) seen.push(fabric.lines().includes('tor2/n2: 100'))
      return before(name, port)
    }
    await leave(cluster, ['n2'])
    assert.deepEqual(fabric.lines(), ['tor2/n2: 100'])
    assert.deepEqual(seen, [true])
  }))
