// Connection tracking and its address translation in bytes and back (Open vSwitch, ofp-actions.c: nx_action_conntrack, nx_action_nat).
import type { Action, Conntrack, LoadBits, SetField } from '../../pipeline/openflow/actions.ts'
import type { Nat, Range } from '../../pipeline/openflow/nat.ts'
import type { Bytes } from '../bytes.ts'
import { bitsAt, extension, writeLoad, writeSet } from './set.ts'

export const conntrackSubtypes = { ct: 35, nat: 36, ctClear: 43 } as const
const ctBytes = 24
const flags = { commit: 1, force: 2 } as const
const noTable = 0xff
/** Named by the port of their control connection. */
const algs = { ftp: 21, tftp: 69 } as const

/** Room enough for it, whatever it has in it. */
export const conntrackRoom = ({ exec = [] }: Conntrack): number => ctBytes + 64 + exec.length * 40

const commits = { new: flags.commit, force: flags.commit + flags.force } as const

/** @param writeBits how the version that is spoken writes some bits of a field */
export function writeConntrack(
  out: Bytes,
  { zone, table = noTable, commit, nat, exec = [], alg }: Conntrack,
  writeBits: typeof writeLoad = writeLoad,
): void {
  const start = out.at
  const [field, number] = typeof zone === 'number' ? [0, zone] : [zone.field.header, zone.from * 64 + zone.count - 1]
  extension(out, conntrackSubtypes.ct, 0)
  out.u16(commit === undefined ? 0 : commits[commit])
  out.u32(field)
  out.u16(number)
  out.u8(table)
  out.skip(3)
  out.u16(alg === undefined ? 0 : algs[alg])
  if (nat !== undefined) writeNat(out, nat)
  for (const each of exec) {
    if (each.do === 'set') writeSet(out, each)
    else writeBits(out, each)
  }
  out.u16At(start + 2, out.at - start)
}

export interface Nested {
  readonly view: DataView
  readonly from: number
  readonly to: number
}

/** @param nested reads the actions inside, the translation too */
export function readConntrack(view: DataView, at: number, nested: (of: Nested) => readonly (Action | NatAction)[]): Conntrack {
  const table = view.getUint8(at + 18)
  const inside = nested({ view, from: at + ctBytes, to: at + view.getUint16(at + 2) })
  return {
    do: 'ct',
    zone: view.getUint32(at + 12) === 0 ? view.getUint16(at + 16) : bitsAt(view, at + 16, at + 12),
    ...(table !== noTable && { table }),
    ...commitOf(view.getUint16(at + 10)),
    ...insideOf(inside),
    ...algNamed(view.getUint16(at + 22)),
  }
}

const commitOf = (flag: number): Pick<Conntrack, 'commit'> =>
  (flag & flags.commit) === 0 ? {} : { commit: (flag & flags.force) !== 0 ? 'force' : 'new' }

function insideOf([first, ...rest]: readonly (Action | NatAction)[]): Pick<Conntrack, 'nat' | 'exec'> {
  if (first === undefined) return {}
  const settings = (first.do === 'nat' ? rest : [first, ...rest]).map(asSetting)
  return { ...(first.do === 'nat' && { nat: first.nat }), ...(settings.length > 0 && { exec: settings }) }
}

/** It stands inside of connection tracking only. */
export interface NatAction {
  readonly do: 'nat'
  readonly nat: Nat
}

function asSetting(action: Action | NatAction): SetField | LoadBits {
  if (action.do !== 'set' && action.do !== 'load') throw new RangeError(`${action.do} inside of ct`)
  return action
}

function algNamed(l4Port: number): Pick<Conntrack, 'alg'> {
  if (l4Port === 0) return {}
  const found = Object.entries(algs).find(([, each]) => each === l4Port)?.[0]
  if (found === undefined) throw new RangeError(`ct with the helper of port ${l4Port}`)
  return { alg: found as keyof typeof algs }
}

const natBytes = 16
const natFlags = { src: 1, dst: 2, persistent: 4, hash: 8, random: 16 } as const
const present = { ipv4Min: 1, ipv4Max: 2, ipv6Min: 4, ipv6Max: 8, l4Min: 16, l4Max: 32 } as const

function writeNat(out: Bytes, nat: Nat): void {
  const { addresses, l4Ports } = nat
  const start = out.at
  extension(out, conntrackSubtypes.nat, 0)
  out.skip(2)
  out.u16(flagsOf(nat))
  const [min, max] = addresses?.family === 6 ? [present.ipv6Min, present.ipv6Max] : [present.ipv4Min, present.ipv4Max]
  out.u16(rangeBits(addresses, min, max) + rangeBits(l4Ports, present.l4Min, present.l4Max))
  for (const address of bounds(addresses)) {
    if (addresses?.family === 6) out.u128(address)
    else out.u32(Number(address))
  }
  for (const l4Port of bounds(l4Ports)) out.u16(l4Port)
  out.pad(start)
  out.u16At(start + 2, out.at - start)
}

const flagsOf = ({ of, choice, persistent = false }: Nat): number =>
  (of === undefined ? 0 : natFlags[of]) + (persistent ? natFlags.persistent : 0) + (choice === undefined ? 0 : natFlags[choice])

/** A range of one is its first alone. */
const bounds = <Value>(range: Range<Value> | undefined): Value[] =>
  range === undefined ? [] : range.first === range.last ? [range.first] : [range.first, range.last]
const rangeBits = (range: Range<unknown> | undefined, min: number, max: number): number => [0, min, min + max][bounds(range).length]!

export function readNat(view: DataView, at: number): NatAction {
  const flag = view.getUint16(at + 12)
  const has = view.getUint16(at + 14)
  let next = at + natBytes
  const take = <Value>(bit: number, bytes: number, read: (from: number) => Value): Value | undefined => {
    if ((has & bit) === 0) return undefined
    next += bytes
    return read(next - bytes)
  }
  const v4 = (from: number): bigint => BigInt(view.getUint32(from))
  const v6 = (from: number): bigint => (view.getBigUint64(from) << 64n) | view.getBigUint64(from + 8)
  const l4 = (from: number): number => view.getUint16(from)
  const ipv4 = rangeOf(take(present.ipv4Min, 4, v4), take(present.ipv4Max, 4, v4))
  const ipv6 = rangeOf(take(present.ipv6Min, 16, v6), take(present.ipv6Max, 16, v6))
  const l4Ports = rangeOf(take(present.l4Min, 2, l4), take(present.l4Max, 2, l4))
  const nat: Nat = {
    ...((flag & (natFlags.src | natFlags.dst)) !== 0 && { of: (flag & natFlags.src) !== 0 ? 'src' : 'dst' }),
    ...(ipv4 !== undefined && { addresses: { family: 4, ...ipv4 } }),
    ...(ipv6 !== undefined && { addresses: { family: 6, ...ipv6 } }),
    ...(l4Ports !== undefined && { l4Ports }),
    ...((flag & natFlags.hash) !== 0 && { choice: 'hash' }),
    ...((flag & natFlags.random) !== 0 && { choice: 'random' }),
    ...((flag & natFlags.persistent) !== 0 && { persistent: true }),
  }
  return { do: 'nat', nat }
}

const rangeOf = <Value>(first: Value | undefined, last: Value | undefined): Range<Value> | undefined =>
  first === undefined ? undefined : { first, last: last ?? first }
