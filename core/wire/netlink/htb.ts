// Classes of traffic on the way out of an interface (linux/pkt_sched.h, tc-htb(8)): each has a rate of its own, and shares what is left.
// Which packets are whose, cls_u32 says by VNI and source of what a tunnel carries (RFC 7348): those of a Port are told apart without a
// mark that the network between nodes would see.
import { attributes, macBytes, macOf, nestedOf, textOf, viewOf, Writer, type Attributes } from './bytes.ts'
import { readDump, type Dump } from './dump.ts'
import { flag, message, type Message } from './message.ts'

const type = {
  newQdisc: 36,
  delQdisc: 37,
  getQdisc: 38,
  newClass: 40,
  delClass: 41,
  getClass: 42,
  newFilter: 44,
  delFilter: 45,
  getFilter: 46,
}
const attr = { kind: 1, options: 2 } as const
const htb = { parms: 1, init: 2, rate64: 6, ceil64: 7 } as const
const u32 = { classid: 1, sel: 5 } as const
/** `mg`: others' disciplines have other numbers. */
const major = 0x6d67
const handleOf = (minor: number): number => ((major << 16) | minor) >>> 0
const root = 0xffffffff
/** The class of all others, and the one that is above all of them. */
const [everyone, whole] = [0xffff, 0xfffe] as const
/** A frame or ten at once: what is left is shared evenly. */
const quantum = 15_000
const nsPerTick = 64
const headBytes = 20

interface Head {
  readonly index: number
  readonly handle: number
  readonly parent: number
  readonly about?: number
}
const head = (to: Writer, { index, handle, parent, about = 0 }: Head): Writer =>
  to
    .u32(0)
    .u32(index)
    .u32(handle)
    .u32(parent)
    .u32(about >>> 0)

/** Each is asked by itself. */
function one(kind: number, flags: number, body: (to: Writer) => void): Uint8Array {
  const to = new Writer()
  message(to, { type: kind, flags, sequence: 1 }, () => body(to))
  return to.done()
}
const making = flag.ack | flag.create

/** EEXIST where the interface has one that somebody chose. */
export const encodeHtb = (index: number): Uint8Array =>
  one(type.newQdisc, making | flag.excl, (to) => {
    head(to, { index, handle: handleOf(0), parent: root }).attrText(attr.kind, 'htb')
    // Version 3, ten of rate to a quantum, and the class of what no filter names.
    to.nest(attr.options, () => to.attr(htb.init, new Uint8Array(new Uint32Array([3, 10, everyone, 0, 0]).buffer)))
  })

/** The kernel's own comes in its place. ENOENT or EINVAL where it is not there. */
export const encodeHtbDrop = (index: number): Uint8Array =>
  one(type.delQdisc, flag.ack, (to) => head(to, { index, handle: handleOf(0), parent: root }))

export interface HtbClass {
  /** `whole` is above all others; `everyone` is of what has none of its own; else a number below these. */
  readonly of: 'whole' | 'everyone' | number
  /** Bits a second, of its own and at most. */
  readonly rate: number
  readonly ceil: number
}
const minorOf = (of: HtbClass['of']): number => (of === 'whole' ? whole : of === 'everyone' ? everyone : of)

/** Made, or changed to this. */
export function encodeHtbClass(index: number, { of, rate, ceil }: HtbClass): Uint8Array {
  return one(type.newClass, making, (to) => {
    const parent = of === 'whole' ? handleOf(0) : handleOf(whole)
    head(to, { index, handle: handleOf(minorOf(of)), parent }).attrText(attr.kind, 'htb')
    to.nest(attr.options, () => {
      const [own, most] = [bytesOf(rate), bytesOf(ceil)]
      to.attr(htb.parms, parms(own, most))
      to.attr(htb.rate64, u64(own)).attr(htb.ceil64, u64(most))
    })
  })
}

/**
 * What waits in a class: so few packets that no class takes up what its sender may have waiting in all. Open vSwitch in user space sends
 * for all Ports by one socket, and what does not fit into its buffer (net.core.wmem_default) is lost, whosever it is.
 */
export const encodeHtbQueue = (index: number, of: HtbClass['of']): Uint8Array =>
  one(type.newQdisc, making | flag.replace, (to) =>
    head(to, { index, handle: 0, parent: handleOf(minorOf(of)) })
      .attrText(attr.kind, 'pfifo')
      .attr32(attr.options, waitingMost),
  )
