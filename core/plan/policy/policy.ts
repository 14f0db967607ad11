// A policy that people write: compiled wherever it may judge somebody, and what its status tells of that.
import type { Condition } from '../../kinds/meta.ts'
import type { Resource } from '../../kinds/index.ts'
import type { KnownName } from '../../kinds/policy/unified-network-policy.ts'
import { endOf, firstAndMore, inPlace, refused, type Plan } from '../plan.ts'
import { roundsDueMs } from './chain-rounds.ts'
import { planRuleSets, type RuleSetAction, type RuleSetsDesired } from './rule-sets.ts'

export interface ReportedProblem {
  readonly path: string
  readonly message: string
  readonly isUnsupported?: true
}

/** Milliseconds since 1970. */
export interface PolicySchedule {
  readonly inForce: boolean
  readonly since: number
  readonly until: number
  /** What it was looked at by. */
  readonly now: number
}

export interface PolicyDesired {
  /** Undefined: it is gone, and only its rule sets may be left. */
  readonly policy: Resource | undefined
  readonly sets: RuleSetsDesired
  readonly problems: readonly ReportedProblem[]
  /** What it is looked at by: milliseconds since 1970. */
  readonly now: number
  /** How many Ports it judges. */
  readonly ports: number
  /** Of those that it selects: the policies that judge them in its place, by name. */
  readonly others: readonly string[]
  /** Of one with a schedule, by the clock of whoever looks. */
  readonly schedule?: PolicySchedule | undefined
  /** Of one that is about names outside: what is known of them now, and when that may be otherwise. */
  readonly names?: { readonly known: readonly KnownName[]; readonly inMs: number | undefined } | undefined
  /** Of a cluster-wide one: others of its priority that may be about the same pods, by kind and name, and which are asked before it. */
  readonly ties?: readonly { readonly name: string; readonly isBefore: boolean }[]
  /** What nodes do not do of it, by Port. */
  readonly unsupported: readonly string[]
}
type PolicyPlan = Plan<RuleSetAction>

export function planPolicy(desired: PolicyDesired): PolicyPlan {
  const { policy, sets, problems } = desired
  const steps = planRuleSets(sets)
  if (policy?.metadata.deletionTimestamp !== undefined) return { ...endOf(usersOf(sets), 'names'), steps }
  const wrong = problems.filter(({ isUnsupported }) => isUnsupported !== true).map(textOf)
  const [first, ...more] = wrong
  const plan = first === undefined ? inPlace('InPlace', countText(desired)) : refused('Refused', firstAndMore(first, more.length))
  return { ...plan, steps, conditions: [unsupportedOf(desired), outrankedOf(desired), ...tiedIn(desired)], ...timed(desired) }
}

const textOf = ({ path, message }: ReportedProblem): string => `${path} ${message}`
function countText({ ports, schedule }: PolicyDesired): string {
  if (schedule?.inForce === false) return `not in force before ${textOfTime(schedule.until)}, by its schedule`
  return `in force on ${ports === 1 ? '1 Port' : `${ports} Ports`}`
}
const textOfTime = (ms: number): string => new Date(ms).toISOString()

/** Written, so that all go by it; and looked at again when it changes. */
function timed({ policy, sets, schedule, names, now }: PolicyDesired): Pick<PolicyPlan, 'sections' | 'requeueAfterMs'> {
  if (policy?.kind !== 'UnifiedNetworkPolicy') return {}
  const windows = schedule && {
    inForce: schedule.inForce,
    since: textOfTime(schedule.since),
    until: textOfTime(schedule.until),
  }
  const chains = sets.compiled.map(({ content }) => content.chains)
  const due = [schedule && schedule.until - schedule.now, names?.inMs, roundsDueMs(chains, now)].filter((ms) => ms !== undefined)
  return {
    sections: { schedule: windows === undefined ? {} : { schedule: windows }, names: names === undefined ? {} : { names: names.known } },
    ...(due.length > 0 && { requeueAfterMs: Math.max(Math.min(...due), 1) }),
  }
}

const usersOf = ({ stored, namedBy }: RuleSetsDesired): readonly string[] =>
  stored.filter((set) => namedBy(set).size > 0).map(({ metadata }) => `a Port by PolicyRuleSet ${metadata.name}`)

type PolicyCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>
/** As many as a person reads. */
const toldMost = 8

function unsupportedOf({ problems, unsupported }: PolicyDesired): PolicyCondition {
  const parts = [...problems.filter(({ isUnsupported }) => isUnsupported === true).map(textOf), ...unsupported]
  if (parts.length === 0) return { type: 'Unsupported', status: 'False', reason: 'AllDone', message: 'all of it is done' }
  const more = parts.length > toldMost ? `, and ${parts.length - toldMost} more` : ''
  return { type: 'Unsupported', status: 'True', reason: 'NotDone', message: `${parts.slice(0, toldMost).join(', ')}${more}` }
}

function outrankedOf({ others: [first, ...more] }: PolicyDesired): PolicyCondition {
  return first === undefined
    ? { type: 'Outranked', status: 'False', reason: 'InForce', message: 'it judges all that it selects' }
    : {
        type: 'Outranked',
        status: 'True',
        reason: 'AnotherInForce',
        message: `${firstAndMore(first, more.length)} judges pods that it selects`,
      }
}

/** The API says nothing of which comes first: whoever relies on it had better give them priorities of their own. */
function tiedIn({ ties = [] }: PolicyDesired): readonly PolicyCondition[] {
  const [first, ...more] = ties.filter(({ isBefore }) => isBefore)
  const [next, ...others] = ties.filter(({ isBefore }) => !isBefore)
  if (first === undefined && next === undefined) return []
  const places = [
    ...(first === undefined ? [] : [`${firstAndMore(first.name, more.length)} is asked before it`]),
    ...(next === undefined ? [] : [`${firstAndMore(next.name, others.length)} is asked after it`]),
  ]
  const message = `of the same priority, and about pods that it may be about: ${places.join(', ')}, by name`
  return [{ type: 'PriorityShared', status: 'True', reason: 'PriorityShared', message }]
}
