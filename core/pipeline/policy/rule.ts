// Rules as conjunctions (ovs-actions(7)): for each of what a rule asks about, its dimensions, one flow for each thing that is asked for,
// and one flow for what is to happen where every dimension has matched. Rules of one strength that ask for the same thing share its flow.
import type { CompiledRule } from '../../kinds/policy/policy-rule-set.ts'
import { becauseOfRule } from '../../node/rule-words.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { cookieOf } from '../cookie.ts'
import type { Action, Conjunction } from '../openflow/actions.ts'
import { conjId } from '../openflow/fields.ts'
import { flowKey, is, isMasked, parseFlowKey } from '../openflow/flow.ts'
import { flowItemAt, flowsOf, type SwitchItem } from '../items.ts'
import { inVni, to } from '../match.ts'
import { ruleId } from '../rule-owner.ts'
import { owners } from '../registers.ts'
import { tables } from '../tables.ts'
import { allowed, askedWithoutAudit, nextOf, passedOn, tierTables } from '../tiers.ts'
import type { PipelineSettings } from '../settings.ts'
import { isNew } from './base.ts'
import { clausesOfRule, inOrder, isAudit, priorityOf, textAround, unaudited } from './clauses.ts'
import { isLogging, toLog } from './log.ts'
import { askRate, isLimiting } from './rule-rates.ts'
import { markWith } from './traffic.ts'

/** Of 16 bytes each, in a message of 64 KiB. */
const clausesMax = 4_000

interface AskedAbout {
  readonly node: string
  readonly key: string
  readonly clauses: readonly Conjunction[]
}

/**
 * One flow, or where so many rules ask for it that its message would be too long several of one strength and one meaning: a switch takes
 * together what it finds in each of them.
 */
export function dimensionFlows(bridge: string, { node, key, clauses }: AskedAbout): readonly SwitchItem[] {
  const all = [...clauses].sort((a, b) => a.id - b.id || a.clause - b.clause)
  return Array.from({ length: Math.ceil(all.length / clausesMax) }, (_, part) => {
    const actions = all.slice(part * clausesMax, (part + 1) * clausesMax)
    const rule = `what ${actions.length === 1 ? 'a rule asks' : `${actions.length} rules ask`} about`
    const because = { rule, of: { kind: 'Node', name: node } } as const
    return flowItemAt(bridge, partKey(key, part), { cookie: cookieOf('rule'), actions }, because)
  })
}

/** There are 65,536 parts: more rules than a node has memory for. */
function partKey(key: string, part: number): string {
  if (part === 0) return key
  const { match, ...flow } = parseFlowKey(key)
  const { field, from } = owners.none
  return flowKey({ ...flow, match: inOrder([...match, isMasked(field, 0, part * 2 ** from)]) })
}

const tablesOfTiers: readonly string[] = Object.values(tierTables).map((table) => String(tables[table].number))
/** It goes no further, be it logged or not. */
const endsHere = / (drop|controller\([^()]*\))$/
/** What drops comes before, and goes after, all that rules ask about: that is one change, in which nothing is half there. */
export const isClosingFlow = (key: string, text: string): boolean => {
  // Asked of every flow of a node: few end so.
  if (!text.endsWith(' drop') && !text.endsWith(')')) return false
  const [kind, , table = ''] = key.split('/')
  return kind === 'flow' && tablesOfTiers.includes(table) && endsHere.test(text)
}

/** What is done with what a rule matches. */
export function ruleFlows(settings: Pick<PipelineSettings, 'bridge' | 'meters'>, set: RuleSet): readonly SwitchItem[] {
  const { vni, number, tier } = set
  const around = textAround(set)
  return set.rules.flatMap((rule) => {
    if (clausesOfRule(set, rule, around).length === 0) return []
    const id = ruleId(number, rule.index)
    const flow = flowsOf(settings.bridge, { feature: 'rule', owner: id, because: becauseOfRule(set, rule) })
    const [table, priority, match] = [tierTables[tier], priorityOf(set, rule), [inVni(vni), ...unaudited(set, rule), is(conjId, id)]]
    const actions = [...(isLimiting(set, rule, settings) ? askRate(id) : []), ...actionsOf(set, rule)]
    if (!isLogging(rule, settings)) return [flow(table, priority, match, actions)]
    // What is dropped is no connection: each packet of it is a new one.
    if (actions.length === 0) return [flow(table, priority, match, [toLog(vni)])]
    return [
      flow(table, priority, match, actions),
      // Nothing else that asks for this conjunction is between them: the priority need only be higher.
      flow(table, priority + 1, inOrder([...match, isNew]), [toLog(vni), ...actions]),
    ]
  })
}

function actionsOf(set: RuleSet, rule: CompiledRule): readonly Action[] {
  const { tier } = set
  const ends = rule.action === 'deny' || (rule.action === 'allow' && (rule.final === true || tier === 'admin' || tier === 'baseline'))
  if (isAudit(set, rule)) return askedWithoutAudit(tier, ends)
  if (rule.action === 'pass') return [to(nextOf(tier))]
  if (rule.action === 'deny') return []
  const mark = rule.dscp === undefined ? [] : [markWith(rule.dscp)]
  return [...mark, ...(ends ? allowed : passedOn(tier))]
}
