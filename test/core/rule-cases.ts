// What every kind takes and refuses, as one table: it is run on our own check and judge (kinds-rules.test.ts), and on a real
// API server with the CRDs installed (test/kube/crds.test.ts), so that standalone and cluster refuse the same things.
import { bgpCases } from './bgp-cases.ts'
import { egressCases } from './egress-cases.ts'
import { cloudCases } from './cloud-cases.ts'
import { inquiryCases } from './inquiry-cases.ts'
import { tapCases } from './tap-cases.ts'
import { serviceCases } from './service-cases.ts'
import { l2Cases } from './l2-cases.ts'
import type { OwnKind } from '../../core/kinds/index.ts'
import { subscriptionCases } from './subscription-cases.ts'
import { peeringCases } from './peering-cases.ts'
import { portSourceCases } from './port-source-cases.ts'
import { inspectionCases, policyCases } from './policy-cases.ts'

export interface RuleCase {
  readonly kind: OwnKind
  readonly spec: object
  /** The spec it was made with: the case is then an update. */
  readonly was?: object
  /** Where the fault is, as the API server writes paths; absent: it is taken. */
  readonly refused?: string
  /** Where we say it, who can name more than CEL. */
  readonly within?: string
  /** A rule without CEL: an API server takes it where our admission does not look. */
  readonly byUsAlone?: true
}

const vpc = (spec: object, refused?: string): RuleCase => ({ kind: 'Vpc', spec, ...at(refused) })
const v4 = (block: object, refused?: string): RuleCase => ({
  kind: 'Subnet',
  spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24', ...block } },
  ...at(refused),
})
const v6 = (block: object, refused?: string): RuleCase => ({
  kind: 'Subnet',
  spec: { vpc: 'blue', ipv6: { cidr: '2001:db8::/64', ...block } },
  ...at(refused),
})
const l2Subnet = (more: object, refused: string): RuleCase => ({
  kind: 'Subnet',
  spec: { l2Service: 'l', ipv4: { cidr: '10.0.0.0/24' }, ...more },
  refused,
})
const subnet = (more: object, refused?: string): RuleCase => ({
  kind: 'Subnet',
  spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' }, ...more },
  ...at(refused),
})
const port = (more: object, refused?: string): RuleCase => ({ kind: 'Port', spec: { subnet: 'blue', ...more }, ...at(refused) })
const group = (rule: object, refused?: string): RuleCase => ({
  kind: 'SecurityGroup',
  spec: { rules: [{ direction: 'ingress', ...rule }] },
  ...at(refused),
})
const holder = { kind: 'Vpc', namespace: 'a', name: 'blue', uid: 'u' }
const numbered = { vni: 7, holder }
const segment = (more: object, refused?: string): RuleCase => ({ kind: 'SegmentLock', spec: { holder, ...more }, ...at(refused) })
const lock = (more: object, refused?: string): RuleCase => ({ kind: 'IPLock', spec: { vni: 7, ...more }, ...at(refused) })
const connection = { networkService: 'a/dns', port: 'p', portUID: 'u', labels: { app: 'x' } }
const atCloud = { group: 'web', groupUID: 'u', cloud: 'c' }
const change = (kind: OwnKind, was: object, spec: object, refused?: string): RuleCase => ({ kind, was, spec, ...at(refused) })
const at = (refused: string | undefined): { readonly refused?: string } => (refused === undefined ? {} : { refused })

const notice = {
  of: holder,
  sequence: 1,
  phase: 'ready',
  time: '2026-11-21T12:00:00Z',
  callbackURL: 'https://example.org/',
  object: { kind: 'Vpc', any: [1, { deep: true }] },
}

