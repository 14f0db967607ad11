// A SecurityGroup holds nothing of its own but its rules as nodes have them: it is in force wherever a Port names it, and stays as long as
// one does.
import type { Resource } from '../../kinds/index.ts'
import { readyCondition } from '../../kinds/meta.ts'
import { endOf, firstAndMore, inPlace, type Plan } from '../plan.ts'
import { planRuleSets, type RuleSetAction, type RuleSetsDesired } from '../policy/rule-sets.ts'

type Group = Resource<'SecurityGroup'>

export interface GroupDesired {
  /** Undefined: it is gone, and a worker that had not heard of that may have left rule sets of it. */
  readonly group: Group | undefined
  /** By kind and name, where it is being deleted. */
  readonly users: readonly string[]
  readonly sets: RuleSetsDesired
  /** How many Ports it judges. */
  readonly ports: number
  /** What clouds have of it. */
  readonly atClouds: readonly Resource<'CloudSecurityGroup'>[]
}

export function planSecurityGroup({ group, users, sets, ports, atClouds }: GroupDesired): Plan<RuleSetAction> {
  const steps = planRuleSets(sets)
  if (group === undefined) return { ...inPlace('InPlace', 'it is gone'), steps }
  const { metadata, spec } = group
  if (metadata.deletionTimestamp !== undefined) return { ...endOf(users.length > 0 ? users : judged(sets), 'names'), steps }
  const rules = spec.rules?.length ?? 0
  const count = rules === 1 ? '1 rule' : `${rules} rules`
  const plan = inPlace('InPlace', ports === 0 ? count : `${count}, in force on ${ports === 1 ? '1 Port' : `${ports} Ports`}`)
  return { ...plan, steps, ...(atClouds.length > 0 && { conditions: [inPlaceAt(atClouds), doneAt(atClouds)] }) }
}

type GroupCondition = NonNullable<Plan<never>['conditions']>[number]

/** Whether Ports of clouds are judged by it as it is now. */
function inPlaceAt(all: GroupDesired['atClouds']): GroupCondition {
  const [first, ...more] = all.filter(({ status }) => status?.phase !== 'ready')
  if (first === undefined)
    return {
      type: 'AtClouds',
      status: 'True',
      reason: 'InPlace',
      message: all
        .map(({ spec }) => spec.cloud)
        .sort()
        .join(', '),
    }
  const { reason = 'Pending', message = 'it is not looked at yet' } = readyCondition(first.status?.conditions) ?? {}
  return { type: 'AtClouds', status: 'False', reason, message: firstAndMore(`at cloud ${first.spec.cloud}: ${message}`, more.length) }
}

function doneAt(all: GroupDesired['atClouds']): GroupCondition {
  const undone = all.flatMap(
    ({ status }) => status?.conditions?.filter((each) => each.type === 'Unsupported' && each.status === 'True') ?? [],
  )
  const [first, ...more] = undone.map(({ message }) => message)
  if (first === undefined) return { type: 'Unsupported', status: 'False', reason: 'AllDone', message: 'all of it is done' }
  return { type: 'Unsupported', status: 'True', reason: 'NotDone', message: firstAndMore(first, more.length) }
}

/** Ports that name a rule set of it still, though it is in force on none of them. */
const judged = ({ stored, namedBy }: RuleSetsDesired): readonly string[] =>
  stored.filter((set) => namedBy(set).size > 0).map(({ metadata }) => `a Port by PolicyRuleSet ${metadata.name}`)

/** The groups of its namespace that its rules name, each once. */
export const groupsInRules = ({ spec }: Group): readonly string[] => [
  ...new Set((spec.rules ?? []).flatMap(({ remoteGroup }) => remoteGroup ?? [])),
]
