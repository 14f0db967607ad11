// ENO's own cases, as a table: what configuration an attachment comes to, or why it comes to none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge } from '../../core/admit/object/rules.ts'
import { resourceNameAnnotation } from '../../core/kinds/annotations.ts'
import type { SupportedCni } from '../../core/kinds/l2/connection-point.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { vlansIn } from '../../core/plan/l2/definitions.ts'
import { planAttachment, type AttachmentDesired } from '../../core/plan/l2/attachment.ts'
import { domainNameOf } from '../../core/plan/l2/service.ts'

const meta = (name: string, namespace?: string) => ({
  name,
  ...(namespace !== undefined && { namespace }),
  uid: `uid-${name}`,
  resourceVersion: '1',
  generation: 1,
  creationTimestamp: '2026-01-01T00:00:00Z',
})
const ovs: SupportedCni = { name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br-data' }
const pool: SupportedCni = { name: 'host-device', supportedInterfaceTypes: ['kernel'], poolName: 'intel.com/pool' }
const sriov: SupportedCni = { name: 'sriov', supportedInterfaceTypes: ['dpdk', 'kernel'], poolName: 'intel.com/sriov' }
const macvlan: SupportedCni = { name: 'macvlan', supportedInterfaceTypes: ['kernel'], master: 'ens1' }
const bridge: SupportedCni = { name: 'bridge', supportedInterfaceTypes: ['kernel'], bridgeName: 'br1' }
const megrez: SupportedCni = { name: 'megrez', supportedInterfaceTypes: ['kernel', 'dpdk'] }
const ours = { type: 'megrez', capabilities: { mac: true }, attachment: 'a/att', interfaceType: 'kernel', physicalNetwork: 'physnet' }

interface Case {
  readonly spec: Pick<SpecOf<'L2ServiceAttachment'>, 'vlanType'> & Partial<SpecOf<'L2ServiceAttachment'>>
  readonly vlans: readonly number[]
  readonly point?: SpecOf<'ConnectionPoint'>
  readonly subnets?: readonly SpecOf<'Subnet'>[]
  /** The configuration without cniVersion and name, and the resource's name. */
  readonly config?: object
  readonly resource?: string
  readonly refused?: RegExp
}
const cnis = (...supportedCnis: NonNullable<SpecOf<'ConnectionPoint'>['supportedCnis']>): SpecOf<'ConnectionPoint'> => ({ supportedCnis })
const v4 = (more: object = {}): SpecOf<'Subnet'> => ({ l2Service: 's0', ipv4: { cidr: '10.10.10.0/24', ...more } })
const v6: SpecOf<'Subnet'> = { l2Service: 's0', ipv6: { cidr: '2001:db8::/64' } }
const access = { vlanType: 'access' } as const

const cases: Readonly<Record<string, Case>> = {
  'access, one service': {
    spec: access,
    vlans: [13],
    config: { type: 'ovs', bridge: 'br-data', vlan: 13 },
    resource: 'ovs-cni.network.kubevirt.io/br-data',
  },
  'a selective trunk keeps the order that is listed': {
    spec: { vlanType: 'selectivetrunk' },
    vlans: [10, 12, 11, 14, 13],
    config: { type: 'ovs', bridge: 'br-data', trunk: [10, 12, 11, 14, 13].map((id) => ({ id })) },
  },
  'a trunk has neither vlan nor trunk': { spec: { vlanType: 'trunk' }, vlans: [10, 11], config: { type: 'ovs', bridge: 'br-data' } },
  'host-device carries a trunk': {
    spec: { vlanType: 'trunk' },
    vlans: [10],
    point: cnis(pool),
    config: { type: 'host-device' },
    resource: 'intel.com/pool',
  },
  'host-device is chosen and cannot do access': {
    spec: access,
    vlans: [10],
    point: cnis(pool),
    refused: /host-device carries trunks only/,
  },
  'dpdk where only kernel is offered': { spec: { ...access, podInterfaceType: 'dpdk' }, vlans: [10], refused: /offers no dpdk interface/ },
  'nothing is said: the first CNI, its first type': {
    spec: access,
    vlans: [10],
    point: cnis(ovs, sriov),
    config: { type: 'ovs', bridge: 'br-data', vlan: 10 },
  },
  'a type is said: the first CNI that supports it': {
    spec: { ...access, podInterfaceType: 'dpdk' },
    vlans: [10],
    point: cnis(ovs, sriov),
    config: { type: 'sriov', vlan: 10 },
    resource: 'intel.com/sriov',
  },
  'an implementation is said: its first type': {
    spec: { ...access, implementation: 'sriov' },
    vlans: [10],
    point: cnis(ovs, sriov),
    config: { type: 'sriov', vlan: 10 },
  },
  'both are said and do not match': {
    spec: { ...access, implementation: 'ovs', podInterfaceType: 'dpdk' },
    vlans: [10],
    point: cnis(ovs, sriov),
    refused: /offers no dpdk interface by ovs/,
  },
  'an implementation that is not offered': {
    spec: { ...access, implementation: 'macvlan' },
    vlans: [10],
    refused: /offers ovs, not macvlan/,
  },
  'ovs is passed over where it cannot do what is asked': {
    spec: { vlanType: 'selectivetrunk' },
    vlans: [10],
    point: cnis(macvlan, bridge),
    config: { type: 'bridge', bridge: 'br1', vlanTrunk: [{ id: 10 }], preserveDefaultVlan: false },
  },
  'two IPv4 Subnets on one service': { spec: access, vlans: [10], subnets: [v4(), v4()], refused: /more than one IPv4 block/ },
  'a Subnet of each family': {
    spec: access,
    vlans: [10],
    subnets: [v4({ pools: [{ first: '10.10.10.10', last: '10.10.10.255' }] }), v6],
    config: {
      type: 'ovs',
      bridge: 'br-data',
      vlan: 10,
      ipam: { type: 'whereabouts', ipRanges: [{ range: '10.10.10.10-10.10.10.255/24' }, { range: '2001:db8::/64' }] },
    },
  },
  'a pool, routes, dns and excludes for whereabouts': {
    spec: access,
    vlans: [10],
    subnets: [
      {
        ...v4({
          pools: [{ first: '10.10.10.10', last: '10.10.10.20' }],
          excludes: ['10.10.10.12', '10.10.10.16/30'],
          gateway: '10.10.10.1',
        }),
        routes: [{ destination: '192.0.2.0/24', nextHop: '10.10.10.1' }],
        dns: { nameservers: ['10.10.10.53'], domain: 'example.org', search: ['a.example.org'] },
      },
    ],
    config: {
      type: 'ovs',
      bridge: 'br-data',
      vlan: 10,
      ipam: {
        type: 'whereabouts',
        range: '10.10.10.10-10.10.10.20/24',
        gateway: '10.10.10.1',
        exclude: ['10.10.10.12/32', '10.10.10.16/30'],
        routes: [{ dst: '192.0.2.0/24', gw: '10.10.10.1' }],
        dns: { nameservers: ['10.10.10.53'], domain: 'example.org', search: ['a.example.org'] },
      },
    },
  },
  'two pools are more than whereabouts takes': {
    spec: access,
    vlans: [10],
    subnets: [
      v4({
        pools: [
          { first: '10.10.10.1', last: '10.10.10.2' },
          { first: '10.10.10.4', last: '10.10.10.5' },
        ],
      }),
    ],
    refused: /more than one pool/,
  },
  'our own ipam': {
    spec: access,
    vlans: [10],
    subnets: [{ ...v4(), ipam: 'megrez' }],
    refused: /ipam megrez hands out no addresses of L2Services yet/,
  },
  'only access has addresses': {
    spec: { vlanType: 'selectivetrunk' },
    vlans: [10],
    subnets: [v4()],
    config: { type: 'ovs', bridge: 'br-data', trunk: [{ id: 10 }] },
  },
  "macvlan on the VLAN's interface": {
    spec: access,
    vlans: [10],
    point: cnis(macvlan),
    config: { type: 'macvlan', master: 'ens1.10', mode: 'bridge' },
  },
  'macvlan has no list': {
    spec: { vlanType: 'selectivetrunk' },
    vlans: [10],
    point: cnis(macvlan),
    refused: /macvlan has no list of VLANs/,
  },
  'a bridge with a VLAN': { spec: access, vlans: [10], point: cnis(bridge), config: { type: 'bridge', bridge: 'br1', vlan: 10 } },
  'a bridge with a trunk lists its VLANs': {
    spec: { vlanType: 'trunk' },
    vlans: [10, 11],
    point: cnis(bridge),
    config: { type: 'bridge', bridge: 'br1', vlanTrunk: [{ id: 10 }, { id: 11 }], preserveDefaultVlan: false },
  },
  'sriov leaves the tags of a trunk alone': {
    spec: { vlanType: 'trunk' },
    vlans: [10],
    point: cnis(sriov),
    config: { type: 'sriov', vlan: 0 },
  },
  'our own CNI': {
    spec: { vlanType: 'selectivetrunk' },
    vlans: [10, 11],
    point: { ...cnis(megrez), physicalNet: 'physnet' },
    config: { ...ours, vlanType: 'selectivetrunk', vlans: [10, 11] },
  },
  'our own CNI, a trunk of one VLAN': {
    spec: { vlanType: 'trunk' },
    vlans: [10],
    point: { ...cnis(megrez), physicalNet: 'physnet' },
    config: { ...ours, vlanType: 'trunk', vlans: [10] },
  },
  'our own CNI, dpdk in VLANs': {
    spec: { ...access, podInterfaceType: 'dpdk' },
    vlans: [10],
    point: { ...cnis(megrez), physicalNet: 'physnet' },
    config: { ...ours, interfaceType: 'dpdk', vlanType: 'access', vlans: [10] },
  },
  'others than sriov and ours have no dpdk': {
    spec: { ...access, podInterfaceType: 'dpdk' },
    vlans: [10],
    point: cnis({ ...macvlan, supportedInterfaceTypes: ['dpdk'] }),
    refused: /macvlan makes no dpdk interfaces/,
  },
  'the older shape, kernel': {
    spec: access,
    vlans: [10],
    point: { type: 'kernel', nodePool: 'ovs-pool', physicalNet: 'ovs-physnet-one', interfaceName: 'br-data' },
    config: { type: 'ovs', bridge: 'br-data', vlan: 10 },
  },
  'the older shape, devices': {
    spec: { vlanType: 'trunk' },
    vlans: [10],
    point: { type: 'pcidev', nodePool: 'virtio-pool', physicalNet: 'virtio-physnet', resourceName: 'intel.com/virtio_net_device' },
    config: { type: 'host-device' },
    resource: 'intel.com/virtio_net_device',
  },
}

const subnetOf = (name: string, spec: SpecOf<'Subnet'>): Resource<'Subnet'> => ({
  apiVersion,
  kind: 'Subnet',
  metadata: meta(name, 'a'),
  spec,
})

function desiredOf({ spec, vlans, point = cnis(ovs), subnets = [] }: Case): AttachmentDesired {
  const attachment: Resource<'L2ServiceAttachment'> = {
    apiVersion,
    kind: 'L2ServiceAttachment',
    metadata: meta('att', 'a'),
    spec: { l2Services: vlans.map((_, i) => `s${i}`), connectionPoint: 'cp', ...spec },
  }
  const services = vlans.map((segmentationID, i) => {
    const service: Resource<'L2Service'> = { apiVersion, kind: 'L2Service', metadata: meta(`s${i}`, 'a'), spec: { segmentationID } }
    const domain: Resource<'L2BridgeDomain'> = {
      apiVersion,
      kind: 'L2BridgeDomain',
      metadata: meta(domainNameOf(service)),
      spec: { vlan: segmentationID, connectionPoints: ['cp'], holder: { kind: 'L2Service', name: `s${i}`, uid: 'u' } },
      status: { phase: 'ready', observedGeneration: 1, open: 2, wanted: 2 },
    }
    return { name: `s${i}`, service, domain, subnets: subnets.map((each, j) => ({ name: `sub${j}`, subnet: subnetOf(`sub${j}`, each) })) }
  })
  return {
    attachment,
    services,
    point: { apiVersion, kind: 'ConnectionPoint', metadata: meta('cp'), spec: point },
    refusal: undefined,
    shared: [],
    blockers: undefined,
  }
}

for (const [name, each] of Object.entries(cases)) {
  test(`an attachment's definition: ${name}`, () => {
    const plan = planAttachment(desiredOf(each), { definition: undefined })
    if (each.refused !== undefined) {
      assert.equal(plan.phase, 'error')
      assert.match(plan.message, each.refused)
      return
    }
    const [step] = plan.steps
    assert.ok(step?.action.do === 'makeDefinition', plan.message)
    const { cniVersion, name: named, ...config } = JSON.parse(step.action.draft.spec.config ?? '{}') as Record<string, unknown>
    assert.deepEqual([cniVersion, named, config], [config['type'] === 'megrez' ? '1.0.0' : '0.3.1', 'att', each.config])
    // What leaves the tags to the pod, or to who is asked, says none.
    const says = each.spec.vlanType === 'trunk' && config['type'] !== 'megrez' && config['type'] !== 'bridge' ? [] : each.vlans
    assert.deepEqual(vlansIn(step.action.draft), says)
    if (each.resource !== undefined) assert.equal(step.action.draft.metadata.annotations?.[resourceNameAnnotation], each.resource)
  })
}

test("a definition that its namespace's owner has written says the VLANs that are numbers, or none", () => {
  const said = (config: unknown): readonly number[] =>
    vlansIn({ spec: { config: typeof config === 'string' ? config : JSON.stringify(config) } })
  for (const each of ['', '{', '[]', 'null', '7', { vlan: '10' }, { vlans: { length: 9 } }, { trunk: [null, [1], 'x'] }, { master: 7 }])
    assert.deepEqual(said(each), [], JSON.stringify(each))
  assert.deepEqual(said({ vlan: 10, vlans: [11, '12'], trunk: [{ id: 13 }, {}], master: 'ens1.14' }), [10, 11, 13, 14])
})

test('what ENO refuses by shape is refused before it is stored', () => {
  const attachment = (spec: object) =>
    judge('L2ServiceAttachment', { spec: { l2Services: ['a'], connectionPoint: 'cp', vlanType: 'access', ...spec } })
  assert.deepEqual(
    attachment({ l2Services: ['a', 'b'] }).map(({ at }) => at),
    ['/spec/l2Services'],
  )
  assert.deepEqual(
    attachment({ implementation: 'host-device' }).map(({ at }) => at),
    ['/spec/vlanType'],
  )
  assert.deepEqual(
    judge('Subnet', { spec: { l2Service: 'a', ipv4: { cidr: '10.10.10.5/24' } } }).map(({ at }) => at),
    ['/spec/ipv4/cidr'],
  )
  // ENO refuses every update of an L2Service, its own VLAN included.
  assert.deepEqual(
    judge('L2Service', { spec: { segmentationID: 10, callbackURL: 'http://example.org/' } }, { spec: { segmentationID: 10 } }),
    [],
  )
})
