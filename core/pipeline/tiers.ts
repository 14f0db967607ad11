// Which table each tier of policies has, and where what passes it goes on: the order is that of core/kinds/policy/tiers.ts.
import { tierNames, tiers, type Tier } from '../kinds/policy/tiers.ts'
import { load, resubmit, type Action, type Bits } from './openflow/actions.ts'
import { to } from './match.ts'
import { owners } from './registers.ts'
import { tables, type Table } from './tables.ts'

export const tierTables = {
  admin: 'policyAdmin',
  unified: 'policyUnified',
  networkPolicy: 'policyNetwork',
  securityGroup: 'policyGroups',
  baseline: 'policyBaseline',
} as const satisfies Readonly<Record<Tier, Table>>

export const nextOf = (tier: Tier): Table => {
  const next = tierNames[tierNames.indexOf(tier) + 1]
  return next === undefined ? 'policyVerdict' : tierTables[next]
}

/** The next tier is asked. A tier that isolates has had its say: the baseline is not asked any more. */
export const passedOn = (tier: Tier): readonly Action[] =>
  tiers[tier].isOrdered ? [to(nextOf(tier))] : [load(owners.decided, 1), to(nextOf(tier))]
export const allowed: readonly Action[] = [to('policyVerdict')]

/** Whether rules of the tier that are in audit have had their say. */
export const auditedIn = (tier: Tier): Bits => ({
  field: owners.audited.field,
  from: owners.audited.from + tierNames.indexOf(tier),
  count: 1,
})
const auditedAtAll = 2 ** owners.audited.count - 1

/**
 * A rule in audit has matched: the tier is asked once more without those. Where it would have ended the search, later tiers are asked
 * without them too, and where it would have been the say before the baseline, that is.
 */
export function askedWithoutAudit(tier: Tier, ends: boolean): readonly Action[] {
  const own = load(auditedIn(tier), 1)
  const marks = ends ? [load(owners.audited, auditedAtAll)] : tiers[tier].isOrdered ? [own] : [own, load(auditedIn('baseline'), 1)]
  return [...marks, resubmit(tables[tierTables[tier]].number)]
}

/** Nothing but what is in audit isolates: later tiers are asked without it. */
export const passedByAudit = (tier: Tier): readonly Action[] => [load(owners.audited, auditedAtAll), to(nextOf(tier))]
