// A SecurityGroup at a cloud: it stands there as long as a Port there needs it, with its rules and no other.
import type { CloudGroup, CloudSeen } from '../../contracts/cloud.ts'
import type { Draft } from '../../contracts/store.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import { readyCondition } from '../../kinds/meta.ts'
import { inPlace, waitingFor, type Plan, type Step } from '../plan.ts'
import { sameRules, type GroupRules } from './group-rules.ts'
import { auditMs, placeOf, planLife, planLifeEnd, type LifeDesired, type LifeAction } from './life.ts'

export interface CloudGroupDesired extends Omit<LifeDesired<'group'>, 'item' | 'wanted' | 'differs' | 'sectionsOf'> {
  readonly item: Resource<'CloudSecurityGroup'>
  readonly rules: GroupRules
  /** A Port there has it, or rules of a group that one has name it. */
  readonly isNeeded: boolean
  /** Of SecurityGroups that its rules name: what is to be made, so that they stand there too. */
  readonly drafts: readonly Draft<'CloudSecurityGroup'>[]
}
/** What is done in the store. */
export type GroupObjectAction =
  | { readonly do: 'makeGroup'; readonly draft: Draft<'CloudSecurityGroup'> }
  | { readonly do: 'endGroup'; readonly item: Resource<'CloudSecurityGroup'> }
export type CloudGroupAction = LifeAction<'group'> | GroupObjectAction
type GroupPlan = Plan<CloudGroupAction>

export const makeGroupSteps = (drafts: CloudGroupDesired['drafts'], of: Resource): readonly Step<GroupObjectAction>[] =>
  drafts.map((draft) => ({
    action: { do: 'makeGroup', draft },
    because: { rule: 'a SecurityGroup that is needed at a cloud', of: refOf(of) },
  }))

export function planCloudGroup(desired: CloudGroupDesired, seen: CloudSeen<'group'>, now: number): GroupPlan {
  const { item, isNeeded } = desired
  const isGoing = item.metadata.deletionTimestamp !== undefined
  // Whoever needs it goes on having it, with the rules that it has by then.
  if (isNeeded) return { ...planNeeded(desired, seen, now), ...(isGoing && { phase: 'terminating' as const }) }
  if (isGoing) return planLifeEnd(desired, seen, now)
  return planUnused(item)
}

/** It is unused first: a report does not stand beside the end of its object in one commit. */
function planUnused(item: CloudGroupDesired['item']): GroupPlan {
  const unused = waitingFor('Unused', 'no Port needs it')
  if (readyCondition(item.status?.conditions)?.reason !== unused.reason) return { ...unused, requeueAfterMs: 1 }
  const because = { rule: 'no Port at its cloud needs it', of: refOf(item) }
  return { ...unused, steps: [{ action: { do: 'endGroup', item }, because }] }
}

function planNeeded(desired: CloudGroupDesired, seen: CloudSeen<'group'>, now: number): GroupPlan {
  const { item, rules, cloud, drafts } = desired
  const differs = ({ rules: there, strange = 0 }: CloudGroup): boolean => strange > 0 || !sameRules(there, rules.rules)
  const isUsable = (there: CloudGroup): boolean => item.status?.usable === true || !differs(there)
  const sectionsOf = (there: CloudGroup) => ({ provider: { ...placeOf(desired, there), ...(isUsable(there) && { usable: true }) } })
  const life = planLife<'group'>({ ...desired, wanted: { rules: rules.rules }, differs, sectionsOf }, seen, now)
  const plan = life.is === 'not yet' ? life.plan : planMade(desired, life.there)
  return {
    ...plan,
    ...(life.is === 'made' && { sections: sectionsOf(life.there) }),
    steps: [...makeGroupSteps(drafts, item), ...plan.steps],
    conditions: [...(plan.conditions ?? []), unsupportedOf(rules, cloud)],
  }
}

function planMade({ rules: { rules, awaited }, cloud }: CloudGroupDesired, { name }: CloudGroup): GroupPlan {
  const count = rules.length === 1 ? '1 rule' : `${rules.length} rules`
  if (awaited.length > 0)
    return waitingFor('RemoteGroupNotReady', `${awaited.join(', ')}, which its rules name, is not at cloud ${cloud} yet`, auditMs)
  return { ...inPlace('InPlace', `${count} in ${name} of cloud ${cloud}`), requeueAfterMs: auditMs }
}

function unsupportedOf({ unable: [first, ...more] }: GroupRules, cloud: string): NonNullable<GroupPlan['conditions']>[number] {
  if (first === undefined) return { type: 'Unsupported', status: 'False', reason: 'AllDone', message: 'all of it is done' }
  const rest = more.length === 0 ? '' : `, and ${more.length} more`
  return { type: 'Unsupported', status: 'True', reason: 'NotDone', message: `cloud ${cloud} does not do ${first}${rest}` }
}
