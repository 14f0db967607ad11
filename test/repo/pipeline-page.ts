// docs/pipeline.md, from the code: tables, registers, cookie, and the flows of a small node.
import { bits, conjunction, load, move, output, printAction, set, type Action } from '../../core/pipeline/openflow/actions.ts'
import { ctMark, ethDst, ethSrc, fields, ipDscp, ipv4Dst, ipv4Src, registers, type Field } from '../../core/pipeline/openflow/fields.ts'
import { groupId, groupText, type Group } from '../../core/pipeline/openflow/group.ts'
import { firstMeter, meterText, type Meter } from '../../core/pipeline/openflow/meter.ts'
import { qosText, queueText, type Qos, type Queue } from '../../core/pipeline/ovsdb/queueing.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { cookieOf, features, layout, mark } from '../../core/pipeline/cookie.ts'
import type { ExplainedItem } from '../../core/node/explained.ts'
import { explain } from '../../core/pipeline/explain.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import { owners, type Owned } from '../../core/pipeline/registers.ts'
import { numbers } from '../../core/pipeline/settings.ts'
import { places, tables } from '../../core/pipeline/tables.ts'
import type { LocalPort, Segment } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { wrapped } from '../../openapi/wrapped.ts'

export const pipelinePath = 'docs/pipeline.md'

const renderer = switchRenderer(() => ({
  node: 'node-a',
  bridge: 'mgz-int',
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4789,
  uplinks: { physnet1: 'eth1' },
}))

/** One port of each kind, and what is around it. */
const port: LocalPort = {
  uid: '6f1c2a0e-3a55-4c8e-9a53-0d3f1f9d0b11',
  of: { kind: 'Port', namespace: 'blue', name: 'web-0-eth0' },
  number: 7,
  ifcName: 'mgz3k1v9q2m0ab',
  attachment: { kind: 'vni', vni: 5001 },
  mac: '06:00:00:02:13:89',
  addresses: ['10.0.0.2', '2001:db8::2'],
  allowedAddressPairs: [{ ip: '10.0.0.100', mac: '00:00:5e:00:01:07' }],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
}
const vlanPort: LocalPort = {
  ...port,
  uid: '6f1c2a0e-3a55-4c8e-9a53-0d3f1f9d0b12',
  of: { kind: 'Port', namespace: 'blue', name: 'router-0-net1' },
  number: 8,
  ifcName: 'mgz0c4s8h1t6xz',
  mac: '02:00:00:00:00:08',
  attachment: { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'selectivetrunk', vlans: [100, 200] },
  addresses: ['10.1.0.2'],
  allowedAddressPairs: [],
}
const segment: Segment = {
  vni: 5001,
  subnets: [{ cidr: '10.0.0.0/24', gateway: '10.0.0.1' }],
  flood: true,
  hosts: ['192.0.2.2', '192.0.2.3'],
  numbers: [7, 9],
  loose: [7],
}

const zone = bits(registers[1]!, 16)
const examples: readonly Action[] = [
  set(ipDscp, 46),
  load(bits(registers[1]!, 16), 7),
  move(bits(ethSrc), bits(ethDst)),
  output(7),
  { do: 'outputTo', of: zone },
  { do: 'decTtl' },
  { do: 'popVlan' },
  { do: 'ct', zone, table: tables.policyOut.number },
  { do: 'ct', zone: 7, commit: 'new', exec: [set(ctMark, 5)] },
  {
    do: 'ct',
    zone: 7,
    commit: 'force',
    nat: { of: 'src', addresses: { family: 4, first: 0xc0000201n, last: 0xc0000209n }, l4Ports: { first: 1024, last: 65_535 } },
  },
  { do: 'ctClear' },
  { do: 'resubmit', table: tables.policyIn.number },
  {
    do: 'learn',
    table: tables.learnt.number,
    priority: 100,
    cookie: cookieOf('learnt', 5001),
    ageSeconds: 300,
    most: 256,
    match: [{ to: bits(ethDst), of: bits(ethSrc) }],
    loads: [{ to: bits(registers[2]!, 16), of: 7 }],
  },
  conjunction(9, 1, 2),
  { do: 'group', group: groupId(1) },
  { do: 'meter', meter: firstMeter },
  { do: 'setQueue', queue: 3 },
  { do: 'popQueue' },
  { do: 'controller', maxBytes: 128, userdata: Uint8Array.of(1, 2), meter: firstMeter },
  { do: 'sample', probability: 655, collectorSet: 1, domain: 2, point: 3 },
  { do: 'goto', table: tables.ask.number },
]
const group: Group = {
  id: groupId(1),
  type: 'select',
  hash: [ipv4Src, ipv4Dst],
  buckets: [
    { id: 1, actions: [output(7)] },
    { id: 2, weight: 3, actions: [output(8)] },
  ],
}
const meter: Meter = { id: firstMeter, unit: 'kbps', bands: [{ rate: 20_000, burst: 2_000 }] }
const qos: Qos = { port: port.ifcName, type: 'linux-htb', options: { 'max-rate': '1000000000' } }
const queue: Queue = { port: port.ifcName, number: 3, options: { 'min-rate': '100000000' }, dscp: 46 }

const fieldText = ({ name, words }: Field): string => {
  const known = words === undefined ? [] : 'flags' in words ? words.flags : Object.keys(words.states)
  return known.length === 0 ? `\`${name}\`` : `\`${name}\` (${known.join(' ')})`
}

