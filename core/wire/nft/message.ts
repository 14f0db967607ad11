// What all messages to nftables have in common (linux/netfilter/nf_tables.h): their head, the transaction around them, elements of sets
// and maps, and lists of those.
import { attributes, nestedOf, textOf, viewOf, Writer, type Attributes } from '../netlink/bytes.ts'
import { parts } from '../netlink/dump.ts'
import { flag, message } from '../netlink/message.ts'

const subsystem = 10
const typeOf = (of: number): number => (subsystem << 8) | of
export const type = {
  batchBegin: 0x10,
  batchEnd: 0x11,
  newChain: typeOf(3),
  getChain: typeOf(4),
  delChain: typeOf(5),
  newRule: typeOf(6),
  getRule: typeOf(7),
  newElement: typeOf(12),
  getElement: typeOf(13),
  delElement: typeOf(14),
  newObject: typeOf(18),
  getObject: typeOf(19),
  delObject: typeOf(20),
} as const
export const family = { any: 0, inet: 1, netdev: 5, bridge: 7 } as const
/** The kernel wants to be told of nested attributes (NLA_F_NESTED). */
export const nested = 0x8000
const elementsAttr = { table: 1, set: 2, elements: 3 } as const
export const elementAttr = { one: 1, key: 1, data: 2, comment: 6, expression: 7, object: 9, keyEnd: 10 } as const
/** Of what has a name: a limit, a counter. */
export const objectAttr = { table: 1, name: 2, type: 3, data: 4 } as const
export const dataAttr = { value: 1, verdict: 2 } as const
export const ifnameBytes = 16

export const head = (to: Writer, of: number, resource = 0): Writer =>
  to
    .u8(of)
    .u8(0)
    .u8(resource >> 8)
    .u8(resource & 255)

/** One transaction: all or nothing. @param write with a number for each message */
export function batch(write: (to: Writer, next: () => number) => void): Uint8Array {
  const to = new Writer()
  let sequence = 1
  message(to, { type: type.batchBegin, flags: 0, sequence: sequence++ }, () => head(to, family.any, subsystem))
  write(to, () => sequence++)
  message(to, { type: type.batchEnd, flags: 0, sequence }, () => head(to, family.any, subsystem))
  return to.done()
}

/** What goes, and what comes. */
export interface ElementChange<T> {
  readonly drop: readonly T[]
  readonly put: readonly T[]
}

/** Elements: drops first, in one transaction. What is there may be put again. */
export function elementBatch<T>({ drop, put }: ElementChange<T>, write: (to: Writer, element: T) => void): Uint8Array {
  return batch((to, next) => {
    for (const each of drop) message(to, { type: type.delElement, flags: flag.ack, sequence: next() }, () => write(to, each))
    for (const each of put) message(to, { type: type.newElement, flags: flag.ack | flag.create, sequence: next() }, () => write(to, each))
  })
}

/** In network order. */
export function be32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  viewOf(bytes).setInt32(0, value)
  return bytes
}

/** A set, or a map, of a table. */
export interface SetPlace {
  readonly family: number
  readonly table: string
  readonly set: string
}

const headOfSet = (to: Writer, { family: of, table, set }: SetPlace): Writer =>
  head(to, of).attrText(elementsAttr.table, table).attrText(elementsAttr.set, set)

/** @param write what the element is */
export function writeElement(to: Writer, place: SetPlace, write: () => void): void {
  headOfSet(to, place).nest(elementsAttr.elements | nested, () => to.nest(elementAttr.one | nested, write))
}

export function encodeSetDump(place: SetPlace): Uint8Array {
  const to = new Writer()
  message(to, { type: type.getElement, flags: flag.dump, sequence: 1 }, () => headOfSet(to, place))
  return to.done()
}

/** Of one part of such a list: the set's name, and its elements. */
export function elementsIn(body: Uint8Array): { readonly set: string | undefined; readonly elements: readonly Uint8Array[] } {
  const all = attributes(body, 4)
  return { set: textOf(all, elementsAttr.set), elements: parts(all.get(elementsAttr.elements) ?? new Uint8Array()) }
}

/** A device's name as a key has it. */
export function ifnameKey(ifname: string): Uint8Array {
  const name = new Uint8Array(ifnameBytes)
  name.set(new TextEncoder().encode(ifname).subarray(0, ifnameBytes - 1))
  return name
}

/** What is said of an element, as nft has it (libnftnl: NFTNL_UDATA_SET_ELEM_COMMENT): type, length, a text that ends with a zero. */
export function commentBytes(comment: string): Uint8Array {
  const text = new TextEncoder().encode(`${comment}\0`)
  return Uint8Array.of(commentType, text.length, ...text)
}
const commentType = 0

export function commentIn(all: Attributes): string {
  const [type, length = 0, ...text] = all.get(elementAttr.comment) ?? []
  return type === commentType ? decoder.decode(Uint8Array.from(text.slice(0, length - 1))) : ''
}

const expressionAttr = { name: 1, of: 2 } as const
export const counterAttr = { bytes: 1, packets: 2 } as const
/** What an element has counted; undefined: it counts nothing. */
export function countIn(all: Attributes): { readonly packets: number; readonly bytes: number } | undefined {
  const expression = nestedOf(all, elementAttr.expression)
  if (textOf(expression, expressionAttr.name) !== 'counter') return undefined
  const of = nestedOf(expression, expressionAttr.of)
  return { packets: bigOf(of, counterAttr.packets), bytes: bigOf(of, counterAttr.bytes) }
}
/** In network order. */
export const bigOf = (from: Attributes, attribute: number): number =>
  from.get(attribute)?.reduce((value, byte) => value * 256 + byte, 0) ?? 0

/** The other way: of the first bytes of a key. */
export function ifnameOf(key: Uint8Array): string {
  const name = key.subarray(0, ifnameBytes)
  const end = name.indexOf(0)
  return decoder.decode(end < 0 ? name : name.subarray(0, end))
}
const decoder = new TextDecoder()
