// rtnetlink: what is asked of the kernel's links, addresses, routes and neighbours, and what it answers, as values.
import type { Blank } from './blank.ts'
import { family, Writer } from './bytes.ts'
import { readAddress, writeAddress, type Address } from './address.ts'
import {
  readLink,
  writeGroup,
  writeLinkChange,
  writeLinkGet,
  writeLinkRef,
  writeNewLink,
  type FdOf,
  type Link,
  type LinkChange,
  type LinkRef,
  type NewLink,
} from './link.ts'
import { flag, message, messages, kernelReply, type Message, type Refusal } from './message.ts'
import {
  readNeighbour,
  writeFdb,
  writeFdbDump,
  writeNeighbour,
  writeProbes,
  type Neighbour,
  type NeighbourTable,
  type NewFdb,
  type NewNeighbour,
} from './neighbour.ts'
import { readRoute, readTableRoute, writeRoute, type NewRoute, type Route, type TableRoute } from './route.ts'
import { readRule, writeRule, writeRuleDump, type Rule } from './rule.ts'

/** One request. `put` is repeatable: what is there already is replaced. */
export type NetlinkRequest =
  | { readonly do: 'addLink'; readonly link: NewLink }
  | { readonly do: 'setLink'; readonly of: LinkRef; readonly change: LinkChange }
  | { readonly do: 'getLink'; readonly of: LinkRef; readonly counted?: boolean }
  | { readonly do: 'dropLink'; readonly of: LinkRef }
  | { readonly do: 'dropGroup'; readonly group: number }
  | { readonly do: 'putAddress' | 'dropAddress'; readonly on: LinkRef; readonly address: string }
  | { readonly do: 'putRoute' | 'dropRoute'; readonly route: NewRoute }
  /** EEXIST says that it is there. */
  | { readonly do: 'putRule' | 'dropRule'; readonly rule: Rule }
  | { readonly do: 'putNeighbour' | 'dropNeighbour'; readonly neighbour: NewNeighbour }
  /** How often everybody on a link is asked whose an address is before nobody is; 0: never. */
  | { readonly do: 'setProbes'; readonly on: LinkRef; readonly of: NeighbourTable; readonly probes: number }
  /** `append`: beside others of the same MAC, as flooding needs; EEXIST says that it is there. */
  | { readonly do: 'putFdb' | 'dropFdb'; readonly fdb: NewFdb; readonly append?: boolean }

export interface NetlinkAnswer {
  /** Of getLink. */
  readonly link?: Link
  readonly refusal?: Refusal
}

/** What can be listed. */
export interface Listed {
  readonly links: Link
  readonly addresses: Address
  /** Of the main table. */
  readonly routes: Route
  readonly tableRoutes: TableRoute
  readonly rules: Rule
  readonly neighbours: Neighbour
  readonly fdb: Neighbour
}

/** Something that the kernel told unasked. */
export type NetlinkEvent = { readonly gone: boolean } & (
  | { readonly kind: 'links'; readonly link: Link }
  | { readonly kind: 'addresses'; readonly address: Address }
  /** Of any table; `replaces`: one of the same block and metric, if there was one. */
  | { readonly kind: 'tableRoutes'; readonly route: TableRoute; readonly replaces: boolean }
  | { readonly kind: 'rules'; readonly rule: Rule }
  | { readonly kind: 'neighbours' | 'fdb'; readonly neighbour: Neighbour }
)

/** linux/rtnetlink.h: RTNLGRP_LINK, NEIGH, IPV4_IFADDR and so on; neighbours and fdb share one. */
export const groups: { readonly [K in keyof Listed]: readonly number[] } = {
  links: [1],
  addresses: [5, 9],
  routes: [7, 11],
  tableRoutes: [7, 11],
  rules: [8, 19],
  neighbours: [3],
  fdb: [3],
}

const type = {
  newLink: 16,
  delLink: 17,
  getLink: 18,
  setLink: 19,
  newAddr: 20,
  delAddr: 21,
  getAddr: 22,
  newRoute: 24,
  delRoute: 25,
  getRoute: 26,
  newNeigh: 28,
  delNeigh: 29,
  getNeigh: 30,
  newRule: 32,
  delRule: 33,
  getRule: 34,
  setNeighTable: 67,
} as const
const made = flag.create | flag.excl
const put = flag.create | flag.replace

