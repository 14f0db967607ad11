// Ports that a policy selects and does not judge: what their cloud carries passes no table of ours. The UnifiedNetworkPolicy that is in
// force on one closes it at its cloud, unless it says otherwise.
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import { inForceOn } from '../../core/policy/choose-unified.ts'
import { isSelected } from '../../core/policy/member.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Env } from '../controller-env.ts'
import { memberIn } from './member-in.ts'

/** Ports that are looked at: of more a policy's status does not tell. */
const lookedAtMost = 1_000

/** A sentence for each, in order. */
export function unjudgedAtClouds(policy: CommonPolicy, env: Env): readonly string[] {
  const found: string[] = []
  let left = lookedAtMost
  for (const { metadata } of env.caches.Cloud.values())
    for (const port of env.caches.Port.by('cloud', metadata.name)) {
      if (left-- <= 0) return found.sort()
      const { name, namespace: its } = port.metadata
      if (!isSelected(policy, memberIn(port, env))) continue
      const means = closingAtCloud(port, env)?.of.uid === policy.of.uid ? ': the Port is closed' : ''
      found.push(`on Port ${its}/${name}: cloud ${metadata.name} carries what it sends and is sent, by its own rules${means}`)
    }
  return found.sort()
}

/** Who closes a Port that its cloud carries. What is made ahead is nobody's yet, and in audit nothing is closed. */
export function closingAtCloud(port: Resource<'Port'>, env: Env): CommonPolicy | undefined {
  if (env.config.policyEnforcement === 'audit' || port.spec.warm !== undefined) return undefined
  const candidates = [...env.policies.within(port.metadata.namespace)].flatMap((key) => env.policies.policyOf(key)?.policy ?? [])
  const policy = inForceOn(memberIn(port, env), candidates)
  return policy?.audit === true || policy?.onUnsupported === 'allow' ? undefined : policy
}
