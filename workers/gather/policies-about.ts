// The policies that judge whoever has an identity, or name it: those in force, and those whose rules somebody has still to let go of.
import type { SpecOf } from '../../core/kinds/index.ts'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import type { Env } from '../controller-env.ts'
import type { PolicyKind } from '../../core/policy/read.ts'
import { policyKey } from '../policy/policy-kinds.ts'
import { hasAmongPeers, type InForce } from '../policy/vni-policies.ts'

/**
 * @param inForce those of its VNI
 * @param kind    absent: of any
 */
export function policiesAbout(
  { vni, facts }: SpecOf<'PolicyIdentity'>,
  inForce: InForce,
  { caches, policies }: Pick<Env, 'caches' | 'policies'>,
  kind?: PolicyKind,
): readonly CommonPolicy[] {
  const directory = policies.directory(vni)
  // One that has a set there is in force, though no watch has told of whom it judges, or a Port has still to let go of it.
  const stored = [...caches.PolicyRuleSet.by('vni', String(vni))].flatMap(({ spec: { policy } }) =>
    kind === undefined || policy.kind === kind ? (policies.policyOf(policyKey(policy))?.policy ?? []) : [],
  )
  const others = stored.filter((policy) => !inForce.has(policy) && hasAmongPeers(policy, facts, directory))
  return [...new Set([...inForce.matching(facts, directory), ...others])]
}
