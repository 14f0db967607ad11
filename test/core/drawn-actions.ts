// Random matches, actions, groups and meters of all that the model can say, as far as Open vSwitch takes them.
import { cookieOf } from '../../core/pipeline/cookie.ts'
import {
  bits,
  conjunction,
  goto,
  load,
  move,
  output,
  reasons,
  set,
  type Action,
  type Conntrack,
} from '../../core/pipeline/openflow/actions.ts'
import * as fields from '../../core/pipeline/openflow/fields.ts'
import { is, isMasked, type Term } from '../../core/pipeline/openflow/flow.ts'
import { groupId, type Bucket, type Group } from '../../core/pipeline/openflow/group.ts'
import { meterId, type Meter } from '../../core/pipeline/openflow/meter.ts'
import type { Nat } from '../../core/pipeline/openflow/nat.ts'

type Random = () => number
const below = (random: Random, n: number): number => Math.floor(random() * n)
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!
const maybe = <T>(random: Random, make: () => T): T[] => (random() < 0.5 ? [make()] : [])

const { registers, ctMark, ctLabel, ctState } = fields
const half = { field: registers[1]!, from: 8, count: 16 }

/** Open vSwitch takes no connection tracking of what is invalid (`+inv`), and no TCP ports of fragments that are not the first. */
export function drawMatch(random: Random): readonly Term[] {
  const ipv6 = random() < 0.3
  const l4 = oneOf(random, [
    () => [is(fields.ipProto, 6), ...maybe(random, () => isMasked(fields.tcpFlags, 2, 0x12)), is(fields.tcpDst, below(random, 65_536))],
    () => [is(fields.ipProto, 6), is(fields.tcpFlags, below(random, 512)), isMasked(fields.tcpSrc, 0x1f00, 0xff00)],
    () => [is(fields.ipProto, 132), is(fields.sctpDst, below(random, 65_536)), ...maybe(random, () => is(fields.sctpSrc, 7))],
    () => [is(fields.ipProto, 17), is(fields.udpSrc, below(random, 65_536))],
    () =>
      ipv6
        ? [is(fields.ipProto, 58), is(fields.icmp6Type, below(random, 256)), is(fields.icmp6Code, 0)]
        : [is(fields.ipProto, 1), is(fields.icmpType, below(random, 256)), is(fields.icmpCode, below(random, 16))],
  ])
  const tracked = isMasked(ctState, 0x22, 0x2f)
  const first = ipv6
    ? [is(fields.ctProto, 6), is(fields.ctIpv6Src, 1n << 64n), is(fields.ctIpv6Dst, 5n), is(fields.ctL4Src, 7)]
    : [is(fields.ctProto, 17), is(fields.ctIpv4Src, 5), isMasked(fields.ctIpv4Dst, 0x0a000000, 0xff000000), is(fields.ctL4Dst, 80)]
  const terms = [
    ...oneOf(random, [
      [],
      [isMasked(ctState, 0x21, 0x21)],
      [isMasked(ctState, 0x2a, 0x2a)],
      [isMasked(ctState, 0, 0x20)],
      [tracked, ...first],
    ]),
    ...maybe(random, () => is(fields.ctZone, below(random, 65_536))),
    ...maybe(random, () => isMasked(ctMark, 0x10, 0xf0)),
    ...maybe(random, () => is(ctLabel, BigInt(below(random, 2 ** 31)) << 64n)),
    ...maybe(random, () => is(fields.conjId, 1 + below(random, 1_000))),
    ...maybe(random, () => is(fields.metadata, below(random, 2 ** 31))),
    ...maybe(random, () => is(fields.pktMark, below(random, 2 ** 31))),
    is(fields.ethType, ipv6 ? 0x86dd : 0x0800),
    ...maybe(random, () => is(fields.vlanPcp, below(random, 8))).flatMap((pcp) => [isMasked(fields.vlanVid, 0x1000, 0x1000), pcp]),
    ...(ipv6 ? maybe(random, () => is(fields.ipv6Label, below(random, 2 ** 20))) : []),
    ...maybe(random, () => is(fields.ipDscp, below(random, 64))),
    ...maybe(random, () => is(fields.ipEcn, below(random, 4))),
    ...maybe(random, () =>
      oneOf(random, [is(fields.ipFrag, 0), is(fields.ipFrag, 1), isMasked(fields.ipFrag, 1, 1), isMasked(fields.ipFrag, 0, 2)]),
    ),
    ...maybe(random, () => is(fields.ipTtl, below(random, 256))),
    ...l4(),
  ]
  return terms.sort((a, b) => a.field.order - b.field.order)
}

/** A new connection's; what follows it is translated as it was. */
function drawNat(random: Random, family: 4 | 6): Nat {
  const first = (family === 4 ? 0x0a000000n : 0x20010db8n << 96n) + BigInt(below(random, 256))
  return {
    of: oneOf(random, ['src', 'dst']),
    addresses: { family, first, last: first + BigInt(below(random, 3)) },
    ...(random() < 0.5 && { l4Ports: { first: 1_000, last: 1_000 + below(random, 2) } }),
    ...(random() < 0.5 && { choice: oneOf(random, ['hash', 'random']) }),
    ...(random() < 0.3 && { persistent: true }),
  }
}