const created: Readonly<Record<string, RuleCase>> = {
  'a Vpc may say nothing': vpc({}),
  'a Vpc may say everything': vpc({
    provider: 'builtin',
    vni: 1,
    defaultSubnet: 'a.b-c',
    sharedWith: ['a', 'b-1'],
    mtu: 1450,
    callbackURL: 'https://example.org/hook',
  }),
  'a null is no value': vpc({ vni: null, provider: null }),
  'a VNI of 0': vpc({ vni: 0 }, 'spec.vni'),
  'a VNI of 25 bits': vpc({ vni: 16777216 }, 'spec.vni'),
  'the greatest VNI': vpc({ vni: 16777215 }),
  'a VNI that is text': vpc({ vni: '7' }, 'spec.vni'),
  'a VNI that is no whole number': vpc({ vni: 1.5 }, 'spec.vni'),
  'a Vpc that is a VLAN': vpc({ vlan: { physicalNetwork: 'physnet1', id: 4094 } }),
  'a VLAN of 0': vpc({ vlan: { physicalNetwork: 'physnet1', id: 0 } }, 'spec.vlan.id'),
  'a VLAN of 4095': vpc({ vlan: { physicalNetwork: 'physnet1', id: 4095 } }, 'spec.vlan.id'),
  'a VLAN of no physical network': vpc({ vlan: { id: 100 } }, 'spec.vlan.physicalNetwork'),
  'a VLAN of a physical network that is no name': vpc({ vlan: { physicalNetwork: 'a/b', id: 100 } }, 'spec.vlan.physicalNetwork'),
  'a VLAN with a VNI': vpc({ vlan: { physicalNetwork: 'physnet1', id: 100 }, vni: 7 }, 'spec.vlan'),
  'a Vpc of a cloud that is a VLAN': vpc({ provider: 'memory', cloud: 'c', vlan: { physicalNetwork: 'p', id: 7 } }, 'spec.vlan'),
  'a provider that is unknown': vpc({ provider: 'other' }, 'spec.provider'),
  'a Vpc of a cloud': vpc({ provider: 'memory', cloud: 'c', existing: 'net-1' }),
  'a Vpc of a cloud that names none': vpc({ provider: 'memory' }, 'spec.cloud'),
  'a Vpc of ours that names a Cloud': vpc({ cloud: 'c' }, 'spec.cloud'),
  'a Vpc of ours that is there already': vpc({ existing: 'net-1' }, 'spec.existing'),
  'a Vpc of a cloud with a VNI': vpc({ provider: 'memory', cloud: 'c', vni: 7 }, 'spec.vni'),
  'a Vpc of a cloud that carries broadcast': vpc({ provider: 'memory', cloud: 'c', broadcast: true }, 'spec.broadcast'),
  'a VLAN that carries broadcast': vpc({ vlan: { physicalNetwork: 'physnet1', id: 100 }, broadcast: false }, 'spec.broadcast'),
  'a Subnet of an L2Service that carries broadcast': l2Subnet({ broadcast: true }, 'spec.broadcast'),
  'a Subnet that is there already, and says no more': { kind: 'Subnet', spec: { vpc: 'blue', existing: 'sub-1' } },
  'a Subnet of an L2Service that is there already': l2Subnet({ existing: 'sub-1' }, 'spec.existing'),
  'a group of a cloud': { kind: 'CloudSecurityGroup', spec: atCloud },
  'a client of a network service': { kind: 'Connection', spec: connection },
  'a packet too small': vpc({ mtu: 575 }, 'spec.mtu'),
  'a namespace named twice': vpc({ sharedWith: ['a', 'b', 'a'] }, 'spec.sharedWith[2]'),
  'a namespace that is no name': vpc({ sharedWith: ['a', 'A_b'] }, 'spec.sharedWith[1]'),
  "a Subnet's name with a slash": vpc({ defaultSubnet: 'a/b' }, 'spec.defaultSubnet'),
  'a callback by another protocol': vpc({ callbackURL: 'ftp://example.org/' }, 'spec.callbackURL'),
  'a field that is not known': vpc({ vnii: 7 }, 'spec.vnii'),
  'a list where an object is wanted': { kind: 'Vpc', spec: [], refused: 'spec' },

  'a Subnet with an IPv4 block': v4({}),
  'a Subnet with an IPv6 block': v6({}),
  'a Subnet with both': subnet({ ipv6: { cidr: '2001:db8::/64' } }),
  'a Subnet with no block': { kind: 'Subnet', spec: { vpc: 'blue' }, refused: 'spec' },
  'a Subnet of no Vpc and no L2Service': { kind: 'Subnet', spec: { ipv4: { cidr: '10.0.0.0/24' } }, refused: 'spec' },
  'an empty block': subnet({ ipv4: {} }, 'spec.ipv4.cidr'),
  'the block of one address': v4({ cidr: '10.0.0.7/32' }),
  'the block of all addresses': v4({ cidr: '0.0.0.0/0' }),
  'host bits in a block': v4({ cidr: '10.0.0.5/24' }, 'spec.ipv4.cidr'),
  'host bits in an IPv6 block': v6({ cidr: '2001:db8::1/64' }, 'spec.ipv6.cidr'),
  'an address in place of a block': v4({ cidr: '10.0.0.0' }, 'spec.ipv4.cidr'),
  'a length with a leading zero': v4({ cidr: '10.0.0.0/08' }, 'spec.ipv4.cidr'),
  'an address with a leading zero': v4({ cidr: '010.0.0.0/24' }, 'spec.ipv4.cidr'),
  'a length above 32': v4({ cidr: '10.0.0.0/33' }, 'spec.ipv4.cidr'),
  'an IPv6 block under ipv4': v4({ cidr: '2001:db8::/64' }, 'spec.ipv4.cidr'),
  'an IPv4 block under ipv6': v6({ cidr: '10.0.0.0/24' }, 'spec.ipv6.cidr'),
  'an IPv4-mapped block': v6({ cidr: '::ffff:10.0.0.0/120' }, 'spec.ipv6.cidr'),
  'a block with a zone': v6({ cidr: 'fe80::%eth0/64' }, 'spec.ipv6.cidr'),
  'an IPv6 block in another spelling': v6({ cidr: '2001:0DB8:0:0::/64' }),
  'a gateway inside': v4({ gateway: '10.0.0.254' }),
  'a gateway outside': v4({ gateway: '10.0.1.1' }, 'spec.ipv4.gateway'),
  'a gateway of the other family': v4({ gateway: '2001:db8::1' }, 'spec.ipv4.gateway'),
  'a gateway that is no address': v6({ gateway: 'gateway' }, 'spec.ipv6.gateway'),
  'a pool inside': v4({ pools: [{ first: '10.0.0.10', last: '10.0.0.20' }] }),
  'a pool that ends outside': v4({ pools: [{ first: '10.0.0.10', last: '10.0.1.20' }] }, 'spec.ipv4.pools'),
  'a pool of one address': v4({ pools: [{ first: '10.0.0.10', last: '10.0.0.10' }] }),
  'a pool of the whole block': v4({ pools: [{ first: '10.0.0.0', last: '10.0.0.255' }] }),
  'a pool that ends before it begins': {
    ...v4(
      {
        pools: [
          { first: '10.0.0.10', last: '10.0.0.20' },
          { first: '10.0.0.40', last: '10.0.0.39' },
        ],
      },
      'spec.ipv4.pools',
    ),
    byUsAlone: true,
  },
  'an IPv6 pool': v6({ pools: [{ first: '2001:db8::7fff:0:0:1', last: '2001:db8::8000:0:0:0' }] }),
  'an IPv6 pool that ends before it begins': {
    ...v6({ pools: [{ first: '2001:db8::8000:0:0:0', last: '2001:db8::7fff:0:0:1' }] }, 'spec.ipv6.pools'),
    byUsAlone: true,
  },
  'a pool without an end': v4({ pools: [{ first: '10.0.0.10' }] }, 'spec.ipv4.pools[0].last'),
  'a pool of no addresses': v6({ pools: [{ first: 'xx', last: '2001:db8::9' }] }, 'spec.ipv6.pools'),
  'an address and a block that are excluded': v4({ excludes: ['10.0.0.7', '10.0.0.128/25'] }),
  'an excluded address outside': v4({ excludes: ['10.0.0.7', '10.1.0.7'] }, 'spec.ipv4.excludes'),
  'an excluded block that is greater': v4({ excludes: ['10.0.0.0/16'] }, 'spec.ipv4.excludes'),
  'an excluded block of the other family': v4({ excludes: ['2001:db8::/64'] }, 'spec.ipv4.excludes'),
  'an excluded thing that is neither': v6({ excludes: ['everything'] }, 'spec.ipv6.excludes'),
  'an excluded block with host bits': v4({ excludes: ['10.0.0.129/25'] }, 'spec.ipv4.excludes'),
  'a route': subnet({ routes: [{ destination: '192.0.2.0/24', nextHop: '10.0.0.1' }] }),
  'a route over the other family': subnet({ routes: [{ destination: '192.0.2.0/24', nextHop: '2001:db8::1' }] }, 'spec.routes'),
  'a route to host bits': subnet({ routes: [{ destination: '192.0.2.1/24', nextHop: '10.0.0.1' }] }, 'spec.routes'),
  'a route to an address': subnet({ routes: [{ destination: '192.0.2.1', nextHop: '10.0.0.1' }] }, 'spec.routes'),
  'name servers of both families': subnet({ dns: { nameservers: ['192.0.2.53', '2001:db8::53'], search: ['example.org'] } }),
  'a name server by name': subnet({ dns: { nameservers: ['dns.example.org'] } }, 'spec.dns.nameservers'),

  'a Port of a Subnet elsewhere': port({ subnet: 'shared/blue' }),
  'a Port of no Subnet': { kind: 'Port', spec: {}, refused: 'spec.subnet' },
  'a reference with two slashes': port({ subnet: 'a/b/c' }, 'spec.subnet'),
  'an address of each family': port({ ips: ['10.0.0.5', '2001:db8::5'] }),
  'two addresses of one family': port({ ips: ['10.0.0.5', '10.0.0.6'] }, 'spec.ips'),
  'three addresses': port({ ips: ['10.0.0.5', '2001:db8::5', '10.0.0.6'] }, 'spec.ips'),
  'an address that is none': port({ ips: ['10.0.0.500'] }, 'spec.ips'),
  'an IPv4-mapped address': port({ ips: ['::ffff:10.0.0.5'] }, 'spec.ips'),
  'a block in place of an address': port({ ips: ['10.0.0.5/24'] }, 'spec.ips'),
  'a unicast MAC': port({ mac: '02:00:00:00:00:0A' }),
  'a group MAC': port({ mac: '01:00:5e:00:00:01' }, 'spec.mac'),
  'a MAC with hyphens': port({ mac: '02-00-00-00-00-0a' }, 'spec.mac'),
  'a MAC too short': port({ mac: '02:00:00:00:00' }, 'spec.mac'),
  'a QoS policy': port({ qosPolicy: 'gold' }),
  'a QoS policy of what is adopted': port({ qosPolicy: 'gold', portID: 'spare' }, 'spec.qosPolicy'),
  'addresses on a node': port({ node: 'n1', addressed: true }),
  'no addresses on a node': port({ node: 'n1', addressed: false }),
  'addresses of a TAP on a node': port({ node: 'n1', addressed: true, type: 'tap' }, 'spec.addressed'),
  'a TAP that moves to another node': port({ node: 'n1', type: 'tap', migratingTo: 'n2' }),
  'a TAP that moves to where it is': port({ node: 'n1', type: 'tap', migratingTo: 'n1' }, 'spec.migratingTo'),
  'a TAP of no node that moves': port({ type: 'tap', migratingTo: 'n2' }, 'spec.migratingTo'),
  'an interface of the kernel that moves': port({ node: 'n1', migratingTo: 'n2' }, 'spec.migratingTo'),
  'addresses on no node': port({ addressed: true }, 'spec.addressed'),
  'a type that is unknown': port({ type: 'sriov' }, 'spec.type'),
  'an empty portID': port({ portID: '' }, 'spec.portID'),
  'a portID of 253 letters of more bytes': port({ portID: 'é'.repeat(253) }),
  'a portID of 254 letters': port({ portID: 'é'.repeat(254) }, 'spec.portID'),
  'a portID of 254 code points that look like 127': port({ portID: 'e\u0301'.repeat(127) }, 'spec.portID'),
  'a portID of 253 emoji': port({ portID: '😀'.repeat(253) }),
  'a claim': port({ claim: { pod: 'web-0', nic: 'eth0', owner: 'StatefulSet/web', podUID: 'u', until: '2026-11-21T12:00:00.123Z' } }),
  'a claim until some day': port(
    { claim: { pod: 'web-0', nic: 'eth0', owner: 'StatefulSet/web', podUID: 'u', until: 'tomorrow' } },
    'spec.claim.until',
  ),
  'a claim until the 31st of February': port(
    { claim: { pod: 'web-0', nic: 'eth0', owner: 'StatefulSet/web', podUID: 'u', until: '2026-02-31T12:00:00Z' } },
    'spec.claim.until',
  ),
  'a claim of nobody': port({ claim: { nic: 'eth0', owner: 'StatefulSet/web', podUID: 'u' } }, 'spec.claim.pod'),
  'a field of a claim that is not known': port(
    { claim: { pod: 'web-0', nic: 'eth0', owner: 'Pod/web-0', podUID: 'u', pot: 'x' } },
    'spec.claim.pot',
  ),

  'a SecurityGroup without rules': { kind: 'SecurityGroup', spec: {} },
  'a rule of everything': group({}),
  'a rule of a range': group({ protocol: 'tcp', l4PortMin: 80, l4PortMax: 443, remoteCIDR: '0.0.0.0/0' }),
  'a rule without direction': { kind: 'SecurityGroup', spec: { rules: [{ protocol: 'tcp' }] }, refused: 'spec.rules[0].direction' },
  'a range that ends before it begins': group({ protocol: 'tcp', l4PortMin: 443, l4PortMax: 80 }, 'spec.rules'),
  'a rule of SCTP': group({ protocol: 'sctp', l4PortMin: 80 }),
  'a rule of a number': group({ protocolNumber: 47 }),
  'a rule of a word and a number': group({ protocol: 'tcp', protocolNumber: 47 }, 'spec.rules'),
  'a rule of an unknown word': group({ protocol: 'gre' }, 'spec.rules[0].protocol'),
  'ports without a protocol': group({ l4PortMin: 80 }, 'spec.rules'),
  'a type of ICMP and a lower code': group({ protocol: 'icmp', l4PortMin: 3, l4PortMax: 1 }),
  'a type of ICMP above 255': group({ protocol: 'icmpv6', etherType: 'IPv6', l4PortMin: 256 }, 'spec.rules'),
  'a code of no type': group({ protocol: 'icmp', l4PortMax: 1 }, 'spec.rules'),
  'a port above 65535': group({ l4PortMax: 65536 }, 'spec.rules[0].l4PortMax'),
  'a rule of a block and a group': group({ remoteCIDR: '10.0.0.0/8', remoteGroup: 'web' }, 'spec.rules'),
  'a rule of a block with host bits': group({ remoteCIDR: '10.0.0.1/8' }, 'spec.rules'),
  'a rule of an IPv6 block': group({ etherType: 'IPv6', remoteCIDR: '2001:db8::/32' }),
  'a rule of an IPv6 block for IPv4': group({ remoteCIDR: '2001:db8::/32' }, 'spec.rules'),

  'a lock of a VNI': segment({ vni: 7 }),
  'a lock of a VLAN': segment({ vlan: 100, physicalNetwork: 'physnet1' }),
  'a lock of nothing': segment({}, 'spec'),
  'a lock of a VLAN of no network': segment({ vlan: 100 }, 'spec'),
  'a lock of a VNI and a VLAN': segment({ vni: 7, vlan: 100 }, 'spec'),
  'a lock of VLAN 4095': segment({ vlan: 4095, physicalNetwork: 'physnet1' }, 'spec.vlan'),
  'a lock of nobody': { kind: 'SegmentLock', spec: { vni: 7 }, refused: 'spec.holder' },

  'a lock of an address': lock({ address: '10.0.0.5', holder }),
  'a lock of no VNI': { kind: 'IPLock', spec: { address: '10.0.0.5' }, refused: 'spec.vni' },
  'a Notice of any object': { kind: 'Notice', spec: notice },
  'a Notice of number 0': { kind: 'Notice', spec: { ...notice, sequence: 0 }, refused: 'spec.sequence' },
  'a Notice of no object': { kind: 'Notice', spec: { ...notice, object: 'text' }, refused: 'spec.object' },
}

