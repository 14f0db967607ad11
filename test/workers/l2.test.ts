import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceNameAnnotation } from '../../core/kinds/annotations.ts'
import type { VlanId } from '../../core/net/segment.ts'
import { site, withFabric, type Site } from './fabric-site.ts'
import { openTestCluster, type TestCluster, type TestClusterOptions } from './test-cluster.ts'
import { withLateWatch } from './late-watch.ts'

async function inCluster(run: (cluster: TestCluster, fabric: Site) => Promise<void>, options: TestClusterOptions = {}): Promise<void> {
  const fabric = site()
  const cluster = await openTestCluster({ ...options, fabricRegistry: fabric.registry })
  try {
    await withFabric(cluster)
    await run(cluster, fabric)
  } finally {
    await cluster.close()
  }
}
const definition = async (cluster: TestCluster, key: string): Promise<Record<string, unknown> | undefined> => {
  const found = await cluster.get('NetworkAttachmentDefinition', key)
  return found && (JSON.parse(found.spec.config ?? '{}') as Record<string, unknown>)
}
const remove = (
  cluster: TestCluster,
  kind: 'L2Service' | 'L2ServiceAttachment' | 'Fabric' | 'ConnectionPoint' | 'Pod',
  key: string,
): Promise<unknown> => {
  const [namespace, name] = key.includes('/') ? (key.split('/') as [string, string]) : [undefined, key]
  return cluster.store.delete({ kind, ...(namespace !== undefined && { namespace }), name: name })
}
const saying = async (
  cluster: TestCluster,
  kind: 'L2Service' | 'L2ServiceAttachment' | 'Fabric' | 'ConnectionPoint',
  key: string,
): Promise<string> => {
  const item = await cluster.get(kind, key)
  return item === undefined ? 'gone' : `${item.status?.phase ?? 'new'}: ${item.status?.message ?? ''}`
}
const network = { 'k8s.v1.cni.cncf.io/networks': 'att' }

test('a VLAN is opened once an attachment uses it, gateways included, and closed when it goes', () =>
  inCluster(async (cluster, fabric) => {
    await cluster.make('L2Service', 'a/s', { segmentationID: 100, physicalNW: ['physnet'] })
    await cluster.settle()
    assert.deepEqual(fabric.lines(), [])
    assert.equal(await saying(cluster, 'L2Service', 'a/s'), 'ready: VLAN 100: no attachment uses it yet')
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    assert.deepEqual(fabric.lines(), ['tor1/gw: 100', 'tor1/n1: 100', 'tor2/n2: 100'])
    assert.equal(await saying(cluster, 'L2ServiceAttachment', 'a/att'), 'ready: NetworkAttachmentDefinition att, VLAN 100')
    assert.deepEqual((await cluster.get('L2Service', 'a/s'))?.status?.progress, '3 of 3 switch ports')
    assert.deepEqual(await definition(cluster, 'a/att'), { cniVersion: '0.3.1', name: 'att', type: 'ovs', bridge: 'br-data', vlan: 100 })
    assert.equal(
      (await cluster.get('NetworkAttachmentDefinition', 'a/att'))?.metadata.annotations?.[resourceNameAnnotation],
      'ovs-cni.network.kubevirt.io/br-data',
    )

    await remove(cluster, 'L2Service', 'a/s')
    await cluster.settle()
    assert.equal(await saying(cluster, 'L2Service', 'a/s'), 'terminating: L2ServiceAttachment att still uses it')
    await remove(cluster, 'L2ServiceAttachment', 'a/att')
    await cluster.settle()
    assert.equal(
      await saying(cluster, 'L2Service', 'a/s'),
      'terminating: VLAN 100 is being closed: 3 VLANs of switch ports are being closed',
    )
    // A switch that took the batch may not have done it: it is looked at again.
    await cluster.advance(50)
    assert.equal(await saying(cluster, 'L2ServiceAttachment', 'a/att'), 'gone')
    assert.equal(await definition(cluster, 'a/att'), undefined)
    assert.equal(await saying(cluster, 'L2Service', 'a/s'), 'gone')
    assert.deepEqual(fabric.lines(), [])
    assert.deepEqual(await cluster.all('SegmentLock'), [])
    assert.deepEqual(await cluster.all('L2BridgeDomain'), [])
  }))