interface Form {
  readonly type: number
  readonly flags: number
  readonly body: (to: Writer) => void
}

function formOf(request: NetlinkRequest, fdOf: FdOf): Form {
  switch (request.do) {
    case 'addLink':
      return { type: type.newLink, flags: made, body: (to) => writeNewLink(to, request.link, fdOf) }
    case 'setLink':
      // NEWLINK, not SETLINK: only that takes what a bridge's port is told.
      return { type: type.newLink, flags: 0, body: (to) => writeLinkChange(to, request.of, request.change, fdOf) }
    case 'getLink':
      return { type: type.getLink, flags: 0, body: (to) => writeLinkGet(to, request.of, request.counted) }
    case 'dropLink':
      return { type: type.delLink, flags: 0, body: (to) => writeLinkRef(to, request.of) }
    case 'dropGroup':
      return { type: type.delLink, flags: 0, body: (to) => writeGroup(to, request.group) }
    case 'setProbes':
      return { type: type.setNeighTable, flags: 0, body: (to) => writeProbes(to, request) }
    case 'putRule':
      return { type: type.newRule, flags: made, body: (to) => writeRule(to, request.rule) }
    case 'dropRule':
      return { type: type.delRule, flags: 0, body: (to) => writeRule(to, request.rule) }
    default:
      return formOfEntry(request)
  }
}

function formOfEntry(request: Extract<NetlinkRequest, { readonly do: `${string}${'Address' | 'Route' | 'Neighbour' | 'Fdb'}` }>): Form {
  switch (request.do) {
    case 'putAddress':
      return { type: type.newAddr, flags: put, body: (to) => writeAddress(to, request.on, request.address) }
    case 'dropAddress':
      return { type: type.delAddr, flags: 0, body: (to) => writeAddress(to, request.on, request.address) }
    case 'putRoute':
      return { type: type.newRoute, flags: put, body: (to) => writeRoute(to, request.route) }
    case 'dropRoute':
      return { type: type.delRoute, flags: 0, body: (to) => writeRoute(to, request.route) }
    case 'putNeighbour':
      return { type: type.newNeigh, flags: put, body: (to) => writeNeighbour(to, request.neighbour) }
    case 'dropNeighbour':
      return { type: type.delNeigh, flags: 0, body: (to) => writeNeighbour(to, request.neighbour) }
    case 'putFdb':
      return {
        type: type.newNeigh,
        flags: request.append === true ? flag.create | flag.append : put,
        body: (to) => writeFdb(to, request.fdb),
      }
    case 'dropFdb':
      return { type: type.delNeigh, flags: 0, body: (to) => writeFdb(to, request.fdb) }
  }
}

/** The requests, one behind the other, numbered from `sequence`. */
export const encodeRequests = (asks: readonly NetlinkRequest[], sequence: number, fdOf: FdOf): Uint8Array =>
  encodeWithBlanks(asks, sequence, fdOf).bytes

/** As `encodeAsks`, with the places of numbers that are not known yet (netlink/blank.ts). */
export function encodeWithBlanks(
  asks: readonly NetlinkRequest[],
  sequence: number,
  fdOf: FdOf,
): { readonly bytes: Uint8Array; readonly blanks: readonly Blank[] } {
  const to = new Writer()
  for (const [i, request] of asks.entries()) {
    const form = formOf(request, fdOf)
    message(to, { type: form.type, flags: form.flags | flag.ack, sequence: (sequence + i) >>> 0 }, () => form.body(to))
  }
  return { bytes: to.done(), blanks: to.blanks }
}

const dumps: { readonly [K in keyof Listed]: { readonly type: number; readonly body: (to: Writer) => void } } = {
  links: { type: type.getLink, body: (to) => writeLinkGet(to, { index: 0, ifname: '' }) },
  addresses: { type: type.getAddr, body: (to) => to.u32(family.any).u32(0) },
  routes: { type: type.getRoute, body: (to) => to.u32(family.any).u32(0).u32(0) },
  tableRoutes: { type: type.getRoute, body: (to) => to.u32(family.any).u32(0).u32(0) },
  rules: { type: type.getRule, body: writeRuleDump },
  neighbours: { type: type.getNeigh, body: (to) => to.u32(family.any).u32(0).u32(0) },
  fdb: { type: type.getNeigh, body: writeFdbDump },
}

