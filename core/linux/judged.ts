// Who is judged, with whom it may talk, and by which rules: what nftables lets pass between interfaces of a bridge, and counts.
import { ownerText, type PeerDecision, type PolicyRuleOwner } from '../kinds/policy/peer-decision.ts'
import { becauseOfIsolation, becauseOfRule } from '../node/rule-words.ts'
import type { Because } from '../node/because.ts'
import type { Item } from '../node/item.ts'
import type { LocalPort, RuleSet } from '../node/wanted.ts'
import { items } from './items.ts'
import type { LinuxItem } from './linux-items.ts'
import { markOf, ruledTraffic, treated } from './treatments.ts'

/** A Port that is judged, as much of it as matters. */
export type JudgedPort = Pick<LocalPort, 'ifcName' | 'of'>
export interface JudgedBy {
  readonly vni: number
  readonly decisions: readonly PeerDecision[]
}

export function judgementItems(ports: readonly JudgedPort[], { vni, decisions }: JudgedBy): readonly Item<LinuxItem>[] {
  const judged = treated(decisions)
  const ruled = ruledTraffic(vni, decisions).map(({ log, treatment, ...traffic }) => {
    const mark = markOf({ isAllowed: true, isRuled: true, log, treatment })
    return { kind: 'ruled', mark, ...traffic } as const
  })
  return ports.flatMap(({ ifcName: ifname, of }) => [
    ...items({ rule: 'whom policies let it talk to', of }, [{ kind: 'judged', ifname, vni, decisions: judged }]),
    ...items(
      { rule: 'what rules of policies limit and mark', of },
      ruled.map((each) => ({ ...each, ifname })),
    ),
  ])
}

type Decided = Pick<PeerDecision, 'direction'> & { readonly by: PolicyRuleOwner }
/** Of what a rule decides at an interface. */
export const decidedKey = (ifname: string, { direction, by }: Decided): string => `decided/${ifname}/${direction}/${ownerText(by)}`
/** @param elements of sets of nftables */
export const decidedText = (elements: number): string => `in ${elements} ${elements === 1 ? 'element' : 'elements'}`

/** What each rule does for a Port, for whoever wants to know: it is in the elements of its interface, and changes with them. */
export function decidedItems(ports: readonly JudgedPort[], sets: readonly RuleSet[], decisions: readonly PeerDecision[]): readonly Item[] {
  const decided = decisions.flatMap(({ direction, by }) => by.map((each) => ({ direction, by: each })))
  return ports.flatMap(({ ifcName }) =>
    [...Map.groupBy(decided, (each) => decidedKey(ifcName, each))].flatMap(([key, all]) => {
      const because = becauseOf(sets, all[0]!)
      return because === undefined ? [] : [{ key, text: decidedText(all.length), value: undefined, because }]
    }),
  )
}

function becauseOf(sets: readonly RuleSet[], { by }: Decided): Because | undefined {
  const set = sets.find(({ number }) => number === by.set)
  const rule = set?.rules.find(({ index }) => index === by.rule)
  if (set === undefined) return undefined
  return rule === undefined ? becauseOfIsolation(set, set.audit === true) : becauseOfRule(set, rule)
}
