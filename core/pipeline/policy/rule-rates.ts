// How much rules let pass: a meter for each rule that limits, and a flow by which who asks comes to it.
import { ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { stableNumbers } from '../../net/stable-numbers.ts'
import { flowsOf, meterItem, type SwitchItem } from '../items.ts'
import { inVni } from '../match.ts'
import { load, resubmit, type Action } from '../openflow/actions.ts'
import { is } from '../openflow/flow.ts'
import { owners } from '../registers.ts'
import { ruleId } from '../rule-owner.ts'
import type { PipelineSettings } from '../settings.ts'
import { tables } from '../tables.ts'
import { ruleMeter, ruleMeters } from './meter-numbers.ts'
import { burstOf, kilobits } from './traffic.ts'

/** A rule that limits what it allows. */
export interface LimitedRule {
  readonly vni: number
  /** As cookies have it (rule-owner.ts). */
  readonly id: number
  /** Bits a second. */
  readonly max: number
}

type Rule = RuleSet['rules'][number]

/** What is in audit limits nothing, nor what lets nothing pass; without meters nothing does. */
export const isLimiting = (set: RuleSet, rule: Rule, { meters = true }: Pick<PipelineSettings, 'meters'>): boolean =>
  meters && rule.max !== undefined && rule.action === 'allow' && set.audit !== true && rule.audit !== true

export const limitsOf = (set: RuleSet): readonly LimitedRule[] =>
  set.rules
    .filter((rule) => isLimiting(set, rule, {}))
    .map(({ index, max }) => ({ vni: set.vni, id: ruleId(set.number, index), max: max! }))

/** What is above the rate goes no further: what this flow does after it is of the same packet. */
export const askRate = (id: number): readonly Action[] => [load(owners.part, id), resubmit(tables.policyRate.number)]

const textOf = ({ vni, id }: LimitedRule): string => `${vni}/${id}`

export function ruleRates({ bridge, node, meters = true }: PipelineSettings, rules: readonly LimitedRule[]): readonly SwitchItem[] {
  if (!meters) return []
  const numbers = stableNumbers(rules.map(textOf), ruleMeters)
  return rules.flatMap((rule) => {
    const { vni, id, max } = rule
    const nth = numbers.get(textOf(rule))
    const name = ruleSetName({ vni, number: Math.floor(id / 256) })
    const because = { rule: `the rate of rule ${id % 256} of ${name}`, of: { kind: 'Node', name: node } } as const
    const flow = flowsOf(bridge, { feature: 'qos', because })
    const match = [inVni(vni), is(owners.part.field, id)]
    if (nth === undefined) return [flow('policyRate', 100, match, [])]
    const rate = kilobits(max)
    const meter = ruleMeter(nth)
    return [
      meterItem(bridge, { id: meter, unit: 'kbps', bands: [{ rate, burst: burstOf(rate) }] }, because),
      flow('policyRate', 100, match, [{ do: 'meter', meter }]),
    ]
  })
}
