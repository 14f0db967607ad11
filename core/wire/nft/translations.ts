// Elements of the sets and maps of service addresses (core/routing/service-ruleset.ts), of egress (core/routing/egress-ruleset.ts) and of
// peers (core/routing/untracked.ts), and the end of connections that carry a mark (linux/netfilter/nfnetlink_conntrack.h).
import { parseCidr, printCidr } from '../../net/cidr.ts'
import { parseIp, printIp } from '../../net/ip.ts'
import { attributes, ipBytes, ipOf, nestedOf, viewOf, Writer } from '../netlink/bytes.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import { flag, message } from '../netlink/message.ts'
import {
  be32,
  dataAttr,
  elementAttr,
  elementBatch,
  elementsIn,
  encodeSetDump,
  family,
  head,
  ifnameBytes,
  ifnameKey,
  ifnameOf,
  nested,
  writeElement,
  type ElementChange,
  type SetPlace,
} from './message.ts'

/** What a key or a value has of each: bytes in a concatenation, where each begins at a multiple of four. */
const fields = {
  ifname: ifnameBytes,
  ip4: 4,
  ip6: 16,
  /** 32 bits as the host has them: marks, and the outcome of a hash. */
  number: 4,
  /** 16 bits as the host has them. */
  zone: 2,
  protocol: 1,
  l4Port: 2,
} as const
type Field = keyof typeof fields

const place = (ip: Field): readonly Field[] => ['number', ip, 'protocol', 'l4Port']
/** Key and value of the sets of a family; a value of none: it is no map. */
const shapes = {
  zone: (ip: Field) => [['ifname', ip], ['zone']],
  inner: (ip: Field) => [['ifname', ip], ['number']],
  outer: (ip: Field) => [[ip], ['number']],
  served: (ip: Field) => [['ifname', ip], []],
  inside: (ip: Field) => [['ifname', ip, ip], []],
  flow: (ip: Field) => [['number', ...place(ip)], ['number']],
  client: (ip: Field) => [['number', ...place(ip)], ['number']],
  endpoint: (ip: Field) => [place(ip), [ip, 'l4Port']],
  from: (ip: Field) => [['number', ip], [ip]],
  apart: () => [['ifname'], ['zone']],
  sender: (ip: Field) => [['ifname', ip], ['number']],
  leaves: (ip: Field) => [['ifname', ip], []],
  except: (ip: Field) => [['ifname', ip], []],
  source: (ip: Field) => [['ifname'], [ip]],
  left: (ip: Field) => [['ifname', ip], []],
  sent: (ip: Field) => [['ifname', ip], []],
  between: (ip: Field) => [[ip, ip], []],
} as const satisfies Readonly<Record<string, (ip: Field) => readonly [key: readonly Field[], value: readonly Field[]]>>
export type SetRole = keyof typeof shapes
export type SetName = `${SetRole}${4 | 6}`
const egressRoles: readonly SetRole[] = ['apart', 'sender', 'leaves', 'except', 'source', 'left']
const peerRoles: readonly SetRole[] = ['sent', 'between']
const serviceRoles = (Object.keys(shapes) as readonly SetRole[]).filter((role) => ![...egressRoles, ...peerRoles].includes(role))
const setsOf = (roles: readonly SetRole[]): readonly SetName[] =>
  ([4, 6] as const).flatMap((of) => roles.map((role): SetName => `${role}${of}`))
export const serviceSets = setsOf(serviceRoles)
export const egressSets = setsOf(egressRoles)
export const peerSets = setsOf(peerRoles)
export const roleOf = (set: SetName): SetRole => set.slice(0, -1) as SetRole
const shapeOf = (set: SetName): readonly [key: readonly Field[], value: readonly Field[]] =>
  shapes[roleOf(set)](set.endsWith('4') ? 'ip4' : 'ip6')

type Value = string | number
export interface SetElement {
  readonly set: SetName
  /** In the order of the set's fields; of those with intervals the last is a block, or both are. */
  readonly key: readonly Value[]
  /** Of a map. */
  readonly data: readonly Value[]
}

/** How many at the end of a key are blocks. */
const blocksIn: { readonly [R in SetRole]?: number } = { inside: 1, leaves: 1, except: 1, sent: 1, between: 2 }
export const blockCount = (set: SetName): number => blocksIn[roleOf(set)] ?? 0
const placeOf = (table: string, set: SetName): SetPlace => ({ family: family.inet, table, set })

/**
 * Drops first, in one transaction. ENOENT: one that is to be dropped is not there, or there is no table; EEXIST, EBUSY: another has its
 * key.
 */
export const encodeElements = (table: string, change: ElementChange<SetElement>): Uint8Array =>
  elementBatch(change, (to, { set, key, data }) => {
    const [ofKey, ofData] = shapeOf(set)
    const [first, last] = blockCount(set) > 0 ? ends(key, blockCount(set)) : [key, undefined]
    writeElement(to, placeOf(table, set), () => {
      to.nest(elementAttr.key | nested, () => to.attr(dataAttr.value, bytesOf(ofKey, first)))
      if (last !== undefined) to.nest(elementAttr.keyEnd | nested, () => to.attr(dataAttr.value, bytesOf(ofKey, last)))
      if (ofData.length > 0) to.nest(elementAttr.data | nested, () => to.attr(dataAttr.value, bytesOf(ofData, data)))
    })
  })

