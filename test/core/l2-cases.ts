// What the kinds of external networks take and refuse; part of the table in rule-cases.ts.
import type { OwnKind } from '../../core/kinds/index.ts'

interface Case {
  readonly kind: OwnKind
  readonly spec: object
  readonly was?: object
  readonly refused?: string
}
const of =
  (kind: OwnKind, usual: object) =>
  (more: object, refused?: string): Case => ({ kind, spec: { ...usual, ...more }, ...(refused !== undefined && { refused }) })

const service = of('L2Service', { segmentationID: 100 })
const attached = of('L2ServiceAttachment', { l2Services: ['a'], connectionPoint: 'cp', vlanType: 'access' })
const older = of('ConnectionPoint', { type: 'kernel', nodePool: 'pool', physicalNet: 'physnet', interfaceName: 'br-data' })
const newer = (cni: object, refused?: string): Case => ({
  kind: 'ConnectionPoint',
  spec: { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br-data', ...cni }] },
  ...(refused !== undefined && { refused }),
})
const pool = of('NodePool', { interfaces: [{ name: 'ens26', connectionPoint: 'cp' }] })
const sw = { name: 'tor1', driver: 'ovsdb', address: 'tcp:192.0.2.1:6640' }
const fabric = of('Fabric', { switches: [sw] })
const domain = of('L2BridgeDomain', { vlan: 100, connectionPoints: [], holder: { kind: 'L2Service', namespace: 'a', name: 'b', uid: 'u' } })
const subnet = of('Subnet', { l2Service: 'a', ipv4: { cidr: '10.0.0.0/24' } })

export const l2Cases: Readonly<Record<string, Case>> = {
  'an L2Service': service({ subnets: ['v4', 'v6'], physicalNW: ['physnet1', 'physnet2'], callbackURL: 'http://example.org/' }),
  'an L2Service in a VRF': service({ physicalNW: ['physnet1'], vrf: 'Vrf-blue_1' }),
  'an L2Service in a VRF of no gateway': service({ vrf: 'blue' }, 'spec.vrf'),
  'an L2Service in a VRF of no name': service({ physicalNW: ['physnet1'], vrf: 'a b' }, 'spec.vrf'),
  'an L2Service of VLAN 0': service({ segmentationID: 0 }, 'spec.segmentationID'),
  'an L2Service of the greatest VLAN': service({ segmentationID: 4094 }),
  'an L2Service of VLAN 4095': service({ segmentationID: 4095 }, 'spec.segmentationID'),
  'an L2Service without a VLAN': { kind: 'L2Service', spec: {}, refused: 'spec.segmentationID' },
  'an L2Service of three Subnets': service({ subnets: ['a', 'b', 'c'] }, 'spec.subnets'),
  'an L2Service that names a network twice': service({ physicalNW: ['a', 'a'] }, 'spec.physicalNW[1]'),

  'an access attachment': attached({}),
  'an access attachment of two L2Services': attached({ l2Services: ['a', 'b'] }, 'spec.l2Services'),
  'a selective trunk of two': attached({ l2Services: ['a', 'b'], vlanType: 'selectivetrunk' }),
  'an attachment of nothing': attached({ l2Services: [] }, 'spec.l2Services'),
  'an attachment of an unknown VLAN type': attached({ vlanType: 'hybrid' }, 'spec.vlanType'),
  'an attachment for dpdk': attached({ podInterfaceType: 'dpdk', implementation: 'sriov' }),
  'host-device for a trunk': attached({ vlanType: 'trunk', implementation: 'host-device' }),
  'host-device for access': attached({ implementation: 'host-device' }, 'spec.vlanType'),
  'an unknown implementation': attached({ implementation: 'ipvlan' }, 'spec.implementation'),
  'a shared trunk': attached({ vlanType: 'trunk', sharedTrunk: true }),
  'a shared access port': attached({ sharedTrunk: true }, 'spec.sharedTrunk'),

  'a ConnectionPoint of the older shape': older({}),
  'a ConnectionPoint for devices': older({ type: 'pcidev', resourceName: 'intel.com/virtio_net_device' }),
  'a ConnectionPoint for devices of no pool': older({ type: 'pcidev' }, 'spec.resourceName'),
  'a ConnectionPoint of both shapes': older({ supportedCnis: [{ name: 'megrez', supportedInterfaceTypes: ['kernel'] }] }, 'spec'),
  'a ConnectionPoint of neither': { kind: 'ConnectionPoint', spec: { description: 'x' }, refused: 'spec' },
  "a ConnectionPoint of today's shape": newer({ supportedInterfaceTypes: ['kernel', 'dpdk'] }),
  'a ConnectionPoint without interface types': newer({ supportedInterfaceTypes: [] }, 'spec.supportedCnis[0].supportedInterfaceTypes'),
  'a ConnectionPoint of an unknown CNI': newer({ name: 'calico' }, 'spec.supportedCnis[0].name'),
  'macvlan of no master': newer({ name: 'macvlan' }, 'spec.supportedCnis'),
  'sriov of no pool': newer({ name: 'sriov' }, 'spec.supportedCnis'),
  'ovs of no bridge': {
    kind: 'ConnectionPoint',
    spec: { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'] }] },
    refused: 'spec.supportedCnis',
  },
  'a NodePool': pool({ nodes: ['n1', 'n2'] }),
  'a NodePool without interfaces': { kind: 'NodePool', spec: { interfaces: [] }, refused: 'spec.interfaces' },

  'a Fabric': fabric({
    links: [{ node: 'n1', interface: 'ens26', switch: 'tor1', switchPort: 'eth1' }],
    gateways: [{ physicalNetwork: 'physnet', switch: 'tor1', switchPort: 'eth48' }],
  }),
  'a Fabric of an unknown driver': fabric({ switches: [{ ...sw, driver: 'netconf' }] }, 'spec.switches[0].driver'),
  'an L2BridgeDomain': domain({ draining: [{ vlan: 200, since: '2026-01-01T00:00:00Z' }] }),
  'an L2BridgeDomain of no VLAN': domain({ vlan: 0 }, 'spec.vlan'),

  'a Subnet of an L2Service': subnet({ ipam: 'whereabouts', dns: { domain: 'example.org' } }),
  'a Subnet of an L2Service and a Vpc': subnet({ vpc: 'blue' }, 'spec'),
  'a Subnet of an unknown ipam': subnet({ ipam: 'dhcp' }, 'spec.ipam'),
  'a Subnet moves to another L2Service': { ...subnet({ l2Service: 'b' }), was: subnet({}).spec, refused: 'spec.l2Service' },
  'an L2Service gets another VLAN': { ...service({ segmentationID: 200 }), was: service({}).spec },
}
