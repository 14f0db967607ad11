// Who may talk to whom, as elements of sets and maps of nftables in a table of family bridge: `agent/dataplanes/linux/policies.ts` has the
// table. Marks stand in keys as numbers of the machine, and in keys of intervals in network order, as nft has it.
import { blockOf as blockAt, parseCidr, printCidr } from '../../net/cidr.ts'
import { parseIp, printIp } from '../../net/ip.ts'
import type { AddressRange } from '../../net/ranges.ts'
import { attributes, ipBytes, ipOf, nestedOf, textOf, viewOf, type Attributes, type Writer } from '../netlink/bytes.ts'
import { marks } from '../../node/frame-marks.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import {
  be32,
  commentBytes,
  commentIn,
  countIn,
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

export type PolicyElement =
  /** An interface that is judged, in the VNI that it is in. */
  | { readonly of: 'network'; readonly ifname: string; readonly vni: number }
  /** An identity that is not treated as anyone else is there. */
  | { readonly of: 'named'; readonly ifname: string; readonly identity: number }
  /** What becomes of what it sends, or gets. */
  | DecisionElement
  /** The limit that what is logged of it comes to. */
  | { readonly of: 'bucket'; readonly ifname: string; readonly limit: string }
  /** Whose an address is. */
  | { readonly of: 'identity'; readonly vni: number; readonly address: string; readonly identity: number }
  /** A block of the VNI: who is in it and not known may be anybody. */
  | { readonly of: 'inside'; readonly vni: number; readonly block: string }

export interface DecisionElement {
  readonly of: 'out' | 'in'
  readonly ifname: string
  /** Of the other end. */
  readonly identity: number
  readonly range: AddressRange
  /** What of it is asked later: see `marks`. */
  readonly mark: number
  /** By which rules. */
  readonly comment: string
  /** Only read. */
  readonly count?: { readonly packets: number; readonly bytes: number } | undefined
}

export const isDecision = (element: PolicyElement): element is DecisionElement => element.of === 'out' || element.of === 'in'

export const policySets = [
  'network',
  'named',
  'out4',
  'out6',
  'in4',
  'in6',
  'bucket',
  'identity4',
  'identity6',
  'inside4',
  'inside6',
] as const
export type PolicySet = (typeof policySets)[number]
/** Of agents of before, which had no table for each way: with whom an interface may talk. */
export const formerSets = ['access4', 'access6'] as const

/** Drops first, in one transaction. */
export const encodePolicies = (table: string, change: ElementChange<PolicyElement>): Uint8Array =>
  elementBatch(change, (to, each) => write(to, table, each))

type AnySet = PolicySet | (typeof formerSets)[number]
const placeOf = (table: string, set: AnySet): SetPlace => ({ family: family.bridge, table, set })
export const encodePoliciesDump = (table: string, set: AnySet): Uint8Array => encodeSetDump(placeOf(table, set))

function write(to: Writer, table: string, element: PolicyElement): void {
  const { set, first, last, mapped, comment = '', object } = bytesOf(element)
  writeElement(to, placeOf(table, set), () => {
    to.nest(elementAttr.key | nested, () => to.attr(dataAttr.value, first))
    if (last !== undefined) to.nest(elementAttr.keyEnd | nested, () => to.attr(dataAttr.value, last))
    if (mapped !== undefined) to.nest(elementAttr.data | nested, () => to.attr(dataAttr.value, mapped))
    if (object !== undefined) to.attrText(elementAttr.object, object)
    if (comment !== '') to.attr(elementAttr.comment, commentBytes(comment))
  })
}

interface ElementBytes {
  readonly set: PolicySet
  readonly first: Uint8Array
  readonly last?: Uint8Array
  readonly mapped?: Uint8Array
  readonly comment?: string
  readonly object?: string
}

function bytesOf(element: PolicyElement): ElementBytes {
  if (element.of === 'network') return { set: 'network', first: ifnameKey(element.ifname), mapped: ours(marks.network + element.vni) }
  if (element.of === 'bucket') return { set: 'bucket', first: ifnameKey(element.ifname), object: element.limit }
  if (element.of === 'named') return { set: 'named', first: joined(ifnameKey(element.ifname), ours(element.identity)) }
  if (isDecision(element)) {
    const { of, ifname, identity, range, mark, comment } = element
    const key = joined(ifnameKey(ifname), be32(identity))
    return { set: `${of}${range.family}`, ...ends(key, range), mapped: ours(mark), comment }
  }
  if (element.of === 'inside') {
    const cidr = parseCidr(element.block)
    if (cidr === undefined) throw new RangeError(`${element.block} is no block`)
    return { set: cidr.family === 4 ? 'inside4' : 'inside6', ...ends(be32(marks.network + element.vni), cidr) }
  }
  const ip = parseIp(element.address)
  if (ip === undefined) throw new RangeError(`${element.address} is no address`)
  const first = joined(ours(marks.network + element.vni), ipBytes(ip))
  return { set: ip.family === 4 ? 'identity4' : 'identity6', first, mapped: ours(element.identity) }
}

