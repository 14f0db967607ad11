import { Type, type Static } from 'typebox'
import { contains, parseCidr } from '../../net/cidr.ts'
import { parsePlainIp } from '../../net/ip.ts'
import { defineKind } from '../kind.ts'
import { closed, Name, OneOf, reportFields } from '../meta.ts'
import { Inventory } from './inventory.ts'

/** What whoever has a Port can ask its node. */
export const topics = ['wiring', 'explain', 'counters', 'trace', 'capture', 'log'] as const
/** What an Audit asks beside, of all that a node has: nobody but Megrez itself, and in its own namespace. */
export const inventoryTopic = 'inventory'
/** Of one namespace at a time. */
export const inquiriesMax = 16
/** Of a list in an answer. */
export const answeredMax = 256
/** Bytes of a capture, before base64: with it an object stays far below the 1.5 MiB that etcd takes. */
export const captureBytesMax = 98_304
export const ttlUsual = 300
/** What a capture is bounded by where its Inquiry does not say. */
export const captureUsual = { packets: 100, seconds: 10, snapLength: 256 } as const

const packet = Type.Object(
  {
    to: Type.String({ minLength: 2, maxLength: 45, description: 'the address that it goes to, of one host' }),
    from: Type.Optional(
      Type.String({ minLength: 2, maxLength: 45, description: "the address that it says it is from; the Port's unless given" }),
    ),
    arrives: Type.Optional(
      Type.Boolean({ description: 'it comes to the Port from another node, which has the address `from`, and is not sent by it' }),
    ),
    protocol: Type.Optional(OneOf(['icmp', 'tcp', 'udp'], { default: 'icmp' })),
    l4Port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65535, description: 'of TCP or UDP, where it goes to' })),
  },
  closed,
)
const capture = Type.Object(
  {
    packets: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: captureUsual.packets, description: 'it ends after so many' }),
    ),
    seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: captureUsual.seconds, description: 'it ends after so long' })),
    snapLength: Type.Optional(
      Type.Integer({ minimum: 64, maximum: 1518, default: captureUsual.snapLength, description: 'bytes that are kept of each packet' }),
    ),
  },
  closed,
)

const spec = Type.Object(
  {
    about: OneOf([...topics, inventoryTopic], {
      description:
        'wiring: which interface it has; explain: what its node does for it, item by item; counters; trace: what would become of a packet from it, or to it; capture: what passes it; log: what rules of policies that say so have logged of it; inventory: what the node has of all namespaces, which Megrez alone asks',
    }),
    port: Type.Optional({ ...Name, 'x-refers-to': 'Port', description: 'a Port of this namespace' }),
    node: Type.Optional({ ...Name, 'x-refers-to': 'Node', description: 'wiring without a port: all Ports of this namespace on this node' }),
    packet: Type.Optional(packet),
    capture: Type.Optional(capture),
    repair: Type.Optional(Type.Boolean({ description: 'of an inventory: the node first puts right what is its own' })),
    ttlSeconds: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 3600,
        default: ttlUsual,
        description: 'it is deleted so long after it was made, answered or not',
      }),
    ),
  },
  closed,
)