export function pipelinePage(): string {
  return wrapped(
    [
      '# The pipeline of Open vSwitch',
      '',
      'Generated from `core/pipeline/` by `npm run gen`; `test/repo/pipeline-page.test.ts` holds it.',
      '',
      'One bridge carries the overlay. A packet enters by a port or the tunnel, is told its VNI, and goes through the tables below from top to bottom. Every physical',
      "network that this node has an uplink to has a bridge of its own, where Open vSwitch's learning switch keeps the VLANs apart behind the same guards.",
      '',
      '## Tables',
      '',
      '| table | name | |',
      '|---|---|---|',
      ...Object.entries(tables).map(([name, { number, says }]) => `| ${number} | ${name} | ${says} |`),
      '',
      `Places pass everything on until somebody fills them: ${Object.entries(places)
        .map(([place, next]) => `${place} to ${next}`)
        .join(', ')}. Where a table has no flow for a packet, it is dropped.`,
      '',
      `The gateway of every subnet is \`${gatewayMac}\` on every node. The tunnel is OpenFlow port ${numbers.tunnel}, an uplink ${numbers.uplink}; local ports have the numbers that the agent's ledger gives them.`,
      '',
      '## Registers',
      '',
      '```text',
      ...drawing(),
      '```',
      '',
      '| bits | name | set in | |',
      '|---|---|---|---|',
      ...Object.entries(owners).map(
        ([name, { field, from, count, setIn, says }]: [string, Owned]) =>
          `| ${field.name} ${from}..${from + count - 1} | ${name} | ${setIn} | ${says} |`,
      ),
      '',
      '## Cookies',
      '',
      '```text',
      '63      56 55   52 51      48 47                              0',
      '|  mark   | feature| layout  |             owner               |',
      '```',
      '',
      `Flows of ours have the mark 0x${mark.toString(16)}; what has another is somebody else's and left alone. Features are ${features.map((name, i) => `${i} ${name}`).join(', ')}. The layout is ${layout} now: flows of`,
      "another are replaced. The owner of ports and endpoints is their MAC as a number (for KOS's MACs this is KOS's own cookie), of segments the VNI. What the switch has learnt has the VNI, above it the number of the port, and goes with the flow that has learnt it.",
      '',
      '## What flows and groups can say',
      '',
      'More than the flows below use yet. A field is matched wholly or under a mask; those whose bits have names are matched by them, as `ct_state=+trk-new`.',
      '',
      `Fields: ${fields.map(fieldText).join(', ')}.`,
      '',
      'Actions, as they are spelt here and by `ovs-ofctl`:',
      '',
      ...examples.map((action) => `- \`${printAction(action)}\``),
      '',
      'A meter is the first of a flow, `goto_table` the last, a conjunction alone with others of its kind. `ct` needs a match on IPv4 or IPv6, and none on `+inv`.',
      '',
      'Beside flows and ports a bridge can have, each under a number that says whose it is:',
      '',
      '| thing | number | example |',
      '|---|---|---|',
      `| group | 0x${groupId(0).toString(16)} to 0x${groupId(2 ** 24 - 1).toString(16)} | \`${groupText(group)}\` |`,
      `| meter | from ${firstMeter} | \`${meterText(meter)}\` |`,
      `| QoS of a port | its port's name, in \`external_ids\` | \`${qosText(qos)}\` |`,
      `| queue of a port | its port's name and its number, in \`external_ids\` | \`${queueText(queue)}\` |`,
      '',
      'Groups and meters are there before the flows that use them and go after them; others with other numbers are left alone',
      '([0037](decisions/0037-groups-meters-queues.md)).',
      '',
      '## What a node has',
      '',
      'Before anybody is on it:',
      '',
      ...rows(explain(renderer.base())),
      '',
      'For a port with an IPv4 and an IPv6 address and one allowed address pair:',
      '',
      ...rows(explain(renderer.render(portPiece, port))),
      '',
      'For an address on another node:',
      '',
      ...rows(explain(renderer.render(endpointPiece, { vni: 5001, address: '10.0.0.3', mac: '06:00:00:03:13:89', hostIP: '192.0.2.2' }))),
      '',
      'For a VNI with a gateway that carries broadcast and multicast:',
      '',
      ...rows(explain(renderer.render(segmentPiece, segment))),
      '',
      'For a port in VLANs 100 and 200 of a physical network:',
      '',
      ...rows(explain(renderer.render(portPiece, vlanPort))),
      '',
    ].join('\n'),
  )
}

const rows = (lines: readonly ExplainedItem[]): string[] => [
  '| where | match | does | because |',
  '|---|---|---|---|',
  ...lines.map(({ where, match, does, because }) => `| ${where} | ${code(match)} | ${code(does)} | ${because} |`),
]
const code = (text: string): string => `\`${text}\``

/** Each register as a row of boxes, the highest bit first. */
export function drawing(): string[] {
  const fields = [...new Set(Object.values(owners).map(({ field }) => field))]
  return fields.map((field) => {
    const parts = Object.entries(owners)
      .filter(([, owned]) => owned.field === field)
      .sort(([, a], [, b]) => b.from - a.from)
    const boxes: string[] = []
    let next = field.bytes * 8
    for (const [name, { from, count }] of parts) {
      if (from + count < next) boxes.push(`${next - 1}..${from + count} free`)
      boxes.push(`${from + count - 1}..${from} ${name}`)
      next = from
    }
    if (next > 0) boxes.push(`${next - 1}..0 free`)
    return `${field.name.padEnd(7)}| ${boxes.join(' | ')} |`
  })
}
