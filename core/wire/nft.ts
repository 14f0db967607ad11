// Elements of nftables' sets (linux/netfilter/nf_tables.h): put, dropped and listed. A batch is one transaction: all or nothing.
import { parseCidr } from '../net/cidr.ts'
import { attributes, ipBytes, ipOf, macBytes, macOf, nestedOf, textOf, Writer } from './netlink/bytes.ts'
import { parts, readDump, type Dump } from './netlink/dump.ts'
import { flag, message, messages, said } from './netlink/message.ts'
import { printIp } from '../net/ip.ts'

/** An interface, or an interface with a MAC and a block that it may send from. */
export interface Element {
  readonly set: string
  readonly ifname: string
  readonly mac?: string
  readonly block?: string
}

const subsystem = 10
const type = { batchBegin: 0x10, batchEnd: 0x11, put: (subsystem << 8) | 12, get: (subsystem << 8) | 13, drop: (subsystem << 8) | 14 } as const
const attr = { table: 1, set: 2, elements: 3 } as const
const elementAttr = { one: 1, key: 1, keyEnd: 10, value: 1 } as const
/** The kernel wants to be told of nested attributes (NLA_F_NESTED). */
const nested = 0x8000
const family = { any: 0, bridge: 7 } as const
const ifnameBytes = 16

const head = (to: Writer, of: number, resource: number): Writer => to.u8(of).u8(0).u8(resource >> 8).u8(resource & 255)

/** Drops first, in one transaction. Numbered from `sequence`: the beginning has that, each element the next. */
export function encodeElements(table: string, { drop, put }: { readonly drop: readonly Element[]; readonly put: readonly Element[] }, sequence: number): Uint8Array {
  const to = new Writer()
  let next = sequence
  message(to, { type: type.batchBegin, flags: 0, sequence: next++ }, () => head(to, family.any, subsystem))
  for (const each of drop) message(to, { type: type.drop, flags: flag.ack, sequence: next++ }, () => writeElement(to, table, each))
  for (const each of put) message(to, { type: type.put, flags: flag.ack | flag.create, sequence: next++ }, () => writeElement(to, table, each))
  message(to, { type: type.batchEnd, flags: 0, sequence: next }, () => head(to, family.any, subsystem))
  return to.done()
}

function writeElement(to: Writer, table: string, element: Element): void {
  head(to, family.bridge, 0).attrText(attr.table, table).attrText(attr.set, element.set)
  const { first, last } = keysOf(element)
  to.nest(attr.elements | nested, () => {
    to.nest(elementAttr.one | nested, () => {
      to.nest(elementAttr.key | nested, () => to.attr(elementAttr.value, first))
      if (last !== undefined) to.nest(elementAttr.keyEnd | nested, () => to.attr(elementAttr.value, last))
    })
  })
}

/** A concatenation of fields, each padded to four bytes; for a block its first and its last address. */
function keysOf({ ifname, mac, block }: Element): { readonly first: Uint8Array; readonly last?: Uint8Array } {
  const name = new Uint8Array(ifnameBytes)
  name.set(new TextEncoder().encode(ifname).subarray(0, ifnameBytes - 1))
  const cidr = block === undefined ? undefined : parseCidr(block)
  if (mac === undefined || cidr === undefined) return { first: name }
  const key = (value: bigint): Uint8Array => Uint8Array.of(...name, ...macBytes(mac), 0, 0, ...ipBytes({ family: cidr.family, value }))
  return { first: key(cidr.first), last: key(cidr.last) }
}

export function encodeElementsDump(table: string, set: string, sequence: number): Uint8Array {
  const to = new Writer()
  message(to, { type: type.get, flags: flag.dump, sequence }, () => head(to, family.bridge, 0).attrText(attr.table, table).attrText(attr.set, set))
  return to.done()
}

export function readElements(bytes: Uint8Array): Dump<Element> {
  return readDump(bytes, ({ body }) => {
    const all = attributes(body, 4)
    const set = textOf(all, attr.set)
    return set === undefined ? [] : parts(all.get(attr.elements) ?? new Uint8Array()).map((part) => readElement(part, set)).filter((each) => each !== undefined)
  })
}

function readElement(bytes: Uint8Array, set: string): Element | undefined {
  const all = attributes(bytes)
  const first = nestedOf(all, elementAttr.key).get(elementAttr.value)
  if (first === undefined || first.length < ifnameBytes) return undefined
  const end = first.indexOf(0)
  const ifname = new TextDecoder().decode(first.subarray(0, end < 0 || end > ifnameBytes ? ifnameBytes : end))
  const last = nestedOf(all, elementAttr.keyEnd).get(elementAttr.value) ?? first
  return first.length === ifnameBytes ? { set, ifname } : withSource({ set, ifname }, first.subarray(ifnameBytes), last.subarray(ifnameBytes))
}

function withSource(element: Element, first: Uint8Array, last: Uint8Array): Element | undefined {
  const [ip, to, mac] = [ipOf(first.subarray(8)), ipOf(last.subarray(8)), macOf(first.subarray(0, 6))]
  if (ip === undefined || to === undefined || mac === undefined) return undefined
  const host = ip.value === to.value ? 0 : (to.value ^ ip.value).toString(2).length
  return { ...element, mac, block: `${printIp(ip)}/${(ip.family === 4 ? 32 : 128) - host}` }
}

/** The first refusal of a transaction, as errno; 0 when there is none. */
export function transactionErrno(bytes: Uint8Array): number {
  for (const each of messages(bytes)) {
    const what = said(each)
    if (what.is === 'end' && what.refusal !== undefined) return what.refusal.errno
  }
  return 0
}