export function encodeDump(what: keyof Listed, sequence: number): Uint8Array {
  const to = new Writer()
  // A dump of links asks for all of them: a name would be a filter that strict kernels refuse.
  const body = what === 'links' ? () => to.u32(0).u32(0).u32(0).u32(0).attr32(29, 8) : () => dumps[what].body(to)
  message(to, { type: dumps[what].type, flags: flag.dump, sequence }, body)
  return to.done()
}

const readers: { readonly [K in keyof Listed]: (body: Uint8Array) => Listed[K] | undefined } = {
  links: readLink,
  addresses: readAddress,
  routes: readRoute,
  tableRoutes: readTableRoute,
  rules: readRule,
  neighbours: readNeighbour,
  fdb: readNeighbour,
}

/** Answers by sequence number, as they come in: one reader a batch. */
export class Answers {
  readonly #parts = new Map<number, Message[]>()
  readonly #ends = new Map<number, { readonly refusal?: Refusal; readonly again?: true }>()

  take(bytes: Uint8Array): void {
    for (const each of messages(bytes)) {
      const what = kernelReply(each)
      if (what.kind === 'end') this.#ends.set(each.sequence, what)
      else this.#partsOf(each.sequence).push(each)
    }
  }

  #partsOf(sequence: number): Message[] {
    const parts = this.#parts.get(sequence) ?? []
    if (parts.length === 0) this.#parts.set(sequence, parts)
    return parts
  }

  ended(sequence: number): boolean {
    return this.#ends.has(sequence)
  }

  answer(sequence: number): NetlinkAnswer {
    const refusal = this.#ends.get(sequence)?.refusal
    const answered = this.#parts.get(sequence)?.find((each) => each.type === type.newLink)
    const link = answered === undefined ? undefined : readLink(answered.body)
    return { ...(refusal === undefined ? {} : { refusal }), ...(link === undefined ? {} : { link }) }
  }

  /** What a dump lists; `again`: it changed meanwhile. */
  listed<K extends keyof Listed>(
    what: K,
    sequence: number,
  ): { readonly items: readonly Listed[K][]; readonly refusal?: Refusal; readonly again?: true } {
    const read: (body: Uint8Array) => Listed[K] | undefined = readers[what]
    const items = (this.#parts.get(sequence) ?? []).map(({ body }) => read(body)).filter((each) => each !== undefined)
    // Where a kernel overlooks the family asked for, it lists both.
    return { items: items.filter((each) => !('kind' in each) || (each.kind === 'fdb') === (what === 'fdb')), ...this.#ends.get(sequence) }
  }
}

/** Of four types of a kind the second is that something has gone (linux/rtnetlink.h). */
export const marksEnd = ({ type: answered }: Message): boolean => (answered & 3) === 1

/** What a multicast message tells; undefined for what is of no kind here. */
export function readEvent(each: Message): NetlinkEvent | undefined {
  const gone = marksEnd(each)
  return eventReaders.get(gone ? each.type - 1 : each.type)?.(each.body, gone, each.flags)
}

type EventReader = (body: Uint8Array, gone: boolean, flags: number) => NetlinkEvent | undefined
/** By the type of what is new. */
const eventReaders: ReadonlyMap<number, EventReader> = new Map<number, EventReader>([
  [type.newLink, (body, gone) => eventOf(readLink(body), (link) => ({ gone, kind: 'links', link }))],
  [type.newAddr, (body, gone) => eventOf(readAddress(body), (address) => ({ gone, kind: 'addresses', address }))],
  [
    type.newRoute,
    (body, gone, flags) =>
      eventOf(readTableRoute(body), (route) => ({ gone, kind: 'tableRoutes', route, replaces: (flags & flag.replace) !== 0 })),
  ],
  [type.newRule, (body, gone) => eventOf(readRule(body), (rule) => ({ gone, kind: 'rules', rule }))],
  [
    type.newNeigh,
    (body, gone) =>
      eventOf(readNeighbour(body), (neighbour) => ({ gone, kind: neighbour.kind === 'fdb' ? 'fdb' : 'neighbours', neighbour })),
  ],
])

function eventOf<T>(value: T | undefined, make: (value: T) => NetlinkEvent): NetlinkEvent | undefined {
  return value === undefined ? undefined : make(value)
}
