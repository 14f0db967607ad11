// What the kinds of BGP take and refuse, and what Vpcs and Subnets say of it.
import type { OwnKind } from '../../core/kinds/index.ts'

interface BGPCase {
  readonly kind: OwnKind
  readonly spec: object
  readonly was?: object
  readonly refused?: string
  /** Where we say it, who can name more than the list. */
  readonly within?: string
}

const of = (kind: OwnKind, spec: object, refused?: string): BGPCase => ({ kind, spec, ...(refused !== undefined && { refused }) })
const group = (more: object, refused?: string): BGPCase => of('BGPSessionGroup', { as: 64512, ...more }, refused)
const tor = { name: 'tor', address: '192.0.2.1', as: 65000 }
const peer = (more: object, refused?: string): BGPCase => group({ peers: [{ ...tor, ...more }] }, refused)
/** Of two peers the second. */
const second = (more: object, field: string): BGPCase => ({
  ...group({ peers: [tor, { ...tor, name: 'other', address: '192.0.2.2', ...more }] }, 'spec.peers'),
  within: `spec.peers[1].${field}`,
})
const filtered = (rule: object): BGPCase =>
  second(
    {
      import: [
        { action: 'accept', prefix: '::/0' },
        { action: 'accept', prefix: '10.0.0.0/8', ...rule },
      ],
    },
    'import[1]',
  )
const mesh = (more: object, refused?: string): BGPCase => group({ mesh: more }, refused)
const imports = (allow: object[], refused?: string): BGPCase => group({ imports: [{ vpc: 'a/v', allow }] }, refused)
const subnet = (more: object, refused?: string): BGPCase => of('Subnet', { vpc: 'v', ipv4: { cidr: '10.0.0.0/24' }, ...more }, refused)
const vpc = (more: object, refused?: string): BGPCase => of('Vpc', { bgpSessionGroups: ['edge'], ...more }, refused)