const Wired = Type.Object(
  {
    port: Type.String(),
    wired: Type.Boolean(),
    interface: Type.Optional(Type.String({ description: 'on the node' })),
    mac: Type.Optional(Type.String()),
    addresses: Type.Optional(Type.Array(Type.String(), { 'x-kubernetes-list-type': 'atomic' })),
    segment: Type.Optional(Type.String({ description: 'vni 7, or VLANs of a physical network' })),
  },
  closed,
)
const ItemFound = Type.Object(
  {
    key: Type.String(),
    where: Type.String({ description: 'the part of the data plane' }),
    match: Type.String(),
    does: Type.String(),
    because: Type.String(),
    state: OneOf(['there', 'missing', 'different']),
    instead: Type.Optional(Type.String({ description: 'what is there instead' })),
    by: Type.Optional(Type.String()),
    packets: Type.Optional(Type.Integer({ description: 'that it was used for' })),
    bytes: Type.Optional(Type.Integer({ description: 'of them, where they are counted' })),
    lastUsed: Type.Optional(Type.String({ description: 'of a rule of a policy: when that was last seen to grow' })),
  },
  closed,
)
const count = Type.Integer({ minimum: 0 })
const Counted = Type.Object(
  {
    sentPackets: count,
    sentBytes: count,
    receivedPackets: count,
    receivedBytes: count,
    dropped: count,
  },
  { ...closed, description: 'sent: by the Port' },
)
const TraceStep = Type.Object(
  {
    table: Type.String(),
    match: Type.String(),
    does: Type.String(),
    because: Type.Optional(Type.String({ description: 'why the rule is there' })),
    note: Type.Optional(Type.String({ description: 'what the data plane says of it' })),
  },
  { ...closed, description: 'one rule that it meets; of rules of other Ports little is said' },
)
const Traced = Type.Object(
  {
    packet: Type.String({
      description: "what was traced: where nobody answers for the next hop's MAC, the question for it, as a pod would send no more",
    }),
    verdict: OneOf(['output', 'drop'], { description: 'output: it leaves the switch' }),
    to: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'a Port of this namespace by its name, `another port`, `tunnel`, `uplink`; `back`: the switch answers itself; `vlan`: whoever is known in its VLAN',
        maxItems: answeredMax,
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    steps: Type.Array(TraceStep, { maxItems: answeredMax, 'x-kubernetes-list-type': 'atomic' }),
  },
  closed,
)
const CapturedPackets = Type.Object(
  {
    packets: count,
    bytes: count,
    pcap: Type.String({ description: 'a file of libpcap, in base64' }),
  },
  closed,
)

const Logged = Type.Object(
  {
    time: Type.String({ format: 'date-time', description: 'of the last of them' }),
    packets: count,
    outcome: OneOf(['allowed', 'denied', 'passed-on', 'audited'], { description: 'audited: it changes nothing, as it is only tried out' }),
    direction: OneOf(['ingress', 'egress']),
    policy: Type.Optional(Type.String({ description: 'absent: of another namespace, or cluster-wide' })),
    rule: Type.Optional(Type.String({ description: 'a JSON pointer into the policy' })),
    packet: Type.String(),
  },
  { ...closed, description: 'packets that are alike' },
)

export const answerOutcomes = ['answered', 'unsupported', 'failed'] as const
const InquiryAnswer = Type.Object(
  {
    time: Type.String({ format: 'date-time' }),
    outcome: OneOf(answerOutcomes),
    message: Type.Optional(Type.String({ description: 'why there is nothing else' })),
    dataplane: Type.String(),
    ports: Type.Optional(Type.Array(Wired, { maxItems: answeredMax, 'x-kubernetes-list-type': 'atomic' })),
    items: Type.Optional(Type.Array(ItemFound, { maxItems: answeredMax, 'x-kubernetes-list-type': 'atomic' })),
    counters: Type.Optional(Counted),
    trace: Type.Optional(Traced),
    capture: Type.Optional(CapturedPackets),
    logged: Type.Optional(
      Type.Array(Logged, { maxItems: answeredMax, description: 'the newest first', 'x-kubernetes-list-type': 'atomic' }),
    ),
    inventory: Type.Optional(Inventory),
    truncated: Type.Optional(Type.Boolean({ description: 'there was more than an answer holds' })),
  },
  { ...closed, description: 'by the agent of the node' },
)
export type InquiryAnswer = Static<typeof InquiryAnswer>
export type WiredPort = Static<typeof Wired>
export type PortCounters = Static<typeof Counted>
export type Captured = Static<typeof CapturedPackets>
export type LoggedPackets = Static<typeof Logged>
export type TraceStep = Static<typeof TraceStep>
export type PacketTrace = Static<typeof Traced>
export type TracedPacket = Static<typeof packet>
export type CaptureLimits = Static<typeof capture>

/** What CEL calls an address of one host: not unspecified, loopback, multicast or broadcast. */
const celHost = (field: string): string => `(isIP(${field}) && (ip(${field}).isGlobalUnicast() || ip(${field}).isLinkLocalUnicast()))`
const noHosts = ['0.0.0.0/32', '127.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32', '::/127', 'ff00::/8'].flatMap(
  (block) => parseCidr(block) ?? [],
)
function isHost(text: string): boolean {
  const ip = parsePlainIp(text)
  return ip !== undefined && !noHosts.some((block) => contains(block, ip))
}

const asksNode = (about: Static<typeof spec>['about']): boolean => about === 'wiring' || about === inventoryTopic

