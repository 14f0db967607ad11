// A SecurityGroup holds nothing of its own but its rules as nodes have them: it is in force wherever a Port names it, and stays as long as
// one does.
import type { Resource } from '../../kinds/index.ts'
import { endOf, inPlace, type Plan } from '../plan.ts'
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
}

export function planSecurityGroup({ group, users, sets, ports }: GroupDesired): Plan<RuleSetAction> {
  const steps = planRuleSets(sets)
  if (group === undefined) return { ...inPlace('InPlace', 'it is gone'), steps }
  const { metadata, spec } = group
  if (metadata.deletionTimestamp !== undefined) return { ...endOf(users.length > 0 ? users : judged(sets), 'names'), steps }
  const rules = spec.rules?.length ?? 0
  const count = rules === 1 ? '1 rule' : `${rules} rules`
  return { ...inPlace('InPlace', ports === 0 ? count : `${count}, in force on ${ports === 1 ? '1 Port' : `${ports} Ports`}`), steps }
}

/** Ports that name a rule set of it still, though it is in force on none of them. */
const judged = ({ stored, namedBy }: RuleSetsDesired): readonly string[] =>
  stored.filter((set) => namedBy(set).size > 0).map(({ metadata }) => `a Port by PolicyRuleSet ${metadata.name}`)

/** The groups of its namespace that its rules name, each once. */
export const groupsInRules = ({ spec }: Group): readonly string[] => [
  ...new Set((spec.rules ?? []).flatMap(({ remoteGroup }) => remoteGroup ?? [])),
]