const waitingMost = 32

export const encodeHtbClassDrop = (index: number, of: HtbClass['of']): Uint8Array =>
  one(type.delClass, flag.ack, (to) => head(to, { index, handle: handleOf(minorOf(of)), parent: 0 }))

const bytesOf = (bits: number): number => Math.max(Math.floor(bits / 8), 1)
const u64 = (value: number): Uint8Array => new Uint8Array(new BigUint64Array([BigInt(value)]).buffer)

/** What may come at once: five milliseconds' worth, and two frames at least. */
function ticksOf(bytes: number): number {
  const ns = Math.max(5_000_000, (3_200 / bytes) * 1_000_000_000)
  return Math.min(Math.ceil(ns / nsPerTick), 0x7fffffff)
}

/** struct tc_htb_opt: two of struct tc_ratespec, of Ethernet, so that no tables are needed; then bursts, quantum, level, priority. */
function parms(rate: number, ceil: number): Uint8Array {
  const to = new Writer()
  for (const each of [rate, ceil]) to.u8(0).u8(1).u16(0).u16(0).u16(0).u32(Math.min(each, 0xffffffff))
  return to.u32(ticksOf(rate)).u32(ticksOf(ceil)).u32(quantum).u32(0).u32(0).done()
}

export interface TunnelledFrom {
  readonly vni: number
  readonly mac: string
}
export interface Tunnel {
  /** Of the packets outside. */
  readonly family: 4 | 6
  readonly l4Port: number
}

/** Words of a packet from its IP header on, each with a mask: UDP to the port of tunnels, the VNI, the source of the frame inside. */
function keysOf({ vni, mac }: TunnelledFrom, { family, l4Port }: Tunnel): readonly (readonly [at: number, mask: number, value: number])[] {
  const bytes = viewOf(macBytes(mac))
  const inside = outerBytes(family)
  const outer =
    family === 4
      ? ([
          [0, 0x0f000000, 0x05000000],
          [8, 0x00ff0000, 0x00110000],
        ] as const)
      : ([[4, 0x0000ff00, 0x00001100]] as const)
  return [
    ...outer,
    [inside, 0x0000ffff, l4Port],
    [inside + vniAt, 0xffffff00, (vni << 8) >>> 0],
    [inside + macAt, 0x0000ffff, bytes.getUint16(0)],
    [inside + macAt + 4, 0xffffffff, bytes.getUint32(2)],
  ]
}
/** Behind the header outside: UDP, VXLAN with the VNI in its second word, and the frame. */
const outerBytes = (family: 4 | 6): number => (family === 4 ? 20 : 40)
const [vniAt, macAt] = [12, 20] as const
const protocols = { 4: 0x0008, 6: 0xdd86 } as const

/** A filter of a class; its place is the number of that. */
export const encodeHtbFilter = (index: number, of: number, from: TunnelledFrom, tunnel: Tunnel): Uint8Array =>
  one(type.newFilter, making | flag.excl, (to) => {
    head(to, { index, handle: 0, parent: handleOf(0), about: (of << 16) | protocols[tunnel.family] }).attrText(attr.kind, 'u32')
    to.nest(attr.options, () => to.attr32(u32.classid, handleOf(of)).attr(u32.sel, selector(keysOf(from, tunnel))))
  })

/** All that is in the place. ENOENT or EINVAL where nothing is. */
export const encodeHtbFilterDrop = (index: number, of: number, { family }: Tunnel): Uint8Array =>
  one(type.delFilter, flag.ack, (to) => head(to, { index, handle: 0, parent: handleOf(0), about: (of << 16) | protocols[family] }))

/** struct tc_u32_sel: what matches is what it is, no further filter is asked. */
function selector(keys: ReturnType<typeof keysOf>): Uint8Array {
  const bytes = new Uint8Array(selBytes + keys.length * keyBytes)
  const view = viewOf(bytes)
  view.setUint8(0, 1)
  view.setUint8(2, keys.length)
  for (const [nth, [at, mask, value]] of keys.entries()) {
    const begin = selBytes + nth * keyBytes
    view.setUint32(begin, mask)
    view.setUint32(begin + 4, value)
    view.setInt32(begin + 8, at, true)
  }
  return bytes
}
const [selBytes, keyBytes] = [16, 16] as const

