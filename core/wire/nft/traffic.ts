// How much is let pass, and how it is marked: limits of nftables, and elements of maps from interfaces to them and to marks, in a table of
// family bridge. `agent/dataplanes/linux/traffic.ts` has the table.
import { attributes, nestedOf, textOf, u32Of, viewOf, Writer, type Attributes } from '../netlink/bytes.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import { flag, message } from '../netlink/message.ts'
import {
  type ElementChange,
  type SetPlace,
  batch,
  be32,
  bigOf,
  dataAttr,
  elementAttr,
  elementsIn,
  encodeSetDump,
  family,
  head,
  ifnameBytes,
  ifnameKey,
  ifnameOf,
  nested,
  objectAttr,
  type,
  writeElement,
} from './message.ts'

/** A named limit, which matches what is above it. */
export interface Limit {
  readonly of: 'limit'
  readonly name: string
  readonly unit: 'bytes' | 'packets'
  /** In a second; 0: it is none of ours. */
  readonly rate: number
  /** What may come at once; of bytes beside those of a second. */
  readonly burst: number
}
export type TrafficElement =
  | Limit
  /** What an interface sends, or is sent, comes to the limit of this name. */
  | { readonly of: LimitMap; readonly ifname: string; readonly limit: string }
  | { readonly of: 'dscp'; readonly ifname: string; readonly dscp: number }
  /** The same of what has this mark. */
  | RuledElement

export type RuledElement =
  | { readonly of: 'rates'; readonly ifname: string; readonly mark: number; readonly limit: string }
  | { readonly of: 'marks'; readonly ifname: string; readonly mark: number; readonly dscp: number }

/** Of interfaces: what one sends, is sent, and sends to groups. */
const limitMaps = ['sent', 'got', 'broadcast'] as const
type LimitMap = (typeof limitMaps)[number]
const isLimitMap = (set: string | undefined): set is LimitMap => limitMaps.some((each) => each === set)
export const trafficMaps = ['dscp', ...limitMaps, 'rates', 'marks'] as const
export type TrafficMap = (typeof trafficMaps)[number]

const limitAttr = { rate: 1, unit: 2, burst: 3, type: 4, flags: 5 } as const
/** NFT_OBJECT_LIMIT, NFT_LIMIT_F_INV; of a second. */
const [limitObject, above, second] = [4, 1, 1]
/** NFT_LIMIT_PKTS, NFT_LIMIT_PKT_BYTES. */
const units = { packets: 0, bytes: 1 } as const

/** Drops first, in one transaction; a limit stands as long as an element that comes to it. */
export function encodeTraffic(table: string, { drop, put }: ElementChange<TrafficElement>): Uint8Array {
  const isLimit = (each: TrafficElement): boolean => each.of === 'limit'
  return batch((to, next) => {
    for (const each of drop.toSorted((a, b) => Number(isLimit(a)) - Number(isLimit(b))))
      message(to, { type: isLimit(each) ? type.delObject : type.delElement, flags: flag.ack, sequence: next() }, () =>
        write(to, table, each, false),
      )
    for (const each of put.toSorted((a, b) => Number(isLimit(b)) - Number(isLimit(a))))
      message(
        to,
        { type: isLimit(each) ? type.newObject : type.newElement, flags: flag.ack | flag.create | flag.excl, sequence: next() },
        () => write(to, table, each, true),
      )
  })
}

const placeOf = (table: string, set: TrafficMap): SetPlace => ({ family: family.bridge, table, set })

/** @param isWhole with all that it is, and not only as much as names it */
function write(to: Writer, table: string, element: TrafficElement, isWhole: boolean): void {
  if (element.of === 'limit') return writeLimit(to, table, element, isWhole)
  writeElement(to, placeOf(table, element.of), () => {
    to.nest(elementAttr.key | nested, () => to.attr(dataAttr.value, keyBytes(element)))
    if ('dscp' in element) to.nest(elementAttr.data | nested, () => to.attr32(dataAttr.value, element.dscp))
    else if (isWhole) to.attrText(elementAttr.object, element.limit)
  })
}

