// The policies that judge whoever has an identity, or name it: those in force, and those whose rules somebody has still to let go of.
import type { SpecOf } from '../../core/kinds/index.ts'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import type { Env } from '../controller-env.ts'
import { policyKey } from '../policy/policy-kinds.ts'
import { hasAmongPeers } from '../policy/vni-policies.ts'

export function policiesAbout({ vni, facts }: SpecOf<'PolicyIdentity'>, { caches, policies }: Env): readonly CommonPolicy[] {
  const { namespace, securityGroups: groups = [] } = facts
  const directory = policies.directory(vni)
  const inForce = policies.inForce(vni, { namespace, groups })
  // One that has a set there is in force, though no watch has told of whom it judges, or a Port has still to let go of it.
  const stored = [...caches.PolicyRuleSet.by('vni', String(vni))].flatMap(
    ({ spec }) => policies.policyOf(policyKey(spec.policy))?.policy ?? [],
  )
  const others = stored.filter((policy) => !inForce.has(policy) && hasAmongPeers(policy, facts, directory))
  return [...new Set([...inForce.matching(facts, directory), ...others])]
}
