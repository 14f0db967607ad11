// A policy that people write: compiled wherever it may judge somebody, and what its status tells of that.
import type { Condition } from '../../kinds/meta.ts'
import type { Resource } from '../../kinds/index.ts'
import { endOf, firstAndMore, inPlace, refused, type Plan } from '../plan.ts'
import { planRuleSets, type RuleSetAction, type RuleSetsDesired } from './rule-sets.ts'

export interface ReportedProblem {
  readonly path: string
  readonly message: string
  readonly isUnsupported?: true
}

export interface PolicyDesired {
  /** Undefined: it is gone, and only its rule sets may be left. */
  readonly policy: Resource | undefined
  readonly sets: RuleSetsDesired
  readonly problems: readonly ReportedProblem[]
  /** How many Ports it judges. */
  readonly ports: number
  /** Of those that it selects: the policies that judge them in its place, by name. */
  readonly others: readonly string[]
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
  return { ...plan, steps, conditions: [unsupportedOf(desired), outrankedOf(desired)] }
}

const textOf = ({ path, message }: ReportedProblem): string => `${path} ${message}`
const countText = ({ ports }: PolicyDesired): string => `in force on ${ports === 1 ? '1 Port' : `${ports} Ports`}`

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