test('the NetworkAttachmentDefinition waits for the fabric, and one unreachable switch holds back only its own ports', () =>
  inCluster(async (cluster, fabric) => {
    fabric.cut.add('tor2')
    await cluster.advance(10_001)
    await cluster.make('L2Service', 'a/s', { segmentationID: 100 })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    assert.deepEqual(fabric.lines(), ['tor1/n1: 100'])
    assert.equal(await definition(cluster, 'a/att'), undefined)
    assert.match(
      await saying(cluster, 'L2ServiceAttachment', 'a/att'),
      /^pending: VLAN 100 of L2Service s: 1 of 2 switch ports; switch dc\/tor2 is unreachable: no answer$/,
    )
    assert.equal((await cluster.get('L2ServiceAttachment', 'a/att'))?.status?.progress, '1 of 2 switch ports')
    fabric.cut.clear()
    for (let i = 0; i < 12; i++) await cluster.advance(5_000)
    assert.deepEqual(fabric.lines(), ['tor1/n1: 100', 'tor2/n2: 100'])
    assert.match(await saying(cluster, 'L2ServiceAttachment', 'a/att'), /^ready/)
  }))

test('of two L2Services of one VLAN on one physical network exactly one wins, and the other names it and takes over when it goes', () =>
  inCluster(async (cluster) => {
    await Promise.all(['a/one', 'b/two'].map((key) => cluster.make('L2Service', key, { segmentationID: 100 })))
    await cluster.settle()
    const said = await Promise.all(['a/one', 'b/two'].map((key) => saying(cluster, 'L2Service', key)))
    const loser = said[0]!.startsWith('error') ? 0 : 1
    const winner = ['a/one', 'b/two'][1 - loser]!
    assert.match(said[1 - loser]!, /^ready/)
    assert.equal(said[loser], `error: VLAN 100 of physical network default is held by L2Service ${winner}`)
    await remove(cluster, 'L2Service', winner)
    await cluster.settle()
    assert.match(await saying(cluster, 'L2Service', ['a/one', 'b/two'][loser]!), /^ready/)
  }))

test('one VLAN number on two physical networks is two things, until they meet on a switch', () =>
  inCluster(async (cluster) => {
    await cluster.make('L2Service', 'a/one', { segmentationID: 100, physicalNW: ['physnet'] })
    await cluster.make('L2Service', 'a/two', { segmentationID: 100, physicalNW: ['other'] })
    await cluster.settle()
    assert.match(await saying(cluster, 'L2Service', 'a/one'), /^ready/)
    assert.match(await saying(cluster, 'L2Service', 'a/two'), /^ready/)
  }))

test("a definition that somebody edits is repaired, and one that is somebody else's is left alone", () =>
  inCluster(async (cluster) => {
    await cluster.make('NetworkAttachmentDefinition', 'a/theirs', { config: '{}' })
    await cluster.make('L2Service', 'a/s', { segmentationID: 100 })
    for (const name of ['att', 'theirs'])
      await cluster.make('L2ServiceAttachment', `a/${name}`, { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'selectivetrunk' })
    await cluster.settle()
    assert.match(
      await saying(cluster, 'L2ServiceAttachment', 'a/theirs'),
      /^error: NetworkAttachmentDefinition theirs is there, and not ours/,
    )
    const made = (await cluster.get('NetworkAttachmentDefinition', 'a/att'))!
    await cluster.store.update({
      ...made,
      metadata: { ...made.metadata, annotations: { mine: 'yes' } },
      spec: { config: '{"type":"evil"}' },
    })
    await cluster.settle()
    const repaired = (await cluster.get('NetworkAttachmentDefinition', 'a/att'))!
    assert.deepEqual(
      [repaired.spec.config, repaired.metadata.annotations],
      [made.spec.config, { mine: 'yes', ...made.metadata.annotations }],
    )
    assert.deepEqual((await cluster.get('NetworkAttachmentDefinition', 'a/theirs'))?.spec, { config: '{}' })
  }))