const ends = (key: Uint8Array, { family: of, first, last }: AddressRange): Pick<ElementBytes, 'first' | 'last'> => ({
  first: joined(key, ipBytes({ family: of, value: first })),
  last: joined(key, ipBytes({ family: of, value: last })),
})
const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => Uint8Array.of(...one, ...other)

function ours(mark: number): Uint8Array {
  const bytes = new Uint8Array(4)
  viewOf(bytes).setUint32(0, mark, true)
  return bytes
}

export function readPolicies(bytes: Uint8Array): Dump<PolicyElement> {
  return readDump(bytes, ({ body }) => {
    const { set, elements } = elementsIn(body)
    return elements.flatMap((part) => readElement(part, set) ?? [])
  })
}

interface ElementParts {
  readonly first: Uint8Array
  readonly last: Uint8Array
  readonly mapped: Uint8Array
  readonly all: Attributes
}
type ElementReader = (parts: ElementParts) => PolicyElement | undefined
const readers: Readonly<Record<string, ElementReader>> = {
  network: ({ first, mapped }) => ({ of: 'network', ifname: ifnameOf(first), vni: markIn(mapped, true) - marks.network }),
  bucket: ({ first, all }) => ({ of: 'bucket', ifname: ifnameOf(first), limit: textOf(all, elementAttr.object) ?? '' }),
  named: ({ first }) => ({ of: 'named', ifname: ifnameOf(first), identity: markIn(first.subarray(ifnameBytes), true) }),
  out: (parts) => decisionIn('out', parts),
  in: (parts) => decisionIn('in', parts),
  access: (parts) => decisionIn('out', { ...parts, mapped: ours(marks.decided + marks.passes) }),
  inside: insideIn,
  identity: identityIn,
}
const none = new Uint8Array(4)

/** Undefined: it is none of ours. */
function readElement(bytes: Uint8Array, set = ''): PolicyElement | undefined {
  const all = attributes(bytes)
  const partOf = (attribute: number): Uint8Array | undefined => nestedOf(all, attribute).get(dataAttr.value)
  const first = partOf(elementAttr.key)
  const [last = first, mapped = none] = [partOf(elementAttr.keyEnd), partOf(elementAttr.data)]
  return first && last && readers[set.replace(/[46]$/, '')]?.({ first, last, mapped, all })
}

const markIn = (bytes: Uint8Array, littleEndian: boolean): number => viewOf(bytes).getUint32(0, littleEndian)

function decisionIn(of: DecisionElement['of'], { first, last, mapped, all }: ElementParts): DecisionElement | undefined {
  const range = rangeIn(first.subarray(ifnameBytes + 4), last.subarray(ifnameBytes + 4))
  const identity = markIn(first.subarray(ifnameBytes), false)
  return range && { of, ifname: ifnameOf(first), identity, range, mark: markIn(mapped, true), comment: commentIn(all), count: countIn(all) }
}

function insideIn({ first, last }: ElementParts): PolicyElement | undefined {
  const range = rangeIn(first.subarray(4), last.subarray(4))
  if (range === undefined) return undefined
  const { family: of, first: value, last: to } = range
  const length = (of === 4 ? 32 : 128) - (value === to ? 0 : (to ^ value).toString(2).length)
  return { of: 'inside', vni: markIn(first, false) - marks.network, block: printCidr(blockAt({ family: of, value }, length)) }
}

function rangeIn(first: Uint8Array, last: Uint8Array): AddressRange | undefined {
  const [from, to] = [ipOf(first), ipOf(last)]
  return from && to && { family: from.family, first: from.value, last: to.value }
}

function identityIn({ first, mapped }: ElementParts): PolicyElement | undefined {
  const ip = ipOf(first.subarray(4))
  return ip && { of: 'identity', vni: markIn(first, true) - marks.network, address: printIp(ip), identity: markIn(mapped, true) }
}