function drawConntrack(random: Random, family: 4 | 6): Conntrack {
  const commit = random() < 0.5 ? oneOf(random, ['new', 'force'] as const) : undefined
  return {
    do: 'ct',
    zone: oneOf(random, [0, 1 + below(random, 65_535), half]),
    ...(random() < 0.5 && { table: 30 + below(random, 60) }),
    ...(commit !== undefined && { commit }),
    ...(random() < 0.3 && { nat: commit === undefined ? {} : drawNat(random, family) }),
    ...(commit !== undefined &&
      random() < 0.5 && {
        exec: [set(ctMark, below(random, 2 ** 31)), load({ field: ctLabel, from: 32, count: 32 }, below(random, 2 ** 31))],
      }),
  }
}

const drawBasic = (random: Random, family: 4 | 6 = 4): Action =>
  oneOf<() => Action>(random, [
    () => set(fields.ipDscp, below(random, 64)),
    () => set(fields.ipEcn, below(random, 4)),
    () => load(half, below(random, 65_536)),
    () => move(half, { field: registers[2]!, from: 0, count: 16 }),
    () => output(1 + below(random, 100)),
    () => ({ do: 'outputTo', of: half }),
    () => ({ do: 'decTtl' }),
    () => ({ do: 'setQueue', queue: below(random, 10) }),
    () => ({ do: 'popQueue' }),
    () => ({ do: 'ctClear' }),
    () => ({ do: 'resubmit', table: 30 + below(random, 60) }),
    () => ({
      do: 'sample',
      probability: 1 + below(random, 65_535),
      collectorSet: below(random, 9),
      domain: below(random, 2 ** 31),
      point: below(random, 9),
    }),
    () => drawConntrack(random, family),
  ])()

function drawLearn(random: Random): Action {
  return {
    do: 'learn',
    table: 230 + below(random, 20),
    priority: below(random, 65_536),
    cookie: cookieOf('learnt', below(random, 2 ** 40)),
    ageSeconds: 1 + below(random, 600),
    most: 1 + below(random, 1_000),
    match: [{ to: bits(fields.ethDst), of: bits(fields.ethSrc) }, ...maybe(random, () => ({ to: half, of: below(random, 65_536) }))],
    loads: [
      ...maybe(random, () => ({ to: { field: registers[3]!, from: 19, count: 1 }, of: 1 })),
      ...maybe(random, () => ({ to: { field: registers[2]!, from: 0, count: 16 }, of: half })),
      ...maybe(random, () => ({ to: { field: registers[4]!, from: 3, count: 27 }, of: below(random, 2 ** 27) })),
      ...maybe(random, () => ({ to: bits(fields.tunIpv6Dst), of: bits(fields.tunIpv6Src) })),
    ],
  }
}

function drawController(random: Random): Action {
  return {
    do: 'controller',
    ...(random() < 0.5 && { maxBytes: 128 }),
    ...(random() < 0.3 && { reason: oneOf(random, reasons.slice(0, 3)) }),
    ...(random() < 0.3 && { controller: 5 }),
    ...(random() < 0.3 && { userdata: Uint8Array.from({ length: 1 + below(random, 20) }, () => below(random, 256)) }),
  }
}

export interface Usable {
  /** Numbers of meters and groups that are there. */
  readonly meters: readonly number[]
  readonly groups: readonly number[]
}

/** Of a flow with this match. */
export function drawActions(random: Random, match: readonly Term[], { meters, groups }: Usable): readonly Action[] {
  if (random() < 0.15)
    return Array.from({ length: 1 + below(random, 3) }, (_, i) => conjunction(1 + i, 1 + below(random, 2), 2 + below(random, 3)))
  const family = match.some(({ field, value }) => field === fields.ethType && value === 0x86dd) ? 6 : 4
  return [
    ...(meters.length > 0 && random() < 0.3 ? [{ do: 'meter', meter: oneOf(random, meters) } as const] : []),
    ...Array.from({ length: below(random, 4) }, () => drawBasic(random, family)),
    ...(random() < 0.2 ? [drawController(random)] : []),
    ...(random() < 0.2 ? [drawLearn(random)] : []),
    ...(groups.length > 0 && random() < 0.3 ? [{ do: 'group', group: oneOf(random, groups) } as const] : []),
    ...(random() < 0.5 ? [goto(95 + below(random, 100))] : []),
  ]
}

const hashable = [
  fields.ipv4Src,
  fields.ipv4Dst,
  fields.ipv6Src,
  fields.ipv6Dst,
  fields.ipProto,
  fields.tcpSrc,
  fields.tcpDst,
  fields.udpSrc,
  fields.sctpDst,
  fields.ethSrc,
  fields.inPort,
]

export function drawGroup(random: Random, number: number): Group {
  const type = oneOf(random, ['all', 'select', 'indirect', 'ff'] as const)
  const count = type === 'indirect' ? 1 : below(random, 5)
  const buckets = Array.from({ length: count }, (_, i): Bucket => ({
    id: i * 3,
    ...(type === 'select' && random() < 0.5 && { weight: 2 + below(random, 100) }),
    ...(type === 'ff' && { watch: 1 + below(random, 20) }),
    actions: Array.from({ length: below(random, 4) }, () => drawBasic(random)),
  }))
  return { id: groupId(number), type, ...(type === 'select' && random() < 0.6 && { hash: hashable.filter(() => random() < 0.4) }), buckets }
}

export function drawMeter(random: Random, number: number): Meter {
  const withBurst = random() < 0.5
  const bands = Array.from({ length: 1 + below(random, 2) }, (_, i) => ({
    rate: 100 * (i + 1) + below(random, 100),
    ...(withBurst && { burst: 1 + below(random, 1_000) }),
  }))
  return { id: meterId(number), unit: oneOf(random, ['kbps', 'pktps']), bands }
}
