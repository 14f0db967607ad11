// What a Subnet's block may hand out: its pools less its excludes and its gateway, as runs of offsets.
import { defaultGateway, parseCidr, usable, type Cidr } from '../../net/cidr.ts'
import { parseIp } from '../../net/ip.ts'
import type { SubnetBlock } from '../../kinds/vpc/subnet.ts'

export interface OfferedRanges {
  readonly family: 4 | 6
  /** The address of offset 0. */
  readonly base: bigint
  /** Inclusive runs of offsets, sorted and apart, none above 2^52: beyond that an IPv6 block is used by fixed addresses only. */
  readonly runs: readonly (readonly [number, number])[]
}
type Run = readonly [bigint, bigint]

/** 2^52 addresses are a million for each of four thousand million hosts; above that a Number no longer counts by ones. */
const offsetMax = 2n ** 52n - 1n

/** @returns undefined where the block's CIDR is none */
export function offered(block: SubnetBlock): OfferedRanges | undefined {
  const cidr = parseCidr(block.cidr)
  if (cidr === undefined) return undefined
  const runs = without(poolsOf(block, cidr), [...holesOf(block, cidr)].sort(byStart))
  const base = runs[0]?.[0] ?? cidr.first
  const near = runs.filter(([first]) => first - base <= offsetMax)
  return {
    family: cidr.family,
    base,
    runs: near.map(([first, last]) => [Number(first - base), Number(last - base < offsetMax ? last - base : offsetMax)]),
  }
}

function poolsOf(block: SubnetBlock, cidr: Cidr): Run[] {
  if (block.pools === undefined || block.pools.length === 0) {
    const { first, last } = usable(cidr)
    return [[first, last]]
  }
  const pools = block.pools.map(({ first, last }): Run => [valueOf(first), valueOf(last)]).filter(([first, last]) => first <= last)
  return joined(pools.sort(byStart))
}

function* holesOf(block: SubnetBlock, cidr: Cidr): Generator<Run> {
  const gateway = block.gateway === undefined ? defaultGateway(cidr)?.value : valueOf(block.gateway)
  if (gateway !== undefined) yield [gateway, gateway]
  for (const text of block.excludes ?? []) {
    const inner = parseCidr(text)
    yield inner === undefined ? [valueOf(text), valueOf(text)] : [inner.first, inner.last]
  }
}

/** An address that the schema has already taken; 0 lies in no pool. */
const valueOf = (text: string): bigint => parseIp(text)?.value ?? 0n
const byStart = (a: Run, b: Run): number => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)

/** Sorted runs made one where they overlap or touch. */
function joined(runs: readonly Run[]): Run[] {
  const apart: Run[] = []
  for (const run of runs) {
    const before = apart.at(-1)
    if (before === undefined || run[0] > before[1] + 1n) apart.push(run)
    else if (run[1] > before[1]) apart[apart.length - 1] = [before[0], run[1]]
  }
  return apart
}

/** Runs less holes, both sorted. */
function without(runs: readonly Run[], holes: readonly Run[]): Run[] {
  const left: Run[] = []
  for (const [first, last] of runs) {
    let from = first
    for (const [start, end] of holes) {
      if (end < from || start > last) continue
      if (start > from) left.push([from, start - 1n])
      if (end + 1n > from) from = end + 1n
    }
    if (from <= last) left.push([from, last])
  }
  return left
}
