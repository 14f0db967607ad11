// Rules that choose a table of routes (linux/fib_rules.h).
import { printIp } from '../../net/ip.ts'
import { attributes, family, familyOf, ipBytes, ipOf, prefixed, textOf, u32Of, u8Of, type Writer } from './bytes.ts'
import { defined } from './link.ts'

const attr = { dst: 1, src: 2, iif: 3, priority: 6, mark: 10, table: 15, mask: 16, protocol: 21 } as const
const headBytes = 12
const actions = { toTable: 1, unreachable: 7 } as const
const known: readonly number[] = Object.values(actions)
/** Of a table whose number is in an attribute of its own. */
const isLong = (table: number | undefined): table is number => table !== undefined && table > 255
const versions: ReadonlyMap<number, 4 | 6> = new Map([
  [family.inet, 4],
  [family.inet6, 6],
])

export interface Rule {
  readonly family: 4 | 6
  /** The lowest is asked first. */
  readonly priority: number
  /** By which interface a packet comes in; absent: by any. */
  readonly iif?: string
  /** A block that it comes from; absent: anywhere. */
  readonly from?: string
  /** A block that it goes to; absent: anywhere. */
  readonly to?: string
  /** Of a packet's mark as much as the mask has; absent: whatever its mark. */
  readonly mark?: { readonly value: number; readonly mask: number }
  /** Where its way is looked up; absent: it is refused as unreachable. */
  readonly table?: number
  /** As of a route; absent where a kernel does not say. */
  readonly protocol?: number
}

export function writeRule(to: Writer, rule: Rule): void {
  writeMatch(to, rule)
  const { priority, table, protocol } = rule
  to.attr32(attr.priority, priority)
  if (isLong(table)) to.attr32(attr.table, table)
  if (protocol !== undefined) to.attr8(attr.protocol, protocol)
}

function writeMatch(to: Writer, { family: version, iif, from, to: block, mark, table }: Rule): void {
  const [source, into] = [from, block].map((each) => (each === undefined ? undefined : prefixed(each)))
  writeHead(to, { version, into: into?.length ?? 0, from: source?.length ?? 0, table })
  if (into !== undefined) to.attr(attr.dst, ipBytes(into.ip))
  if (source !== undefined) to.attr(attr.src, ipBytes(source.ip))
  if (iif !== undefined) to.attrText(attr.iif, iif)
  if (mark !== undefined) to.attr32(attr.mark, mark.value).attr32(attr.mask, mark.mask)
}

interface RuleHead {
  readonly version: 4 | 6
  /** Bits of the prefixes that it goes to and comes from. */
  readonly into: number
  readonly from: number
  readonly table: number | undefined
}

function writeHead(to: Writer, { version, into, from, table }: RuleHead): void {
  to.u8(version === 4 ? family.inet : family.inet6)
    .u8(into)
    .u8(from)
    .u8(0)
  to.u8(isLong(table) ? 0 : (table ?? 0))
    .u8(0)
    .u8(0)
    .u8(table === undefined ? actions.unreachable : actions.toTable)
    .u32(0)
}

export function writeRuleDump(to: Writer): void {
  to.u32(family.any).u32(0).u32(0)
}

/** undefined for what does neither look up a table nor refuse. */
export function readRule(body: Uint8Array): Rule | undefined {
  const version = versions.get(body[0] ?? family.any)
  const action = body[7] ?? 0
  if (body.length < headBytes || version === undefined || !known.includes(action)) return undefined
  const all = attributes(body, headBytes)
  return {
    family: version,
    priority: u32Of(all, attr.priority) ?? 0,
    ...defined({
      iif: textOf(all, attr.iif),
      from: blockOf(all.get(attr.src), body[2]),
      to: blockOf(all.get(attr.dst), body[1]),
      mark: markOf(all),
      table: action === actions.toTable ? (u32Of(all, attr.table) ?? body[4]!) : undefined,
      protocol: u8Of(all, attr.protocol),
    }),
  }
}

function markOf(all: ReadonlyMap<number, Uint8Array>): Rule['mark'] {
  const [value, mask] = [u32Of(all, attr.mark), u32Of(all, attr.mask)]
  return value === undefined || mask === undefined ? undefined : { value, mask }
}

function blockOf(bytes: Uint8Array | undefined, length: number | undefined): string | undefined {
  const ip = ipOf(bytes)
  return ip && `${printIp(ip)}/${length}`
}

/** The family of a block. */
export const familyOfBlock = (block: string): 4 | 6 => (familyOf(prefixed(block).ip) === family.inet ? 4 : 6)
