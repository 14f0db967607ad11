// Which table each tier of policies has, and where what passes it goes on: the order is that of core/kinds/policy/tiers.ts.
import { tierNames, tiers, type Tier } from '../kinds/policy/tiers.ts'
import { load, type Action } from './openflow/actions.ts'
import { to } from './match.ts'
import { owners } from './registers.ts'
import type { Table } from './tables.ts'

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
