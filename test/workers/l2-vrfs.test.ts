// From an L2Service that names a VRF to the subinterfaces of the gateway's router, which is switch tor2 here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VlanId } from '../../core/net/segment.ts'
import { site, withFabric, type Site } from './fabric-site.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

async function inCluster(run: (cluster: TestCluster, fabric: Site) => Promise<void>): Promise<void> {
  const fabric = site()
  const cluster = await openTestCluster({ fabricRegistry: fabric.registry })
  try {
    await withFabric(cluster)
    await run(cluster, fabric)
  } finally {
    await cluster.close()
  }
}

async function serve(cluster: TestCluster, namespace: string, vrf: string | undefined, vlan = 100): Promise<void> {
  const spec = { segmentationID: vlan, physicalNW: ['physnet'], ...(vrf !== undefined && { vrf }) }
  await cluster.make('L2Service', `${namespace}/s`, spec)
  await cluster.make('L2ServiceAttachment', `${namespace}/att`, { l2Services: ['s'], connectionPoint: 'cp', vlanType: 'access' })
  await cluster.settle()
}
async function change(cluster: TestCluster, more: { readonly vrf?: string; readonly segmentationID?: number }): Promise<void> {
  const service = (await cluster.get('L2Service', 'a/s'))!
  const { vrf: _, ...spec } = service.spec
  await cluster.store.update({ ...service, spec: { ...spec, ...more } })
  await cluster.settle()
}
const remove = (cluster: TestCluster, kind: 'L2Service' | 'L2ServiceAttachment', name: string): Promise<unknown> =>
  cluster.store.delete({ kind, namespace: 'a', name })
const saying = async (cluster: TestCluster, key = 'a/s'): Promise<string> => {
  const { phase, message } = (await cluster.get('L2Service', key))?.status ?? {}
  return `${phase}: ${message}`
}
/** The VRFs of namespace a are no longer offered to it. */
async function withdraw(cluster: TestCluster): Promise<void> {
  const dc = (await cluster.get('Fabric', 'dc'))!
  const gateways = dc.spec.gateways!.map((each) => ({
    ...each,
    router: { ...each.router!, vrfs: each.router!.vrfs.map((vrf) => ({ ...vrf, namespaces: ['b'] })) },
  }))
  await cluster.store.update({ ...dc, spec: { ...dc.spec, gateways } })
  await cluster.settle()
}

test('a VLAN joins the VRF that its L2Service names, moves to another, is renumbered in it, and leaves with the last attachment', () =>
  inCluster(async (cluster, fabric) => {
    await serve(cluster, 'a', 'blue')
    assert.deepEqual(fabric.routes(), ['tor2/up.100: blue'])
    assert.equal(await saying(cluster), 'ready: VLAN 100 of VRF blue on 4 of 4 switch ports')
    await change(cluster, { vrf: 'red' })
    assert.deepEqual(fabric.routes(), ['tor2/up.100: red'])
    await change(cluster, { vrf: 'red', segmentationID: 200 })
    await cluster.advance(1_000)
    assert.deepEqual(fabric.routes(), ['tor2/up.200: red'])
    await change(cluster, {})
    await cluster.advance(1_000)
    assert.deepEqual(fabric.routes(), [])
    assert.equal(await saying(cluster), 'ready: VLAN 200 on 3 of 3 switch ports')
    await change(cluster, { vrf: 'blue' })
    assert.deepEqual(fabric.routes(), ['tor2/up.200: blue'])
    await remove(cluster, 'L2ServiceAttachment', 'att')
    await cluster.settle()
    await cluster.advance(1_000)
    assert.deepEqual([fabric.routes(), fabric.lines()], [[], []])
    assert.equal(await saying(cluster), 'ready: VLAN 200: no attachment uses it yet')
  }))