test('a second trunk on a ConnectionPoint is refused unless all share, and then each reports the union', () =>
  inCluster(async (cluster, fabric) => {
    for (const [name, vlan] of [
      ['s1', 101],
      ['s2', 102],
    ] as const)
      await cluster.make('L2Service', `a/${name}`, { segmentationID: vlan })
    await cluster.make(
      'L2ServiceAttachment',
      'a/t1',
      { l2Services: ['s1'], connectionPoint: 'cp', vlanType: 'trunk' },
      { creationTimestamp: '2026-01-01T00:00:00Z' },
    )
    await cluster.settle()
    await cluster.make('L2ServiceAttachment', 'a/t2', { l2Services: ['s2'], connectionPoint: 'cp', vlanType: 'trunk' })
    await cluster.settle()
    const refused = (await Promise.all(['a/t1', 'a/t2'].map((key) => saying(cluster, 'L2ServiceAttachment', key)))).filter((said) =>
      said.startsWith('error'),
    )
    assert.equal(refused.length, 1)
    assert.match(refused[0]!, /has the trunk a\/t[12] already: pods of both would have the VLANs of both/)
    assert.equal(fabric.lines().length, 2)
    for (const key of ['a/t1', 'a/t2']) {
      const item = (await cluster.get('L2ServiceAttachment', key))!
      await cluster.store.update({ ...item, spec: { ...item.spec, sharedTrunk: true } })
    }
    await cluster.settle()
    for (const key of ['a/t1', 'a/t2']) assert.deepEqual((await cluster.get('L2ServiceAttachment', key))?.status?.vlans, [101, 102], key)
    assert.match(await saying(cluster, 'L2ServiceAttachment', 'a/t1'), /^ready: .*the union with a\/t2$/)
    assert.deepEqual(fabric.lines(), ['tor1/n1: 101,102', 'tor2/n2: 101,102'])
  }))

test('a VLAN is changed by opening the new one, waiting for pods of before, and closing the old', () =>
  inCluster(async (cluster, fabric) => {
    await cluster.make('L2Service', 'a/s', { segmentationID: 100, physicalNW: ['physnet'] })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    await cluster.make('Pod', 'a/old', { containers: [{ name: 'main' }] }, { annotations: network })
    await cluster.settle()
    const service = (await cluster.get('L2Service', 'a/s'))!
    await cluster.store.update({ ...service, spec: { ...service.spec, segmentationID: 200 } })
    await cluster.advance(2_000)
    assert.deepEqual(fabric.lines(), ['tor1/gw: 100,200', 'tor1/n1: 100,200', 'tor2/n2: 100,200'])
    assert.equal((await definition(cluster, 'a/att'))?.vlan, 200)
    assert.match(await saying(cluster, 'L2Service', 'a/s'), /^ready: .*; VLAN 100 stays open for pod old$/)
    await remove(cluster, 'Pod', 'a/old')
    await cluster.advance(2_000)
    assert.deepEqual(fabric.lines(), ['tor1/gw: 200', 'tor1/n1: 200', 'tor2/n2: 200'])
    assert.deepEqual(
      (await cluster.all('SegmentLock')).map((lock) => lock.spec.vlan),
      [200, 200],
    )
  }))

test("an attachment that pods use is terminating with a pod's name, and goes by itself after them", () =>
  inCluster(async (cluster, fabric) => {
    await cluster.make('L2Service', 'a/s', { segmentationID: 100 })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.make('Pod', 'a/p', { containers: [{ name: 'main' }] }, { annotations: network })
    await cluster.settle()
    await remove(cluster, 'L2ServiceAttachment', 'a/att')
    await cluster.settle()
    assert.equal(await saying(cluster, 'L2ServiceAttachment', 'a/att'), 'terminating: Pod p is still using it')
    assert.deepEqual(fabric.lines().length, 2)
    await remove(cluster, 'ConnectionPoint', 'cp')
    await cluster.settle()
    assert.equal(await saying(cluster, 'ConnectionPoint', 'cp'), 'terminating: L2ServiceAttachment a/att still uses it')
    await remove(cluster, 'Pod', 'a/p')
    await cluster.settle()
    assert.equal(await saying(cluster, 'L2ServiceAttachment', 'a/att'), 'gone')
    assert.equal(await saying(cluster, 'ConnectionPoint', 'cp'), 'gone')
    assert.deepEqual(fabric.lines(), [])
    assert.match(await saying(cluster, 'L2Service', 'a/s'), /^ready/)
  }))