/** @throws RangeError for what is no block: a fault of the program */
function ends(key: readonly Value[], count: number): readonly [first: readonly Value[], last: readonly Value[]] {
  const blocks = key.slice(-count).map((text) => {
    const block = parseCidr(String(text))
    if (block === undefined) throw new RangeError(`${text} is no block`)
    return block
  })
  const with_ = (end: 'first' | 'last'): readonly Value[] => [
    ...key.slice(0, -count),
    ...blocks.map(({ family: version, [end]: value }) => printIp({ family: version, value })),
  ]
  return [with_('first'), with_('last')]
}

function bytesOf(of: readonly Field[], values: readonly Value[]): Uint8Array {
  const to = new Writer()
  of.forEach((field, i) => {
    to.raw(fieldBytes(field, values[i]!))
    if (of.length > 1) to.align()
  })
  return to.done()
}

/** Of very many elements each has five of these: nothing is made for one but what it comes to. */
const writers: Readonly<Record<Field, (to: Uint8Array, value: Value) => void>> = {
  ifname: (to, value) => to.set(ifnameKey(String(value))),
  ip4: (to, value) => to.set(ipBytes(parseIp(String(value))!)),
  ip6: (to, value) => to.set(ipBytes(parseIp(String(value))!)),
  number: (to, value) => viewOf(to).setUint32(0, Number(value), true),
  zone: (to, value) => viewOf(to).setUint16(0, Number(value), true),
  protocol: (to, value) => viewOf(to).setUint8(0, Number(value)),
  l4Port: (to, value) => viewOf(to).setUint16(0, Number(value)),
}
const readers: Readonly<Record<Field, (from: Uint8Array) => Value>> = {
  ifname: ifnameOf,
  ip4: (from) => from.subarray(0, fields.ip4).join('.'),
  ip6: (from) => printIp(ipOf(from.subarray(0, fields.ip6))!),
  number: (from) => viewOf(from).getUint32(0, true),
  zone: (from) => viewOf(from).getUint16(0, true),
  protocol: (from) => from[0]!,
  l4Port: (from) => viewOf(from).getUint16(0),
}

function fieldBytes(field: Field, value: Value): Uint8Array {
  const bytes = new Uint8Array(fields[field])
  writers[field](bytes, value)
  return bytes
}

function valuesOf(of: readonly Field[], bytes: Uint8Array): readonly Value[] {
  let at = 0
  return of.map((field) => {
    const part = bytes.subarray(at)
    at += (fields[field] + 3) & ~3
    return part.length < fields[field] ? '' : readers[field](part)
  })
}

export const encodeElementsDump = (table: string, set: SetName): Uint8Array => encodeSetDump(placeOf(table, set))

export function readElements(set: SetName): (bytes: Uint8Array) => Dump<SetElement> {
  const [ofKey, ofData] = shapeOf(set)
  return (bytes) =>
    readDump(bytes, ({ body }) =>
      elementsIn(body).elements.map((part) => {
        const all = attributes(part)
        const first = nestedOf(all, elementAttr.key).get(dataAttr.value) ?? none
        const last = nestedOf(all, elementAttr.keyEnd).get(dataAttr.value) ?? first
        const value = nestedOf(all, elementAttr.data).get(dataAttr.value) ?? none
        const key = valuesOf(ofKey, first)
        return { set, key: withBlocks(key, valuesOf(ofKey, last), blockCount(set)), data: valuesOf(ofData, value) }
      }),
    )
}
const none = new Uint8Array()

const withBlocks = (first: readonly Value[], last: readonly Value[], count: number): readonly Value[] =>
  first.map((value, i) => (i < first.length - count ? value : blockBetween(value, last[i]!)))

function blockBetween(first: Value, last: Value): Value {
  const [from, to] = [parseIp(String(first)), parseIp(String(last))]
  if (from === undefined || to === undefined) return first
  const bits = from.family === 4 ? 32 : 128
  const length = from.value === to.value ? bits : bits - (from.value ^ to.value).toString(2).length
  return printCidr({ family: from.family, first: from.value, last: to.value, length })
}

/** NFNL_SUBSYS_CTNETLINK, IPCTNL_MSG_CT_DELETE: without a tuple all that a filter finds. */
const endConnections = (1 << 8) | 2
const connectionAttr = { mark: 8, markMask: 21 } as const

export interface ConnectionMark {
  readonly mark: number
  /** As much of it as counts; absent: all. */
  readonly mask?: number
}

/** The kernel forgets the connections of these marks; the next packet of each begins a new one. */
export function encodeForgetting(marks: readonly ConnectionMark[]): Uint8Array {
  const to = new Writer()
  marks.forEach(({ mark, mask = 0xffff_ffff }, i) =>
    message(to, { type: endConnections, flags: flag.ack, sequence: i + 1 }, () =>
      head(to, family.any).attr(connectionAttr.mark, be32(mark)).attr(connectionAttr.markMask, be32(mask)),
    ),
  )
  return to.done()
}