export const Inquiry = defineKind({
  kind: 'Inquiry',
  plural: 'inquiries',
  description: 'A question to the node of a Port, answered in its status by the agent of that node, and deleted after a while.',
  spec,
  status: Type.Object(
    {
      ...reportFields,
      node: Type.Optional(Type.String({ description: 'whose agent is asked' })),
      answer: Type.Optional(InquiryAnswer),
    },
    closed,
  ),
  sections: { placement: ['node'], answer: ['answer'] },
  writers: { placement: 'workers', answer: 'agent' },
  selectable: ['.status.node'],
  immutable: ['about', 'port', 'node', 'packet', 'capture', 'repair', 'ttlSeconds'],
  rules: [
    {
      cel: "has(self.port) != (self.about in ['wiring', 'inventory'] && has(self.node))",
      message: 'names a Port; wiring may name a node in its place',
      at: 'spec',
      holds: (s) => (s.port !== undefined) !== (asksNode(s.about) && s.node !== undefined),
    },
    {
      cel: "!has(self.node) || self.about in ['wiring', 'inventory']",
      message: 'only wiring is asked of a node',
      at: 'spec.node',
      holds: (s) => s.node === undefined || asksNode(s.about),
    },
    {
      cel: "!has(self.port) || self.about != 'inventory'",
      message: 'an inventory is of a node',
      at: 'spec.port',
      holds: (s) => s.port === undefined || s.about !== inventoryTopic,
    },
    {
      cel: "!has(self.repair) || self.about == 'inventory'",
      message: 'only an inventory takes it',
      at: 'spec.repair',
      holds: (s) => s.repair === undefined || s.about === inventoryTopic,
    },
    {
      cel: "has(self.packet) == (self.about == 'trace')",
      message: 'a trace needs a packet, and nothing else takes one',
      at: 'spec.packet',
      holds: (s) => (s.packet !== undefined) === (s.about === 'trace'),
    },
    {
      cel: "!has(self.capture) || self.about == 'capture'",
      message: 'only a capture takes it',
      at: 'spec.capture',
      holds: (s) => s.capture === undefined || s.about === 'capture',
    },
    {
      cel: `!has(self.packet) || ${celHost('self.packet.to')}`,
      message: 'must be the IPv4 or IPv6 address of one host',
      at: 'spec.packet.to',
      holds: ({ packet: of }) => of === undefined || isHost(of.to),
    },
    {
      cel: `!has(self.packet) || !has(self.packet.from) || ${celHost('self.packet.from')}`,
      message: 'must be the IPv4 or IPv6 address of one host',
      at: 'spec.packet.from',
      holds: ({ packet: of }) => of?.from === undefined || isHost(of.from),
    },
    {
      cel: "!has(self.packet) || !has(self.packet.from) || self.packet.from.contains(':') == self.packet.to.contains(':')",
      message: 'must be of the same family as packet.to',
      at: 'spec.packet.from',
      holds: ({ packet: of }) => of?.from === undefined || of.from.includes(':') === of.to.includes(':'),
    },
    {
      cel: '!has(self.packet) || !has(self.packet.arrives) || !self.packet.arrives || has(self.packet.from)',
      message: 'what arrives is from an address: name it',
      at: 'spec.packet.from',
      holds: ({ packet: of }) => of?.arrives !== true || of.from !== undefined,
    },
    {
      cel: "!has(self.packet) || has(self.packet.l4Port) == (has(self.packet.protocol) && self.packet.protocol != 'icmp')",
      message: 'tcp and udp need it, and icmp has none',
      at: 'spec.packet.l4Port',
      holds: ({ packet: of }) => of === undefined || (of.l4Port !== undefined) === ((of.protocol ?? 'icmp') !== 'icmp'),
    },
  ],
  columns: [
    { name: 'About', type: 'string', path: '.spec.about' },
    { name: 'Port', type: 'string', path: '.spec.port' },
    { name: 'Node', type: 'string', path: '.status.node' },
    { name: 'Outcome', type: 'string', path: '.status.answer.outcome' },
  ],
})

/** How long its capture may take, in milliseconds; of another Inquiry 0. */
export const captureMsOf = ({ about, capture: { seconds = captureUsual.seconds } = {} }: Static<typeof spec>): number =>
  about === 'capture' ? seconds * 1_000 : 0
