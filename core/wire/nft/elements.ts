// Elements of nftables' sets (linux/netfilter/nf_tables.h): put, dropped and listed.
import { parseCidr } from '../../net/cidr.ts'
import { attributes, ipBytes, ipOf, macBytes, macOf, nestedOf, type Writer } from '../netlink/bytes.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import { messages, kernelReply } from '../netlink/message.ts'
import {
  dataAttr,
  elementAttr,
  elementBatch,
  elementsIn,
  encodeSetDump,
  family,
  ifnameBytes,
  ifnameKey,
  ifnameOf,
  nested,
  writeElement,
  type ElementChange,
  type SetPlace,
} from './message.ts'
import { printIp } from '../../net/ip.ts'

/** An interface, or an interface with a MAC and a block that it may send from. */
export interface Element {
  readonly set: string
  readonly ifname: string
  readonly mac?: string
  readonly block?: string
  /** In place of a block: an option of neighbour discovery that says the MAC (RFC 4861 section 4.6.1), 1 its source, 2 its target. */
  readonly option?: 1 | 2
}

/** Drops first, in one transaction. */
export const encodeElements = (table: string, change: ElementChange<Element>): Uint8Array =>
  elementBatch(change, (to, each) => write(to, table, each))

const placeOf = (table: string, set: string): SetPlace => ({ family: family.bridge, table, set })

function write(to: Writer, table: string, element: Element): void {
  const { first, last } = keysOf(element)
  writeElement(to, placeOf(table, element.set), () => {
    to.nest(elementAttr.key | nested, () => to.attr(dataAttr.value, first))
    if (last !== undefined) to.nest(elementAttr.keyEnd | nested, () => to.attr(dataAttr.value, last))
  })
}

/** A concatenation of fields, each padded to four bytes; for a block its first and its last address. */
function keysOf({ ifname, mac, block, option }: Element): { readonly first: Uint8Array; readonly last?: Uint8Array } {
  const name = ifnameKey(ifname)
  if (mac !== undefined && option !== undefined)
    return { first: Uint8Array.of(...name, ...macBytes(mac), 0, 0, option, 1, ...macBytes(mac)) }
  const cidr = block === undefined ? undefined : parseCidr(block)
  if (mac === undefined || cidr === undefined) return { first: name }
  const key = (value: bigint): Uint8Array => Uint8Array.of(...name, ...macBytes(mac), 0, 0, ...ipBytes({ family: cidr.family, value }))
  return { first: key(cidr.first), last: key(cidr.last) }
}

export const encodeElementsDump = (table: string, set: string): Uint8Array => encodeSetDump(placeOf(table, set))

export function readElements(bytes: Uint8Array): Dump<Element> {
  return readDump(bytes, ({ body }) => {
    const { set, elements } = elementsIn(body)
    return set === undefined ? [] : elements.map((part) => readElement(part, set)).filter((each) => each !== undefined)
  })
}

function readElement(bytes: Uint8Array, set: string): Element | undefined {
  const all = attributes(bytes)
  const first = nestedOf(all, elementAttr.key).get(dataAttr.value)
  if (first === undefined || first.length < ifnameBytes) return undefined
  const ifname = ifnameOf(first)
  const last = nestedOf(all, elementAttr.keyEnd).get(dataAttr.value) ?? first
  if (first.length === ifnameBytes + optionKeyBytes) return withOption({ set, ifname }, first.subarray(ifnameBytes))
  return first.length === ifnameBytes
    ? { set, ifname }
    : withSource({ set, ifname }, first.subarray(ifnameBytes), last.subarray(ifnameBytes))
}

/** A MAC, padded, and an option of eight bytes: no address is as long. */
const optionKeyBytes = 16

function withOption(element: Element, key: Uint8Array): Element | undefined {
  const [mac, option] = [macOf(key.subarray(0, 6)), key[8]]
  return mac === undefined || (option !== 1 && option !== 2) ? undefined : { ...element, mac, option }
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
    const what = kernelReply(each)
    if (what.kind === 'end' && what.refusal !== undefined) return what.refusal.errno
  }
  return 0
}
