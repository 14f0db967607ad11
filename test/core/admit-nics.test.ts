import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { clusterNicAnnotation, flavorAnnotation, nicsAnnotation, nicTypeAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { resolveNics, type NicPod } from '../../core/admit/pod/nics.ts'
import type { NicSettings, NicResolution } from '../../core/admit/network-view.ts'
import { defaulted, furnish, openAdmission, podWith, type AdmissionTestServer } from '../webhooks/admission-test-server.ts'

let cluster: AdmissionTestServer
const settings: NicSettings = { nicLimits: { default: 3, flavors: { 'm1.large': 2 } }, clusterNic: 'delegate' }
const of = (pod: NicPod, more: Partial<NicSettings> = {}): NicResolution => resolveNics(pod, cluster.deps.world, { ...settings, ...more })
const nicsOf = (pod: NicPod, more: Partial<NicSettings> = {}) => {
  const wanted = of(pod, more)
  assert.equal(wanted.kind, 'nics', JSON.stringify(wanted))
  return wanted.kind === 'nics' ? wanted : assert.fail()
}
const inNics = (...steps: readonly (string | number)[]): string => ['/metadata/annotations/megrez.io~1nics', ...steps].join('/')

before(async () => {
  cluster = await openAdmission()
  const { make } = cluster
  await furnish(cluster)
  await make('Namespace', 'defaulted', {}, { metadata: defaulted })
  await make('Namespace', 'labelless', {}, { metadata: { annotations: { [vpcAnnotation]: 'blue' } } })
  await make('Vpc', 'defaulted/blue', {}, { sections: { segment: { vni: 5001 } } })
  await make(
    'Subnet',
    'defaulted/only',
    { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } },
    { sections: { segment: { vni: 5001, validated: true } } },
  )
  await make('Vpc', 'a/two', { mtu: 1400 })
  for (const name of ['left', 'right'])
    await make(
      'Subnet',
      `a/${name}`,
      { vpc: 'two', ipv4: { cidr: `10.${name.length}.0.0/24` } },
      { sections: { segment: { validated: true } } },
    )
  await make('Vpc', 'a/named', { defaultSubnet: 'second' })
  for (const name of ['first', 'second'])
    await make(
      'Subnet',
      `a/${name}`,
      { vpc: 'named', ipv4: { cidr: '10.9.0.0/29', gateway: '10.9.0.6', excludes: ['10.9.0.4/31'] } },
      { sections: { segment: { validated: true } } },
    )
  await make('Vpc', 'a/lost', { defaultSubnet: 'nowhere' })
  await make('Vpc', 'a/waiting', {})
  await make('Subnet', 'a/unproven', { vpc: 'waiting', ipv4: { cidr: '10.3.0.0/24' } })
  await make('Vpc', 'other/shared', { sharedWith: ['a'] })
  await make(
    'Subnet',
    'other/common',
    { vpc: 'shared', ipv4: { cidr: '10.4.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } },
    { sections: { segment: { validated: true } } },
  )
  await make('Vpc', 'other/private', {})
  await make('Vpc', 'a/narrow', { mtu: 1000 })
  await make('Subnet', 'a/six', { vpc: 'narrow', ipv6: { cidr: '2001:db8:1::/64' } }, { sections: { segment: { validated: true } } })
  await make('Port', 'a/made', { subnet: 'front', portID: 'p-1', ips: ['10.0.0.77'] })
  await make('Port', 'a/socket', { subnet: 'front', portID: 'p-3', type: 'dpdk' })
  await make('Port', 'a/elsewhere', { subnet: 'left', portID: 'p-2' })
})
after(() => cluster.close())

describe('a pod without a list', () => {
  test('asks for nothing where neither it nor its namespace says so', () => {
    assert.deepEqual(of({ metadata: { namespace: 'a' }, spec: {} }), { kind: 'none' })
    assert.deepEqual(of({ metadata: { namespace: 'labelless' }, spec: {} }), { kind: 'none' })
  })
  test('gets one Nic on the only validated Subnet, called eth0', () => {
    const { nics, vpc } = nicsOf(podWith(undefined))
    assert.equal(vpc.metadata.name, 'blue')
    assert.deepEqual(
      nics.map(({ name, subnet, interfaceName, type }) => ({ name, subnet, interfaceName, type })),
      [{ name: 'eth0', subnet: { namespace: 'a', name: 'front' }, interfaceName: 'net1', type: 'kernel' }],
    )
  })
  test('gets one too where its list is empty', () => assert.equal(nicsOf(podWith([])).nics[0]?.subnet.name, 'front'))
  test('gets one by default in a namespace whose label says so', () =>
    assert.equal(nicsOf({ metadata: { namespace: 'defaulted' }, spec: {} }).nics[0]?.subnet.name, 'only'))
  test('is put on the default Subnet that its Vpc names', () =>
    assert.equal(nicsOf(podWith(undefined, { annotations: { [vpcAnnotation]: 'named' } })).nics[0]?.subnet.name, 'second'))
  test('is let alone by defaults when it lives in the network of its node', () =>
    assert.deepEqual(of({ metadata: { namespace: 'defaulted' }, spec: { hostNetwork: true } }), { kind: 'none' }))
  test('is let alone when it is the mirror of a static pod', () =>
    assert.deepEqual(of(podWith([], { annotations: { 'kubernetes.io/config.mirror': 'x' } })), { kind: 'none' }))
})

describe('names', () => {
  test('are eth and the place in the list, or the next free number', () => {
    assert.deepEqual(
      nicsOf(podWith([{}, { name: 'eth0' }, {}])).nics.map((nic) => nic.name),
      ['eth1', 'eth0', 'eth2'],
    )
  })
  test('stay as asked beside the cluster NIC, while interfaces are net1, net2 or the name itself', () => {
    assert.deepEqual(
      nicsOf(podWith([{}, { name: 'mgmt' }, {}])).nics.map((nic) => nic.interfaceName),
      ['net1', 'mgmt', 'net3'],
    )
  })
  test('are the interfaces where the first Nic is eth0, and the loss of the primary network is warned of', () => {
    const wanted = nicsOf(podWith([{}, { name: 'mgmt' }], { annotations: { [clusterNicAnnotation]: 'none' } }))
    assert.deepEqual(
      wanted.nics.map((nic) => nic.interfaceName),
      ['eth0', 'mgmt'],
    )
    assert.equal(wanted.clusterNic, 'none')
    assert.match(wanted.warnings.join(), /probes, Services/)
  })
})

describe('types', () => {
  const typesOf = (nics: readonly object[], annotations: Readonly<Record<string, string>>): readonly string[] =>
    nicsOf(podWith(nics, { annotations })).nics.map(({ type }) => type)

  test('are what the Nic says, else what the pod says of all of them, else an interface of the kernel', () => {
    assert.deepEqual(typesOf([{}, { type: 'tap' }], {}), ['kernel', 'tap'])
    assert.deepEqual(typesOf([{}, { type: 'kernel' }], { [nicTypeAnnotation]: 'tap' }), ['tap', 'kernel'])
    assert.deepEqual(nicsOf(podWith(undefined, { annotations: { [nicTypeAnnotation]: 'tap' } })).nics[0]?.type, 'tap')
  })
  test("of a Nic with a Port that was made before: a VM's is a TAP all the same, and who says nothing gets what the Port is", () => {
    assert.deepEqual(typesOf([{ portID: 'p-1' }], { [nicTypeAnnotation]: 'tap' }), ['tap'])
    assert.deepEqual(typesOf([{ portID: 'p-1', type: 'tap' }], {}), ['tap'])
    assert.deepEqual(typesOf([{ portID: 'p-3' }], {}), ['dpdk'])
  })
})

describe('limits', () => {
  test('an unknown flavor takes the default, with a warning', () => {
    assert.match(nicsOf(podWith([{}, {}, {}], { annotations: { [flavorAnnotation]: 'x9' } })).warnings.join(), /flavor "x9"/)
    assert.deepEqual(nicsOf(podWith([{}], { annotations: { [flavorAnnotation]: 'm1.large' } })).warnings, [])
  })
})

describe('a Vpc of another namespace', () => {
  test('may be named where it is shared', () => {
    const { nics } = nicsOf(
      podWith([{ subnet: 'common', ips: ['10.4.0.9', '2001:DB8::9'] }], { annotations: { [vpcAnnotation]: 'other/shared' } }),
    )
    assert.deepEqual(nics[0]?.subnet, { namespace: 'other', name: 'common' })
    assert.deepEqual(nics[0]?.ips, ['10.4.0.9', '2001:db8::9'])
  })
})

test('securityGroup and securityGroups are both taken, each group once', () => {
  assert.deepEqual(nicsOf(podWith([{ securityGroup: 'x', securityGroups: ['y', 'x'] }])).nics[0]?.securityGroups, ['x', 'y'])
})
test('a pre-made Port says what its Nic is', () => {
  const nic = nicsOf(podWith([{ portID: 'p-1' }])).nics[0]
  assert.deepEqual([nic?.portName, nic?.ips, nic?.subnet.name], ['made', ['10.0.0.77'], 'front'])
})
test('a pre-made Port is found by its UID too', async () => {
  const { metadata } = (await cluster.store.get({ kind: 'Port', namespace: 'a', name: 'made' }))!
  assert.equal(nicsOf(podWith([{ portID: metadata.uid }])).nics[0]?.portName, 'made')
})

const vpcAt = '/metadata/annotations/megrez.io~1vpc'
const named = (vpc: string) => ({ annotations: { [vpcAnnotation]: vpc } })
/** What is refused: where, in which words, and whether waiting may help. */
const refusals: Readonly<Record<string, { pod: NicPod; at: string; says: RegExp; later?: true }>> = {
  'a list that is not JSON': { pod: podWith('[{"subnet":"front",}]'), at: inNics(0), says: /not JSON: found "}]" at position 19/ },
  'a list that ends too soon': { pod: podWith('[{"subnet":'), at: inNics(0, 'subnet'), says: /found the end at position 11/ },
  'a list that is an object': { pod: podWith({ subnet: 'front' }), at: inNics(), says: /must be a list of NICs, not an object/ },
  'a Nic that is a text': { pod: podWith(['front']), at: inNics(0), says: /must be an object/ },
  'an unknown field, with the one that was meant': {
    pod: podWith([{ portId: 'x' }]),
    at: inNics(0, 'portId'),
    says: /did you mean portID\?/,
  },
  'an unknown field far from all': { pod: podWith([{ colour: 'x' }]), at: inNics(0, 'colour'), says: /it takes name, subnet, ip,/ },
  'a member called __proto__': {
    pod: podWith('[{"__proto__":{"subnet":"front"}}]'),
    at: inNics(0, '__proto__'),
    says: /no field "__proto__"/,
  },
  'a field of the wrong type': { pod: podWith([{ subnet: 7 }]), at: inNics(0, 'subnet'), says: /must be the name of a Subnet, not 7/ },
  'an address that is none': {
    pod: podWith([{ ip: '10.0.0.256' }]),
    at: inNics(0, 'ip'),
    says: /must be an IPv4 or IPv6 address, not "10.0.0.256"/,
  },
  'ip beside ips': { pod: podWith([{ ip: '10.0.0.9', ips: ['10.0.0.8'] }]), at: inNics(0, 'ips'), says: /not both/ },
  'two addresses of one family': {
    pod: podWith([{ ips: ['10.0.0.9', '10.0.0.8'] }]),
    at: inNics(0, 'ips', 1),
    says: /one address of each family/,
  },
  'a group MAC': { pod: podWith([{ mac: '01:00:00:00:00:01' }]), at: inNics(0, 'mac'), says: /unicast MAC/ },
  'two for DPDK': {
    pod: podWith([
      { name: 'eth0', type: 'dpdk' },
      { name: 'eth1', type: 'dpdk' },
    ]),
    at: inNics(1, 'type'),
    says: /two NICs of the pod have type dpdk, and one is the most/,
  },
  'a type that there is not': { pod: podWith([{ type: 'sriov' }]), at: inNics(0, 'type'), says: /must be kernel, dpdk or tap/ },
  'a type of all Nics that there is not': {
    pod: podWith([{}], { annotations: { [nicTypeAnnotation]: 'vm' } }),
    at: '/metadata/annotations/megrez.io~1nic-type',
    says: /must be kernel, dpdk or tap, not "vm"/,
  },
  'a socket of a Port that is none': {
    pod: podWith([{ portID: 'p-1', type: 'dpdk' }]),
    at: inNics(0, 'type'),
    says: /must be kernel: the Port that portID names is of that type/,
  },
  'TAPs of a Port that is a socket': {
    pod: podWith([{ portID: 'p-3' }], { annotations: { [nicTypeAnnotation]: 'tap' } }),
    at: '/metadata/annotations/megrez.io~1nic-type',
    says: /must be dpdk/,
  },
  'a name that Linux would not take': { pod: podWith([{ name: 'a/b' }]), at: inNics(0, 'name'), says: /interface name/ },
  'two of a name': { pod: podWith([{ name: 'x' }, { name: 'x' }]), at: inNics(1, 'name'), says: /two NICs are called x/ },
  'two of an interface': {
    pod: podWith([{ name: 'net2' }, { name: 'eth1' }]),
    at: inNics(1, 'name'),
    says: /its interface would be net2, which is taken by NIC net2/,
  },
  'an interface of Multus': {
    pod: podWith([{}], { annotations: { 'k8s.v1.cni.cncf.io/networks': 'a/b, c@net7' } }),
    at: inNics(0, 'name'),
    says: /net1, which is taken by the annotation/,
  },
  'two default routes': {
    pod: podWith([{ defaultRoute: true }, { defaultRoute: true }]),
    at: inNics(1, 'defaultRoute'),
    says: /the default route/,
  },
  'an address twice': { pod: podWith([{ ip: '10.0.0.9' }, { ip: '10.0.0.9' }]), at: inNics(1, 'ip'), says: /the address 10.0.0.9/ },
  'a Port twice': { pod: podWith([{ portID: 'p-1' }, { portID: 'p-1' }]), at: inNics(1, 'portID'), says: /the Port p-1/ },
  'more than the cluster allows': { pod: podWith([{}, {}, {}, {}]), at: inNics(3), says: /asks for 4 NICs; the cluster allows 3/ },
  'more than the flavor allows': {
    pod: podWith([{}, {}, {}], { annotations: { [flavorAnnotation]: 'm1.large' } }),
    at: inNics(2),
    says: /flavor m1.large allows 2/,
  },
  'a list without a VPC': {
    pod: { metadata: { namespace: 'a', annotations: { [nicsAnnotation]: '[]' } }, spec: {} },
    at: vpcAt,
    says: /is missing/,
  },
  'a VPC that is no name': { pod: podWith([], named('B lue')), at: vpcAt, says: /must be the name of a Vpc/ },
  'a VPC that there is not': { pod: podWith([], named('green')), at: vpcAt, says: /^Vpc green not found$/, later: true },
  'a VPC that is not shared, in the same words': {
    pod: podWith([], named('other/private')),
    at: vpcAt,
    says: /^Vpc other\/private not found$/,
    later: true,
  },
  'several Subnets and no default': { pod: podWith([], named('two')), at: vpcAt, says: /has no defaultSubnet: name one of left, right/ },
  'several Subnets for one of a list': {
    pod: podWith([{ subnet: 'left' }, {}], named('two')),
    at: inNics(1, 'subnet'),
    says: /name one of left, right/,
  },
  'a default that there is not': {
    pod: podWith([], named('lost')),
    at: vpcAt,
    says: /default of Vpc lost: Subnet nowhere not found/,
    later: true,
  },
  'a VPC whose only Subnet is not validated': {
    pod: podWith([], named('waiting')),
    at: vpcAt,
    says: /no validated Subnet yet.*unproven still waits/,
    later: true,
  },
  'a Subnet that there is not': {
    pod: podWith([{ subnet: 'back' }]),
    at: inNics(0, 'subnet'),
    says: /Subnet back not found in Vpc blue/,
    later: true,
  },
  'a Subnet of a second VPC': {
    pod: podWith([{ subnet: 'left' }]),
    at: inNics(0, 'subnet'),
    says: /is in Vpc two, not in blue: all NICs of a pod are in one VPC/,
  },
  'a Subnet of another namespace': { pod: podWith([{ subnet: 'other/common' }]), at: inNics(0, 'subnet'), says: /not found/, later: true },
  'an address outside': {
    pod: podWith([{ subnet: 'front', ip: '10.0.1.9' }]),
    at: inNics(0, 'ip'),
    says: /10.0.1.9 is not in 10.0.0.0\/24 of Subnet front/,
  },
  'an address of a family that it lacks': {
    pod: podWith([{ ips: ['10.0.0.9', '2001:db8::1'] }]),
    at: inNics(0, 'ips', 1),
    says: /has no IPv6 addresses/,
  },
  'the gateway that is meant': { pod: podWith([{ ip: '10.0.0.1' }]), at: inNics(0, 'ip'), says: /is the gateway/ },
  'the gateway that is named': { pod: podWith([{ ip: '10.9.0.6' }], named('named')), at: inNics(0, 'ip'), says: /is the gateway/ },
  'the network address': { pod: podWith([{ ip: '10.0.0.0' }]), at: inNics(0, 'ip'), says: /network address/ },
  'the broadcast address': { pod: podWith([{ ip: '10.0.0.255' }]), at: inNics(0, 'ip'), says: /broadcast address/ },
  'an excluded address': {
    pod: podWith([{ ip: '10.9.0.5' }], named('named')),
    at: inNics(0, 'ip'),
    says: /is excluded from Subnet second by 10.9.0.4\/31/,
  },
  'a Port that there is not': { pod: podWith([{ portID: 'p-9' }]), at: inNics(0, 'portID'), says: /no Port with portID p-9/, later: true },
  'a Port of a second VPC': { pod: podWith([{ portID: 'p-2' }]), at: inNics(0, 'portID'), says: /is in Vpc two, not in blue/ },
  'an address for a Port that has its own': {
    pod: podWith([{ portID: 'p-1', ip: '10.0.0.9' }]),
    at: inNics(0, 'ip'),
    says: /has decided this already/,
  },
  "another Subnet than the Port's": {
    pod: podWith([{ portID: 'p-1', subnet: 'back' }]),
    at: inNics(0, 'subnet'),
    says: /is in Subnet front/,
  },
  'more bytes than the VPC carries': {
    pod: podWith([{ subnet: 'left', mtu: 1500 }], named('two')),
    at: inNics(0, 'mtu'),
    says: /an MTU of 1500 does not fit: Vpc two carries 1400/,
  },
  'a QoS policy where there are none': {
    pod: podWith([{ subnet: 'left', qosPolicy: 'gold' }], named('two')),
    at: inNics(0, 'qosPolicy'),
    says: /^Vpc two is of provider builtin, which has no QoS policies/,
  },
  'a TAP for root': {
    pod: podWith([{ subnet: 'left', type: 'tap', tap: { uid: 0 } }], named('two')),
    at: inNics(0, 'tap'),
    says: /^uid must be a whole number from 1 to 4294967294, not 0/,
  },
  'a TAP with a number of queues': {
    pod: podWith([{ subnet: 'left', type: 'tap', tap: { queues: 2 } }], named('two')),
    at: inNics(0, 'tap'),
    says: /^has no field "?queues"?: it takes uid, gid, multiQueue/,
  },
  'who may open what is no TAP': {
    pod: podWith([{ subnet: 'left', tap: { uid: 1000 } }], named('two')),
    at: inNics(0, 'tap'),
    says: /^is for a TAP, and the NIC is of type kernel/,
  },
  "who may open the Port's TAP": { pod: podWith([{ portID: 'p-1', tap: { uid: 1000 } }]), at: inNics(0, 'tap'), says: /decided this/ },
  'blocks behind it that its Subnet does not allow': {
    pod: podWith([{ subnet: 'left', routedBlocks: ['10.9.0.0/24'] }], named('two')),
    at: inNics(0, 'routedBlocks', 0),
    says: /^Subnet left does not allow 10\.9\.0\.0\/24 to Ports of a: its owner does in spec\.allowedRoutedBlocks/,
  },
  'a block behind it with host bits': {
    pod: podWith([{ subnet: 'left', routedBlocks: ['10.9.0.1/24'] }], named('two')),
    at: inNics(0, 'routedBlocks'),
    says: /must be a block whose host bits are zero/,
  },
  "a QoS policy beside the Port's": {
    pod: podWith([{ portID: 'p-1', qosPolicy: 'gold' }]),
    at: inNics(0, 'qosPolicy'),
    says: /decided this/,
  },
  'fewer bytes than IPv6 needs': { pod: podWith([], named('narrow')), at: vpcAt, says: /1000 does not fit.*1280/ },
  'the network of the node': { pod: podWith([], { spec: { hostNetwork: true } }), at: '/spec/hostNetwork', says: /its node's own network/ },
  'a word for who is eth0 that there is not': {
    pod: podWith([], { annotations: { [clusterNicAnnotation]: 'both' } }),
    at: '/metadata/annotations/megrez.io~1cluster-nic',
    says: /must be none or delegate/,
  },
}
describe('what is refused', () => {
  for (const [name, { pod, at, says, later }] of Object.entries(refusals)) {
    test(name, () => {
      const wanted = of(pod)
      assert.equal(wanted.kind, 'refused', JSON.stringify(wanted))
      if (wanted.kind !== 'refused') return
      assert.equal(wanted.at, at)
      assert.match(wanted.message, says)
      assert.equal(wanted.later, later === true)
    })
  }
})
