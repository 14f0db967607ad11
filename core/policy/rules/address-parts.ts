// All addresses in parts, within each of which every address is in the same blocks; and of each part the rule sets as they are for it. A
// policy may have thousands of blocks: what is asked of a part goes through none of them.
import type { CompiledRule, RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { parseCidr } from '../../net/cidr.ts'
import { bitsOf } from '../../net/ip.ts'
import type { AddressRange } from '../../net/ranges.ts'

export interface AddressPart {
  readonly range: AddressRange
  /** Their rules name all addresses of its family, or none. Parts in the same blocks have the same object. */
  readonly sets: readonly RuleSetSpec[]
}

export function addressPartsOf(sets: readonly RuleSetSpec[], family: 4 | 6): readonly AddressPart[] {
  const ranges = rangesOf(sets, family)
  const places = new Map(ranges.map(({ first }, i) => [first, i]))
  const naming = sets.flatMap(({ rules }) => rules.filter(({ peers }) => (peers?.blocks.length ?? 0) > 0))
  const inside = naming.map((rule) => insideOf(rule, family, places))
  const known = new Map<string, readonly RuleSetSpec[]>()
  return ranges.map((range, i) => {
    const key = inside.map((each) => (each[i]! > 0 ? '1' : '0')).join('')
    const made = known.get(key) ?? setsAt(sets, new Map(naming.map((rule, n) => [rule, inside[n]![i]! > 0])), family)
    known.set(key, made)
    return { range, sets: made }
  })
}

/** Cut wherever a block begins or ends. */
function rangesOf(sets: readonly RuleSetSpec[], family: 4 | 6): readonly AddressRange[] {
  const blocks = new Set(sets.flatMap(({ rules }) => rules.flatMap(({ peers }) => peers?.blocks ?? [])))
  const end = 1n << BigInt(bitsOf(family))
  const cuts = new Set([0n, end])
  for (const block of blocks) {
    const cidr = parseCidr(block)
    if (cidr?.family === family) cuts.add(cidr.first).add(cidr.last + 1n)
  }
  const inOrder = [...cuts].sort((a, b) => (a < b ? -1 : 1))
  return inOrder.slice(1).map((next, i) => ({ family, first: inOrder[i]!, last: next - 1n }))
}

/** In how many of a rule's blocks each part is. */
function insideOf({ peers }: CompiledRule, family: 4 | 6, places: ReadonlyMap<bigint, number>): Int32Array {
  const counts = new Int32Array(places.size + 1)
  for (const block of peers?.blocks ?? []) {
    const cidr = parseCidr(block)
    if (cidr?.family !== family) continue
    counts[places.get(cidr.first)!]! += 1
    counts[places.get(cidr.last + 1n) ?? places.size]! -= 1
  }
  for (let i = 1; i < counts.length; i++) counts[i]! += counts[i - 1]!
  return counts
}

const everything = { 4: ['0.0.0.0/0'], 6: ['::/0'] } as const

const setsAt = (sets: readonly RuleSetSpec[], isInside: ReadonlyMap<CompiledRule, boolean>, family: 4 | 6): readonly RuleSetSpec[] =>
  sets.map((set) => ({
    ...set,
    rules: set.rules.map((rule) => {
      const is = isInside.get(rule)
      return is === undefined ? rule : { ...rule, peers: { ...rule.peers!, blocks: is ? [...everything[family]] : [] } }
    }),
  }))