const changed: Readonly<Record<string, RuleCase>> = {
  'a Vpc gets a callback later': change('Vpc', {}, { callbackURL: 'https://example.org/' }),
  'a Vpc keeps its VNI': change('Vpc', { vni: 7 }, { vni: 7, mtu: 9000 }),
  'a Vpc changes its VNI': change('Vpc', { vni: 7 }, { vni: 8 }, 'spec.vni'),
  'a Vpc loses its VNI': change('Vpc', { vni: 7 }, {}, 'spec.vni'),
  'a Vpc keeps its VLAN': change('Vpc', { vlan: { physicalNetwork: 'p', id: 7 } }, { vlan: { physicalNetwork: 'p', id: 7 }, mtu: 1400 }),
  'a Vpc is another VLAN': change('Vpc', { vlan: { physicalNetwork: 'p', id: 7 } }, { vlan: { physicalNetwork: 'p', id: 8 } }, 'spec.vlan'),
  'a Vpc is a VLAN no more': change('Vpc', { vlan: { physicalNetwork: 'p', id: 7 } }, {}, 'spec.vlan'),
  'a Vpc becomes a VLAN later': change('Vpc', {}, { vlan: { physicalNetwork: 'p', id: 7 } }, 'spec.vlan'),
  'a Vpc moves to another Cloud': change('Vpc', { provider: 'memory', cloud: 'c' }, { provider: 'memory', cloud: 'd' }, 'spec.cloud'),
  'a Vpc of a cloud becomes ours': change('Vpc', { provider: 'memory', cloud: 'c' }, {}, 'spec.provider'),
  'a Vpc is another network': change(
    'Vpc',
    { provider: 'memory', cloud: 'c', existing: 'a' },
    { provider: 'memory', cloud: 'c', existing: 'b' },
    'spec.existing',
  ),
  'a Subnet is another subnet': change('Subnet', { vpc: 'v', existing: 'a' }, { vpc: 'v', existing: 'b' }, 'spec.existing'),
  "a Cloud becomes another provider's": change(
    'Cloud',
    { provider: 'memory', endpoint: 'a' },
    { provider: 'neutron', endpoint: 'a' },
    'spec.provider',
  ),
  'an Audit goes on to another Cloud': change('Audit', { cloud: 'a' }, { cloud: 'b' }, 'spec.cloud'),
  'an Audit comes to repair': change('Audit', { repair: false }, { repair: true }, 'spec.repair'),
  "an Audit comes to list what is nobody's": change(
    'Audit',
    { cloud: 'a', strangers: false },
    { cloud: 'a', strangers: true },
    'spec.strangers',
  ),
  'a client asks for another service': change('Connection', connection, { ...connection, networkService: 'a/web' }, 'spec.networkService'),
  'a client is another Port': change('Connection', connection, { ...connection, port: 'q' }, 'spec.port'),
  'a client is a later Port': change('Connection', connection, { ...connection, portUID: 'v' }, 'spec.portUID'),
  'a client is labelled otherwise': change('Connection', connection, { ...connection, labels: { app: 'web' } }, 'spec.labels'),
  'a group of a cloud is of another SecurityGroup': change('CloudSecurityGroup', atCloud, { ...atCloud, group: 'db' }, 'spec.group'),
  'a group of a cloud is of a later SecurityGroup': change('CloudSecurityGroup', atCloud, { ...atCloud, groupUID: 'v' }, 'spec.groupUID'),
  'a group of a cloud is at another': change('CloudSecurityGroup', atCloud, { ...atCloud, cloud: 'd' }, 'spec.cloud'),
  'a Cloud goes elsewhere': change('Cloud', { provider: 'memory', endpoint: 'a' }, { provider: 'memory', endpoint: 'b' }, 'spec.endpoint'),
  'a Vpc gets a VNI later': change('Vpc', {}, { vni: 7 }, 'spec.vni'),
  'a Subnet moves to another Vpc': change(
    'Subnet',
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' } },
    { vpc: 'b', ipv4: { cidr: '10.0.0.0/24' } },
    'spec.vpc',
  ),
  'a Subnet gets another block': change(
    'Subnet',
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' } },
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/23' } },
    'spec.ipv4.cidr',
  ),
  'a Subnet loses a block': change(
    'Subnet',
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } },
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' } },
    'spec.ipv6.cidr',
  ),
  'a Subnet gets a second block': change(
    'Subnet',
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' } },
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } },
    'spec.ipv6.cidr',
  ),
  'a Subnet excludes more': change(
    'Subnet',
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' } },
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24', excludes: ['10.0.0.9'] } },
  ),
  'a Subnet excludes what is outside': change(
    'Subnet',
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24' } },
    { vpc: 'a', ipv4: { cidr: '10.0.0.0/24', excludes: ['10.0.1.9'] } },
    'spec.ipv4.excludes',
  ),
  'a Port is bound': change('Port', { subnet: 'a', ips: ['10.0.0.5'] }, { subnet: 'a', ips: ['10.0.0.5'], node: 'node-1' }),
  'a Port gets another address': change('Port', { subnet: 'a', ips: ['10.0.0.5'] }, { subnet: 'a', ips: ['10.0.0.6'] }, 'spec.ips'),
  'a Port loses its address': change('Port', { subnet: 'a', ips: ['10.0.0.5'] }, { subnet: 'a' }, 'spec.ips'),
  "a Port's addresses change places": change(
    'Port',
    { subnet: 'a', ips: ['10.0.0.5', '2001:db8::5'] },
    { subnet: 'a', ips: ['2001:db8::5', '10.0.0.5'] },
    'spec.ips',
  ),
  'a Port gets another MAC': change(
    'Port',
    { subnet: 'a', mac: '02:00:00:00:00:01' },
    { subnet: 'a', mac: '02:00:00:00:00:02' },
    'spec.mac',
  ),
  'a Port moves to another Subnet': change('Port', { subnet: 'a' }, { subnet: 'b' }, 'spec.subnet'),
  'a Port becomes another type': change('Port', { subnet: 'a' }, { subnet: 'a', type: 'dpdk' }, 'spec.type'),
  "a Port says its type's default": change('Port', { subnet: 'a' }, { subnet: 'a', type: 'kernel' }),
  "a Port's program is another": change(
    'Port',
    { subnet: 'a', postCreateExec: ['true'] },
    { subnet: 'a', postCreateExec: ['false'] },
    'spec.postCreateExec',
  ),
  'a Port gets addresses on its node later': change(
    'Port',
    { subnet: 'a', node: 'n1' },
    { subnet: 'a', node: 'n1', addressed: true },
    'spec.addressed',
  ),
  'a Port gets a portID later': change('Port', { subnet: 'a' }, { subnet: 'a', portID: 'p' }, 'spec.portID'),
  'a lock gets a holder': change('IPLock', { vni: 7, address: '10.0.0.5' }, { vni: 7, address: '10.0.0.5', holder, hostIP: '192.0.2.1' }),
  'a lock gets another address': change('IPLock', { vni: 7, address: '10.0.0.5' }, { vni: 7, address: '10.0.0.6' }, 'spec.address'),
  'a lock is of another portID': change('IPLock', { vni: 7, portID: 'p' }, { vni: 7, portID: 'q' }, 'spec.portID'),
  'a lock moves to another VNI': change('IPLock', { vni: 7 }, { vni: 8 }, 'spec.vni'),
  "a segment's lock is of another segment": change('SegmentLock', { vni: 7, holder }, { vni: 8, holder }, 'spec.vni'),
  "a segment's lock is of another VLAN": change(
    'SegmentLock',
    { vlan: 100, physicalNetwork: 'a', holder },
    { vlan: 101, physicalNetwork: 'a', holder },
    'spec.vlan',
  ),
  "a segment's lock is of another network": change(
    'SegmentLock',
    { vlan: 100, physicalNetwork: 'a', holder },
    { vlan: 100, physicalNetwork: 'b', holder },
    'spec.physicalNetwork',
  ),
  "a segment's lock lists a block": change('SegmentLock', numbered, { ...numbered, blocks: [{ cidr: '10.0.0.0/24', subnet: holder }] }),
  'a Notice is of another object': change('Notice', notice, { ...notice, of: { ...holder, uid: 'v' } }, 'spec.of'),
  'a Notice has another number': change('Notice', notice, { ...notice, sequence: 2 }, 'spec.sequence'),
}

/** A name is what is sent; taken or refused, the case says. */
export const ruleCases: Readonly<Record<string, RuleCase>> = {
  ...created,
  ...changed,
  ...bgpCases,
  ...serviceCases,
  ...peeringCases,
  ...portSourceCases,
  ...egressCases,
  ...cloudCases,
  ...l2Cases,
  ...subscriptionCases,
  ...inquiryCases,
  ...tapCases,
  ...policyCases,
  ...inspectionCases,
}