export const encodeQdiscDump = (index: number): Uint8Array =>
  one(type.getQdisc, flag.dump, (to) => head(to, { index, handle: 0, parent: 0 }))
export const encodeHtbClassDump = (index: number): Uint8Array =>
  one(type.getClass, flag.dump, (to) => head(to, { index, handle: 0, parent: 0 }))
export const encodeHtbFilterDump = (index: number): Uint8Array =>
  one(type.getFilter, flag.dump, (to) => head(to, { index, handle: 0, parent: handleOf(0) }))

interface Row {
  readonly index: number
  readonly handle: number
  readonly parent: number
  readonly about: number
  readonly all: Attributes
}
function rowOf({ body }: Message): Row | undefined {
  if (body.length < headBytes) return undefined
  const view = viewOf(body)
  const [index, handle, parent, about] = [4, 8, 12, 16].map((at) => view.getUint32(at, true)) as [number, number, number, number]
  return { index, handle, parent, about, all: attributes(body, headBytes) }
}
const reading =
  <T>(kind: number, read: (row: Row) => T | undefined) =>
  (bytes: Uint8Array): Dump<T> =>
    readDump(bytes, (part) => {
      const row = part.type === kind ? rowOf(part) : undefined
      const found = row && read(row)
      return found === undefined ? [] : [found]
    })

/**
 * Who chose how packets leave an interface: `nobody`, the kernel; `us`; or `others`, by the name of the discipline. Kernels tell of all
 * interfaces.
 */
export const readRootOf = (index: number): ((bytes: Uint8Array) => Dump<string>) =>
  reading(type.newQdisc, (row) => {
    if (row.index !== index || row.parent !== root) return undefined
    if (row.handle === handleOf(0)) return 'us'
    return row.handle === 0 ? 'nobody' : (textOf(row.all, attr.kind) ?? 'another')
  })

export const readHtbClasses: (bytes: Uint8Array) => Dump<HtbClass> = reading(type.newClass, ({ handle, all }) => {
  if (handle >>> 16 !== major) return undefined
  const options = nestedOf(all, attr.options)
  const has = options.get(htb.parms)
  if (has === undefined || has.length < 24) return undefined
  const minor = handle & 0xffff
  const [rate, ceil] = [
    bits(options, htb.rate64, viewOf(has).getUint32(8, true)),
    bits(options, htb.ceil64, viewOf(has).getUint32(20, true)),
  ]
  return { of: minor === whole ? 'whole' : minor === everyone ? 'everyone' : minor, rate, ceil }
})

function bits(options: Attributes, wide: number, narrow: number): number {
  const whole64 = options.get(wide)
  return (whole64?.length === 8 ? Number(viewOf(whole64).getBigUint64(0, true)) : narrow) * 8
}

/** The class that packets go to, and which those are. */
export const readHtbFilters = ({ family }: Tunnel): ((bytes: Uint8Array) => Dump<TunnelledFrom & { readonly of: number }>) =>
  reading(type.newFilter, ({ all }) => {
    const options = nestedOf(all, attr.options)
    const [to, sel] = [options.get(u32.classid), options.get(u32.sel)]
    if (to?.length !== 4 || sel === undefined) return undefined
    const words = wordsOf(sel)
    const inside = outerBytes(family)
    const [vni, high, low] = [words.get(inside + vniAt), words.get(inside + macAt), words.get(inside + macAt + 4)]
    if (vni === undefined || high === undefined || low === undefined) return undefined
    return { of: viewOf(to).getUint32(0, true) & 0xffff, vni: vni >>> 8, mac: macOf(Uint8Array.of(high >>> 8, high, ...u32Bytes(low)))! }
  })

const u32Bytes = (value: number): readonly number[] => [value >>> 24, value >>> 16, value >>> 8, value]

function wordsOf(sel: Uint8Array): ReadonlyMap<number, number> {
  const view = viewOf(sel)
  const words = new Map<number, number>()
  for (let at = selBytes; at + keyBytes <= sel.length; at += keyBytes) words.set(view.getInt32(at + 8, true), view.getUint32(at + 4))
  return words
}