test('a VLAN that is still in a VRF is not free for others: its lock goes once the router shows that it has left', () =>
  inCluster(async (cluster, fabric) => {
    await serve(cluster, 'a', 'blue')
    fabric.cut.add('tor2')
    await remove(cluster, 'L2ServiceAttachment', 'att')
    await remove(cluster, 'L2Service', 's')
    await cluster.settle()
    await cluster.advance(1_000)
    assert.deepEqual(fabric.routes(), ['tor2/up.100: blue'])
    assert.notDeepEqual(await cluster.all('SegmentLock'), [])
    fabric.cut.clear()
    for (let times = 0; times < 5; times++) await cluster.advance(60_000)
    assert.deepEqual([fabric.routes(), await cluster.all('SegmentLock')], [[], []])
  }))

test('a VRF that no gateway offers to the namespace is refused by name, whether there is one for others or not, and the VLAN is open all the same', () =>
  inCluster(async (cluster, fabric) => {
    for (const [vrf, vlan] of [
      ['secret', 100],
      ['none', 101],
    ] as const) {
      await (vlan === 100 ? serve(cluster, 'a', vrf) : change(cluster, { vrf }))
      assert.deepEqual(fabric.routes(), [])
      assert.equal(
        await saying(cluster),
        `error: 3 of 3 switch ports; no gateway of physical network physnet offers VRF ${vrf} to namespace a`,
      )
    }
    assert.deepEqual(fabric.lines(), ['tor1/gw: 100', 'tor1/n1: 100', 'tor2/n2: 100'])
  }))

test('a VRF that is offered no more loses the VLANs of that namespace, and those alone', () =>
  inCluster(async (cluster, fabric) => {
    await serve(cluster, 'a', 'red')
    await serve(cluster, 'b', 'red', 200)
    assert.deepEqual(fabric.routes(), ['tor2/up.100: red', 'tor2/up.200: red'])
    await withdraw(cluster)
    await cluster.advance(1_000)
    assert.deepEqual(fabric.routes(), ['tor2/up.200: red'])
    assert.match(await saying(cluster), /^error: .*no gateway of physical network physnet offers VRF red to namespace a$/)
    assert.match(await saying(cluster, 'b/s'), /^ready: /)
  }))

test('the audit finds a VLAN that has lost its VRF, one in a VRF of others and one of nobody, and puts them right', () =>
  inCluster(async (cluster, fabric) => {
    await serve(cluster, 'a', 'blue')
    const { ports } = fabric.switches.get('tor2')!
    const up = ports.get('up')!
    const { of } = up.routed!.get(100 as VlanId)!
    for (const vrf of [undefined, 'theirs']) {
      ports.set('up', {
        ...up,
        routed: new Map([
          [100 as VlanId, { of, vrf }],
          [55 as VlanId, { of: 'nobody', vrf: 'blue' }],
        ]),
      })
      for (let times = 0; times < 3; times++) await cluster.advance(60_000)
      assert.deepEqual(fabric.routes(), ['tor2/up.100: blue'])
    }
    ports.set('up', { ...up, routed: new Map() })
    for (let times = 0; times < 3; times++) await cluster.advance(60_000)
    assert.deepEqual(fabric.routes(), ['tor2/up.100: blue'])
    assert.deepEqual((await cluster.get('Fabric', 'dc'))?.status?.switches?.[1], {
      name: 'tor2',
      state: 'reachable',
      missing: 0,
      dangling: 0,
      wrong: 0,
      foreign: 0,
    })
  }))

test('a dry run says which VLAN it would put into which VRF, and takes none out', () =>
  inCluster(async (cluster, fabric) => {
    const dc = (await cluster.get('Fabric', 'dc'))!
    await cluster.store.update({ ...dc, spec: { ...dc.spec, dryRun: true } })
    await serve(cluster, 'a', 'blue')
    assert.deepEqual(fabric.routes(), [])
    assert.match(await saying(cluster), /put VLAN 100 on dc\/tor2\/up into VRF blue$/)
  }))