test('a ConnectionPoint stays for an attachment that no watch has told of yet', async () => {
  const store = withLateWatch(({ kind }) => kind === 'L2ServiceAttachment', 200)
  await inCluster(
    async (cluster) => {
      await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
      await remove(cluster, 'ConnectionPoint', 'cp')
      await cluster.settle()
      assert.equal(cluster.caches.L2ServiceAttachment.size, 0)
      assert.equal(await saying(cluster, 'ConnectionPoint', 'cp'), 'terminating: L2ServiceAttachment a/att still uses it')
    },
    { store },
  )
  await store.close()
})

test('the audit finds what is missing, dangling and foreign, repairs ours and leaves theirs', () =>
  inCluster(async (cluster, fabric) => {
    await cluster.make('L2Service', 'a/s', { segmentationID: 100 })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    const { ports } = fabric.switches.get('tor1')!
    ports.set('n1', { ours: new Map(), others: new Set([7 as VlanId]), mode: 'trunk' })
    ports.set('gw', { ours: new Map([[55 as VlanId, 'nobody']]), others: new Set(), mode: 'trunk' })
    await cluster.advance(60_000)
    await cluster.advance(60_000)
    assert.deepEqual(fabric.lines(), ['tor1/n1: 7,100', 'tor2/n2: 100'])
    const said = (await cluster.get('Fabric', 'dc'))?.status
    assert.deepEqual(said?.switches, [
      { name: 'tor1', state: 'reachable', missing: 0, dangling: 0, wrong: 0, foreign: 1 },
      { name: 'tor2', state: 'reachable', missing: 0, dangling: 0, wrong: 0, foreign: 0 },
    ])
  }))

test('a dry run says what would be done and does nothing', () =>
  inCluster(async (cluster, fabric) => {
    const dc = (await cluster.get('Fabric', 'dc'))!
    await cluster.store.update({ ...dc, spec: { ...dc.spec, dryRun: true } })
    await cluster.make('L2Service', 'a/s', { segmentationID: 100 })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    assert.deepEqual(fabric.lines(), [])
    assert.equal(
      await saying(cluster, 'L2Service', 'a/s'),
      'pending: dry run: would open VLAN 100 on dc/tor1/n1, open VLAN 100 on dc/tor2/n2',
    )
  }))

test('what a switch loses in a dry run stays lost, and nobody is told any more that it is there', () =>
  inCluster(async (cluster, fabric) => {
    await cluster.make('L2Service', 'a/s', { segmentationID: 100 })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    const dc = (await cluster.get('Fabric', 'dc'))!
    await cluster.store.update({ ...dc, spec: { ...dc.spec, dryRun: true } })
    await cluster.settle()
    fabric.switches.get('tor1')!.ports.set('n1', { ours: new Map(), others: new Set(), mode: 'trunk' })
    await cluster.advance(cluster.config.fabricAuditMs)
    await cluster.advance(1_000)
    assert.deepEqual(fabric.lines(), ['tor2/n2: 100'])
    assert.equal(await saying(cluster, 'L2Service', 'a/s'), 'pending: dry run: would open VLAN 100 on dc/tor1/n1')
    assert.match(await saying(cluster, 'L2ServiceAttachment', 'a/att'), /^pending: /)
  }))

test('an attachment waits for a Subnet that overlaps another of its L2Service, and follows when that one goes', () =>
  inCluster(async (cluster) => {
    for (const [name, cidr] of [
      ['first', '10.9.0.0/24'],
      ['second', '10.9.0.0/25'],
    ] as const) {
      await cluster.make('Subnet', `a/${name}`, { l2Service: 's', ipv4: { cidr } })
      await cluster.settle()
    }
    await cluster.make('L2Service', 'a/s', { segmentationID: 100, subnets: ['second'] })
    await cluster.make('L2ServiceAttachment', 'a/att', { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
    await cluster.settle()
    assert.equal(
      await saying(cluster, 'L2ServiceAttachment', 'a/att'),
      'error: Subnet second of L2Service s: 10.9.0.0/25 overlaps 10.9.0.0/24 of Subnet a/first in L2Service s',
    )
    assert.equal(await definition(cluster, 'a/att'), undefined)
    await cluster.store.delete({ kind: 'Subnet', namespace: 'a', name: 'first' })
    await cluster.settle()
    assert.equal(await saying(cluster, 'L2ServiceAttachment', 'a/att'), 'ready: NetworkAttachmentDefinition att, VLAN 100')
  }))
