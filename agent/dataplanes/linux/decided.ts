// What rules have decided, as elements of nftables have counted it: each says by which rules it is. Pure.
import { ownerText } from '../../../core/kinds/policy/peer-decision.ts'
import { decidedKey, decidedText } from '../../../core/linux/judged.ts'
import type { ItemCount } from '../../../core/node/explained.ts'
import type { RuleDecision } from '../../../core/node/rule-decision.ts'
import { isDecision, type DecisionElement, type PolicyElement } from '../../../core/wire/nft/policies.ts'
import { directionOf, keyOf, ownersOf } from './policy-elements.ts'

interface Decided extends RuleDecision {
  readonly shown: string
  readonly bytes: number
}

/** One for each rule of each element. */
export function decidedBy(all: readonly PolicyElement[]): readonly Decided[] {
  const networks = new Map(all.flatMap((each) => (each.of === 'network' ? [[each.ifname, each.vni] as const] : [])))
  return all.flatMap((each) => (isDecision(each) ? byOwners(each, networks.get(each.ifname)) : []))
}

function byOwners(element: DecisionElement, vni: number | undefined): readonly Decided[] {
  const { packets, bytes } = element.count ?? { packets: 0, bytes: 0 }
  const direction = directionOf(element)
  if (vni === undefined) return []
  return ownersOf(element).map((by) => {
    const shown = decidedKey(element.ifname, { direction, by })
    return { key: `${keyOf(element)} ${ownerText(by)}`, shown, vni, by, direction, packets, bytes }
  })
}

/** By the keys of the items that are told of rules. */
export function countedOf(decided: readonly Decided[]): ReadonlyMap<string, ItemCount> {
  const sum = (some: readonly Decided[], of: 'packets' | 'bytes'): number => some.reduce((total, each) => total + each[of], 0)
  return new Map(
    [...Map.groupBy(decided, ({ shown }) => shown)].map(([key, all]) => [key, { packets: sum(all, 'packets'), bytes: sum(all, 'bytes') }]),
  )
}

export const seenOf = (decided: readonly Decided[]): ReadonlyMap<string, string> =>
  new Map([...Map.groupBy(decided, ({ shown }) => shown)].map(([key, all]) => [key, decidedText(all.length)]))
