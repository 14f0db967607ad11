// What a set lets nothing pass but by a rule of its tier: the weakest flow of whom it isolates, one for all sets that do.
import { becauseOfIsolation } from '../../node/rule-words.ts'
import type { RuleSet } from '../../node/wanted.ts'
import { cookieOf } from '../cookie.ts'
import { flowItemAt, type SwitchItem } from '../items.ts'
import { inVni, isBit } from '../match.ts'
import { flowKey, is } from '../openflow/flow.ts'
import { owners } from '../registers.ts'
import { isolationOwner } from '../rule-owner.ts'
import { tables } from '../tables.ts'
import { auditedIn, passedByAudit, tierTables } from '../tiers.ts'
import { inOrder } from './clauses.ts'

export interface Isolates {
  readonly set: Pick<RuleSet, 'namespace' | 'vni' | 'number' | 'tier' | 'policy'>
  /** It only counts. */
  readonly isAudit: boolean
}

/** Above what a tier does with what nobody has a say about. What is enforced is before what is in audit. */
const priorities = { enforced: 2, audit: 1 } as const

/** @returns key of the flow, of each whom the set isolates */
export function isolationsOf({ namespace, vni, number, tier, policy, subjects, isolates, audit }: RuleSet) {
  const share: Isolates = { set: { namespace, vni, number, tier, policy }, isAudit: audit === true }
  return subjects.flatMap((subject) =>
    isolates.map((direction) => {
      const ingress = direction === 'ingress' ? 2 ** owners.ingress.from : 0
      const match = inOrder([inVni(vni), ...(share.isAudit ? [isBit(auditedIn(tier), 0)] : []), is(owners.judged.field, subject + ingress)])
      const priority = share.isAudit ? priorities.audit : priorities.enforced
      return [flowKey({ table: tables[tierTables[tier]].number, priority, match }), share] as const
    }),
  )
}

export function isolationFlow(bridge: string, { key, by: { set, isAudit } }: { readonly key: string; readonly by: Isolates }): SwitchItem {
  const { number, tier } = set
  const because = becauseOfIsolation(set, isAudit)
  const actions = isAudit ? passedByAudit(tier) : []
  return flowItemAt(bridge, key, { cookie: cookieOf('rule', isolationOwner(number)), actions }, because)
}