/** Marks are numbers of the machine. */
function keyBytes(element: Exclude<TrafficElement, Limit>): Uint8Array {
  const name = ifnameKey(element.ifname)
  if (!('mark' in element)) return name
  const key = new Uint8Array(name.length + 4)
  key.set(name)
  viewOf(key).setUint32(name.length, element.mark, true)
  return key
}

function writeLimit(to: Writer, table: string, { name, unit, rate, burst }: Limit, isWhole: boolean): void {
  head(to, family.bridge).attrText(objectAttr.table, table).attrText(objectAttr.name, name).attr(objectAttr.type, be32(limitObject))
  if (!isWhole) return
  to.nest(objectAttr.data | nested, () =>
    to
      .attr(limitAttr.rate, be64(rate))
      .attr(limitAttr.unit, be64(second))
      .attr(limitAttr.burst, be32(burst))
      .attr(limitAttr.type, be32(units[unit]))
      .attr(limitAttr.flags, be32(above)),
  )
}

export const encodeTrafficDump = (table: string, map: TrafficMap): Uint8Array => encodeSetDump(placeOf(table, map))

export function encodeLimitsDump(table: string): Uint8Array {
  const to = new Writer()
  message(to, { type: type.getObject, flags: flag.dump, sequence: 1 }, () =>
    head(to, family.bridge).attrText(objectAttr.table, table).attr(objectAttr.type, be32(limitObject)),
  )
  return to.done()
}

export function readTraffic(bytes: Uint8Array): Dump<TrafficElement> {
  return readDump(bytes, ({ body }) => {
    const { set, elements } = elementsIn(body)
    return elements.flatMap((part) => elementIn(attributes(part), set) ?? [])
  })
}

/** Undefined: it is none of ours. */
function elementIn(all: Attributes, set: string | undefined): TrafficElement | undefined {
  const key = nestedOf(all, elementAttr.key).get(dataAttr.value)
  if (key === undefined) return undefined
  const ifname = ifnameOf(key)
  const dscp = u32Of(nestedOf(all, elementAttr.data), dataAttr.value) ?? 0
  if (key.length === ifnameBytes + 4)
    return ruledIn(set, { ifname, mark: viewOf(key).getUint32(ifnameBytes, true), dscp, limit: textOf(all, elementAttr.object) ?? '' })
  if (key.length !== ifnameBytes) return undefined
  if (set === 'dscp') return { of: set, ifname, dscp }
  return isLimitMap(set) ? { of: set, ifname, limit: textOf(all, elementAttr.object) ?? '' } : undefined
}

interface RuledParts {
  readonly ifname: string
  readonly mark: number
  readonly dscp: number
  readonly limit: string
}
function ruledIn(set: string | undefined, { ifname, mark, dscp, limit }: RuledParts): RuledElement | undefined {
  if (set === 'rates') return { of: set, ifname, mark, limit }
  return set === 'marks' ? { of: set, ifname, mark, dscp } : undefined
}

export function readLimits(bytes: Uint8Array): Dump<Limit> {
  return readDump(bytes, ({ type: of, body }) => {
    const all = attributes(body, 4)
    const name = textOf(all, objectAttr.name)
    return of !== type.newObject || name === undefined ? [] : [{ of: 'limit', name, ...rateIn(nestedOf(all, objectAttr.data)) }]
  })
}

function rateIn(limit: Attributes): Pick<Limit, 'unit' | 'rate' | 'burst'> {
  const number = (attribute: number): number => bigOf(limit, attribute)
  const isOurs = number(limitAttr.unit) === second && number(limitAttr.flags) === above
  const unit = number(limitAttr.type) === units.packets ? 'packets' : 'bytes'
  return { unit, rate: isOurs ? number(limitAttr.rate) : 0, burst: number(limitAttr.burst) }
}

function be64(value: number): Uint8Array {
  const bytes = new Uint8Array(8)
  viewOf(bytes).setBigUint64(0, BigInt(value))
  return bytes
}
