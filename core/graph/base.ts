// What every node has, whatever its ports are: the tables that pipelines of ports lead to, and the way out to and in from the tunnel.
import type { Because } from '../node/because.ts'
import { hexOf, hexOfV4 } from './bytes.ts'
import { echoElements, gatewayTables } from './gateway/echo.ts'
import { siftElements } from './guards/split-pieces.ts'
import { inPort, module, table, tunId, type TableRow } from './modules.ts'
import { outPort, peerId, policyBase, policyFieldsOf, policyReaders } from './policies.ts'
import { itemOfElement, type GraphItem, type MatchField, type MadeElement as Element, type RuleElement } from './elements.ts'

/** Where tunnelled frames leave and come in. */
export interface Uplink {
  /** The interface that carries the tunnel address; it stays the kernel's, we send and receive beside it. */
  readonly ifcName: string
  readonly mac: string
  /** IPv4. */
  readonly address: string
  /** UDP; 4789 by RFC 7348. */
  readonly l4Port: number
}

const vni: MatchField = { at: tunId, bytes: 4 }
const from: MatchField = { at: inPort, bytes: 2 }
const destination: MatchField = { at: 0, bytes: 6 }
/** 1 for broadcast and multicast (IEEE 802, the first bit sent). */
const group: MatchField = { at: 0, bytes: 1, mask: '01' }
const etherType: MatchField = { at: 12, bytes: 2 }
const arpOperation: MatchField = { at: 20, bytes: 2 }
const arpTarget: MatchField = { at: 38, bytes: 4 }
const ipv4Destination: MatchField = { at: 30, bytes: 4 }

/**
 * Tables by role. `bum`: broadcast, multicast; `fwd`: to a port or a host by (VNI, MAC); `unknown`: what `fwd` does not know;
 * `arp`: who answers for (VNI, address); `reply`: back to where a frame came from; `route`: another MAC by (VNI, IPv4 address), for
 * frames to the gateway. Those that end in `.in` are for frames out of the tunnel: nothing goes back into it.
 */
const tables: readonly TableRow[] = [
  { role: 'arp', fields: [vni, arpOperation, arpTarget], next: ['bum'] },
  { role: 'reply', fields: [from], next: [] },
  { role: 'bum', fields: [from, group], next: ['fwd'] },
  { role: 'fwd', fields: [vni, destination], next: ['unknown'] },
  { role: 'unknown', fields: [from], next: [] },
  ...gatewayTables,
  { role: 'route', fields: [vni, etherType, ipv4Destination], next: [] },
]
const tunnelTables: readonly TableRow[] = [
  // Ethernet II, IPv4 without options, no fragment, UDP, to us, VXLAN with a VNI (RFC 7348 section 5). VXLANDecap checks nothing itself.
  {
    role: 'up.match',
    fields: [
      etherType,
      { at: 14, bytes: 1 },
      { at: 20, bytes: 2, mask: '3fff' },
      { at: 23, bytes: 1 },
      ipv4Destination,
      { at: 36, bytes: 2 },
      { at: 42, bytes: 1, mask: '08' },
    ],
    next: [],
  },
  // By sender and VNI: a rule for each node that has an address in it. Without any, the anchor alone leads to decap.
  {
    role: 'up.from',
    fields: [
      { at: 26, bytes: 4 },
      { at: 46, bytes: 3 },
    ],
    next: [],
  },
  { role: 'bum.in', fields: [vni, group], next: ['fwd.in'] },
  { role: 'fwd.in', fields: [vni, destination], next: ['unknown.in'] },
  { role: 'unknown.in', fields: [vni], next: [] },
  // Its rules are the data plane's own: it knows the MAC behind which a host is.
  { role: 'nexthop', fields: [{ at: 'ip_nexthop', bytes: 4 }], next: [] },
]

/** Of a table that is not a port's own. */
export const fieldsOf = (of: string): readonly MatchField[] | undefined =>
  [...tables, ...tunnelTables].find(({ role }) => role === of)?.fields ?? policyFieldsOf(of)

/**
 * Nothing ever comes through it. It is upstream of every table, and writes what they read: a table that can be reached from a module
 * without
 * a way in and without a writer of its metadata loses the metadata, and the first packet through it ends bessd
 * (TraverseUpstream in core/metadata.cc, ptr_attr in core/modules/exact_match.cc).
 */
const anchor = (roles: readonly string[]): readonly Element[] => [
  module('anchor', { mclass: 'SetMetadata', attrs: [...anchored].map(([name, bytes]) => ({ name, value: '00'.repeat(bytes) })) }, [
    'anchor.to',
  ]),
  module('anchor.to', { mclass: 'Replicate', gates: roles.length }, roles),
]
/** Tables that it reaches by another: `echo` leads to the one, `gate` to the others, whatever rules there are. */
const behindOthers: ReadonlySet<string> = new Set(['reply', 'routed', 'route'])
const anchored = new Map([
  [tunId, 4],
  [inPort, 2],
  ['tun_ip_src', 4],
  ['tun_ip_dst', 4],
  [outPort, 2],
  [peerId, 4],
])

/** @param number or another word that nobody else has */
export const deviceOf = (ifcName: string, number: number | string): string => `net_af_packet${number},iface=${ifcName}`

function tunnel({ ifcName, address, l4Port }: Uplink): readonly Element[] {
  const device = deviceOf(ifcName, 0)
  const match: RuleElement = {
    kind: 'rule',
    table: 'up.match',
    values: ['0800', '45', '0000', '11', hexOfV4(address), hexOf(l4Port, 2), '08'],
    to: 'up.from',
  }
  return [
    { kind: 'port', role: 'up', vdev: device },
    module('up.in', { mclass: 'PortInc', port: 'up', device }, ['up.match']),
    ...tunnelTables.map(table),
    match,
    module('decap', { mclass: 'VXLANDecap' }, ['bum.in']),
    module('encap', { mclass: 'VXLANEncap', l4Port }, ['ipencap']),
    module('ipencap', { mclass: 'IPEncap' }, ['nexthop']),
    module('etherencap', { mclass: 'EtherEncap' }, ['up.out']),
    module('up.out', { mclass: 'PortOut', port: 'up', device }),
  ]
}

/** @param networks what physical networks add: none of it reads metadata */
export function baseItems(uplink: Uplink | undefined, networks: readonly Element[] = []): readonly GraphItem[] {
  const because: Because = { rule: 'every node has these tables', of: { kind: 'Node', name: 'here' } }
  const readers = [
    ...tables.map(({ role }) => role).filter((role) => !behindOthers.has(role)),
    'ttl',
    'echo',
    'four',
    'six',
    ...policyReaders,
    ...(uplink === undefined ? [] : ['bum.in', 'fwd.in', 'unknown.in', 'encap', 'decap']),
  ]
  const elements: Element[] = [
    { kind: 'running' },
    ...tables.map(table),
    module('ttl', { mclass: 'UpdateTTL' }, ['fwd']),
    ...echoElements(),
    ...siftElements(['four', 'six'], 0, ['bum', 'bum']),
    ...policyBase(),
    ...anchor(readers),
  ]
  return [...elements, ...(uplink === undefined ? [] : tunnel(uplink)), ...networks].map((element) => itemOfElement(element, because))
}
