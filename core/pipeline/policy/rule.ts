// Rules as conjunctions (ovs-actions(7)): for each of what a rule asks about, its dimensions, one flow for each thing that is asked for,
// and one flow for what is to happen where every dimension has matched. Rules of one strength that ask for the same thing share its flow.
import type { CompiledRule } from '../../kinds/policy/policy-rule-set.ts'
import { becauseOfRule } from '../../node/rule-words.ts'
import { tiers } from '../../kinds/policy/tiers.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { cookieOf } from '../cookie.ts'
import { conjunction, type Action } from '../openflow/actions.ts'
import { conjId } from '../openflow/fields.ts'
import { flowKey, is, isMasked, type Term } from '../openflow/flow.ts'
import { flowItemAt, flowsOf, type SwitchItem } from '../items.ts'
import { inVni, isBit, to } from '../match.ts'
import { ruleId } from '../rule-owner.ts'
import { tables } from '../tables.ts'
import { allowed, askedWithoutAudit, auditedIn, nextOf, passedOn, tierTables } from '../tiers.ts'
import type { PipelineSettings } from '../settings.ts'
import { isNew } from './base.ts'
import { dimensionsOf, type Match } from './dimensions.ts'
import { isLogging, toLog } from './log.ts'
import { askRate, isLimiting } from './rule-rates.ts'
import { markWith } from './traffic.ts'

/** Which dimension of which rule a flow is, counted from 1. */
export interface Clause {
  readonly id: number
  readonly clause: number
  readonly of: number
}

/** Of one strength: where the order is no matter. Above what isolates, which is 1 or 2. */
const unorderedPriority = 100
const levels = 64
const prioritiesMax = 1000
const priorityOf = ({ tier, priority }: RuleSet, { level }: CompiledRule): number =>
  tiers[tier].isOrdered ? levels * (prioritiesMax - priority) + levels - level + 2 : unorderedPriority

type KeyedClauses = readonly (readonly [key: string, clause: Clause])[]

/** Of a set that changes it is asked what it was, too: that was worked out when it came. */
const clausesKept = new WeakMap<RuleSet, KeyedClauses>()

/** @returns key of a flow, and what it is to this rule; nothing of a rule that nothing can match */
export function clausesOf(set: RuleSet): KeyedClauses {
  const known = clausesKept.get(set)
  if (known !== undefined) return known
  const clauses = readClauses(set)
  clausesKept.set(set, clauses)
  return clauses
}

function readClauses(set: RuleSet): KeyedClauses {
  return set.rules.flatMap((rule) => {
    const id = ruleId(set.number, rule.index)
    const dimensions = dimensionsOf(set, rule)
    return dimensions.flatMap((matches, i) =>
      [...new Set(matches.map((match) => keyOf(set, rule, match)))].map(
        (key) => [key, { id, clause: i + 1, of: dimensions.length }] as const,
      ),
    )
  })
}

/** A switch takes each field once: bits of one register that are asked about for different reasons are one term. */
const inOrder = (match: Match): Match =>
  [...Map.groupBy(match, ({ field }) => field).values()].map(joined).sort((a, b) => a.field.order - b.field.order)

const joined = ([first, ...others]: Match): Term => others.reduce(both, first!)
const both = (a: Term, b: Term): Term => isMasked(a.field, Number(a.value) + Number(b.value), Number(a.mask) + Number(b.mask))

const keyOf = (set: RuleSet, rule: CompiledRule, match: Match): string =>
  flowKey({
    table: tables[tierTables[set.tier]].number,
    priority: priorityOf(set, rule),
    cookie: cookieOf('rule'),
    match: inOrder([inVni(set.vni), ...unaudited(set, rule), ...match]),
    actions: [],
  })

/**
 * Of 16 bytes each, in a message of 64 KiB. Only what allows is shared by so many, as rules of an ordered tier differ in strength: what is
 * more allows nothing.
 */
const clausesMax = 4_000

export function dimensionFlow(
  bridge: string,
  { node, key, clauses }: { readonly node: string; readonly key: string; readonly clauses: readonly Clause[] },
): SwitchItem {
  const all = [...clauses].sort((a, b) => a.id - b.id || a.clause - b.clause).slice(0, clausesMax)
  const rule = `what ${all.length === 1 ? 'a rule asks' : `${all.length} rules ask`} about`
  const because = { rule, of: { kind: 'Node', name: node } } as const
  const actions = all.map(({ id, clause, of }) => conjunction(id, clause, of))
  return flowItemAt(bridge, key, { cookie: cookieOf('rule'), actions }, because)
}

const tablesOfTiers: readonly string[] = Object.values(tierTables).map((table) => String(tables[table].number))
/** It goes no further, be it logged or not. */
const endsHere = / (drop|controller\([^()]*\))$/
/** What drops comes before, and goes after, all that rules ask about: that is one change, in which nothing is half there. */
export const isClosingFlow = (key: string, text: string): boolean => {
  const [kind, , table = ''] = key.split('/')
  return kind === 'flow' && tablesOfTiers.includes(table) && endsHere.test(text)
}

/** What is done with what a rule matches. */
export function ruleFlows(settings: Pick<PipelineSettings, 'bridge' | 'meters'>, set: RuleSet): readonly SwitchItem[] {
  const { vni, number, tier } = set
  return set.rules.flatMap((rule) => {
    if (dimensionsOf(set, rule).length === 0) return []
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

/** KeyedClauses once: what is tried out stands in the way of nothing that is enforced. */
const unaudited = (set: RuleSet, rule: CompiledRule): readonly Term[] => (isAudit(set, rule) ? [isBit(auditedIn(set.tier), 0)] : [])
const isAudit = (set: RuleSet, rule: CompiledRule): boolean => set.audit === true || rule.audit === true

function actionsOf(set: RuleSet, rule: CompiledRule): readonly Action[] {
  const { tier } = set
  const ends = rule.action === 'deny' || (rule.action === 'allow' && (rule.final === true || tier === 'admin' || tier === 'baseline'))
  if (isAudit(set, rule)) return askedWithoutAudit(tier, ends)
  if (rule.action === 'pass') return [to(nextOf(tier))]
  if (rule.action === 'deny') return []
  const mark = rule.dscp === undefined ? [] : [markWith(rule.dscp)]
  return [...mark, ...(ends ? allowed : passedOn(tier))]
}