export const bgpCases: Readonly<Record<string, BGPCase>> = {
  'a BGPSessionGroup may say little': group({}),
  'a BGPSessionGroup may say everything': group({
    nodes: { matchLabels: { 'example.org/rack': 'r1' } },
    mesh: {
      mode: 'reflectors',
      reflectors: { nodes: { matchLabels: { rr: '' } }, clusterID: '192.0.2.9' },
      passwordSecret: { name: 'bgp', key: 'mesh' },
      bfd: { intervalMilliseconds: 100, multiplier: 3 },
      timers: { holdSeconds: 9, keepaliveSeconds: 3, connectRetrySeconds: 1 },
    },
    peers: [
      {
        ...tor,
        l4Port: 1179,
        nodes: { matchLabels: { edge: 'true' } },
        multihop: 2,
        authentication: 'md5',
        passwordSecret: { name: 'bgp', key: 'tor' },
        bfd: { intervalMilliseconds: 300, multiplier: 3 },
        timers: { holdSeconds: 90 },
        maximumPrefixes: { ipv4: 10_000, ipv6: 10_000 },
        communities: ['64512:100', '4294967295:0:1', 'graceful-shutdown'],
        import: [
          { action: 'reject', prefix: '0.0.0.0/0' },
          { action: 'accept', prefix: '10.0.0.0/8', ge: 16, le: 24, communities: ['64512:1'] },
        ],
        export: [{ action: 'accept', prefix: '2001:db8::/32', le: 128 }],
      },
    ],
    addressFamilies: ['ipv4-unicast', 'ipv6-unicast'],
    gracefulRestart: { seconds: 120 },
    maximumPaths: 4,
    advertise: { subnets: [{ namespace: 'a', name: 'blue' }] },
    imports: [{ vpc: 'a/v', allow: [{ prefix: '0.0.0.0/0' }] }],
    callbackURL: 'https://example.org/hook',
  }),
  'AS 0': group({ as: 0 }, 'spec.as'),
  AS_TRANS: group({ as: 23456 }, 'spec.as'),
  'the last AS of 32 bits': group({ as: 4294967295 }, 'spec.as'),
  'an AS of 32 bits': group({ as: 4200000000 }),
  'a mesh of reflectors without any': mesh({ mode: 'reflectors' }, 'spec.mesh.reflectors'),
  'a full mesh with reflectors': mesh({ mode: 'full', reflectors: { nodes: {} } }, 'spec.mesh.reflectors'),
  'a clusterID that is IPv6': mesh(
    { mode: 'reflectors', reflectors: { nodes: {}, clusterID: '2001:db8::1' } },
    'spec.mesh.reflectors.clusterID',
  ),
  'a mesh that keeps alive more seldom than it holds': mesh(
    { mode: 'full', timers: { holdSeconds: 9, keepaliveSeconds: 9 } },
    'spec.mesh.timers',
  ),
  'a peer of AS 65535': second({ as: 65535 }, 'as'),
  'a peer by IPv6': peer({ address: '2001:db8::1' }),
  'a peer that is link-local': second({ address: 'fe80::1' }, 'address'),
  'a peer that is no address': second({ address: 'gateway' }, 'address'),
  'a peer that is called as a node is': second({ name: 'node-1' }, 'name'),
  'two peers of one name': second({ name: 'tor' }, 'name'),
  'a peer of our own AS at some hops': second({ as: 64512, multihop: 2 }, 'multihop'),
  'a peer that would have TCP-AO': second({ authentication: 'tcp-ao', passwordSecret: { name: 'n', key: 'k' } }, 'authentication'),
  'a peer that would have a password, and names none': second({ authentication: 'md5' }, 'passwordSecret'),
  'a peer that is kept alive more seldom than it is held': second({ timers: { keepaliveSeconds: 90 } }, 'timers.keepaliveSeconds'),
  'a community beyond 16 bits': peer({ communities: ['64512:65536'] }, 'spec.peers[0].communities[0]'),
  'a large community beyond 32 bits': peer({ communities: ['4294967296:1:1'] }, 'spec.peers[0].communities[0]'),
  'a filter with host bits': filtered({ prefix: '10.0.0.1/8' }),
  'a filter that is no block': filtered({ prefix: 'any' }),
  'a filter of longer prefixes than there are': filtered({ le: 33 }),
  'a filter from a shorter prefix on': filtered({ ge: 7 }),
  'a filter whose bounds are the wrong way round': filtered({ ge: 24, le: 16 }),
  'a filter of what is sent with host bits': second({ export: [{ action: 'reject', prefix: '10.0.0.1/8' }] }, 'export[0]'),
  VPNv4: group({ addressFamilies: ['vpnv4'] }, 'spec.addressFamilies'),
  'EVPN beside IPv4': group({ addressFamilies: ['ipv4-unicast', 'evpn'] }, 'spec.addressFamilies'),
  'a family that nobody knows': group({ addressFamilies: ['ipx'] }, 'spec.addressFamilies[0]'),
  'what comes into a Vpc with host bits': imports([{ prefix: '10.0.0.1/8' }], 'spec.imports'),
  'a Vpc that routes come into twice': group({ imports: [{ vpc: 'a/v' }, { vpc: 'a/v' }] }, 'spec.imports'),
  'a Vpc of no namespace': group({ imports: [{ vpc: 'v' }] }, 'spec.imports[0].vpc'),
  'a Subnet that is advertised twice': group(
    {
      advertise: {
        subnets: [
          { namespace: 'a', name: 's' },
          { namespace: 'a', name: 's' },
        ],
      },
    },
    'spec.advertise.subnets',
  ),
  'a BGPSpeaker of a node in no group': of('BGPSpeaker', { node: 'n1', groups: [] }),
  'a BGPSpeaker that becomes that of another node': {
    ...of('BGPSpeaker', { node: 'n2', groups: [] }, 'spec.node'),
    was: { node: 'n1', groups: [] },
  },
  'a PrefixLock': of('PrefixLock', { prefixes: [{ cidr: '10.0.0.0/24', subnet: 'a/blue', uid: 'u' }] }),
  'a PrefixLock of no Subnet': of('PrefixLock', { prefixes: [{ cidr: '10.0.0.0/24', uid: 'u' }] }, 'spec.prefixes[0].subnet'),
  'a Vpc that agrees to a group': vpc({}),
  'a Vpc of a cloud that agrees to a group': vpc({ provider: 'memory', cloud: 'c' }, 'spec.bgpSessionGroups'),
  'a VLAN that agrees to a group': vpc({ vlan: { physicalNetwork: 'p', id: 7 } }, 'spec.bgpSessionGroups'),
  'a Subnet in l3 mode': subnet({ mode: 'l3' }),
  'a Subnet in a mode that is none': subnet({ mode: 'l4' }, 'spec.mode'),
  'an L2Service in l3 mode': subnet({ vpc: null, l2Service: 's', mode: 'l3' }, 'spec.mode'),
  'a Subnet of a cloud in l3 mode': subnet({ existing: 'sub-1', mode: 'l3' }, 'spec.mode'),
  'a Subnet that gets another mode': {
    ...subnet({ mode: 'l3' }, 'spec.mode'),
    was: { vpc: 'v', ipv4: { cidr: '10.0.0.0/24' }, mode: 'l2' },
  },
}
