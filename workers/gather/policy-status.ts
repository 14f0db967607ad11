// What a policy's status tells of those that it is for.
import type { Resource } from '../../core/kinds/index.ts'
import type { PolicyDesired } from '../../core/plan/policy/policy.ts'
import { unsupportedType } from '../../core/plan/node/unsupported.ts'
import type { RuleSet } from '../../core/plan/policy/rule-sets.ts'
import type { Env } from '../controller-env.ts'
import type { PolicyKey } from '../policy/policy-kinds.ts'
import { unjudgedAtClouds } from '../policy/ports-of-clouds.ts'

/** Ports that are looked at for what their nodes do not do. */
const lookedAtMost = 1_000

export function boundBy(
  key: PolicyKey,
  { stored }: { readonly stored: readonly RuleSet[] },
  env: Env,
): Pick<PolicyDesired, 'ports' | 'others' | 'unsupported' | 'ties'> {
  const ports = stored.flatMap(({ spec }) =>
    spec.subjects.flatMap((number) => [...env.caches.Port.by('identity', `${spec.vni}-${number}`)]),
  )
  const inVlans = stored.flatMap(({ spec }) =>
    spec.subjects.flatMap((number) =>
      [...env.caches.L2ServiceAttachment.by('identity', `${spec.vni}-${number}`)].flatMap(({ status }) =>
        (status?.policy?.judged ?? []).filter(({ identity }) => identity === number).flatMap(({ pods }) => pods),
      ),
    ),
  )
  const name = key.slice(key.lastIndexOf('/') + 1)
  const lookedAt = ports.slice(0, lookedAtMost)
  return {
    ports: ports.length + inVlans.length,
    others: othersThan(key, env),
    ties: tiesOf(key, env),
    unsupported: [...tooManyOn(lookedAt), ...unsupportedOn(lookedAt, name), ...atClouds(key, env)],
  }
}

function atClouds(key: PolicyKey, env: Env): readonly string[] {
  const { policy } = env.policies.policyOf(key) ?? {}
  return policy === undefined ? [] : unjudgedAtClouds(policy, env)
}

/** Of a cluster-wide one, wherever both are in force. */
function tiesOf(key: PolicyKey, { policies }: Env): NonNullable<PolicyDesired['ties']> {
  const { policy } = policies.policyOf(key) ?? {}
  if (policy === undefined || (policy.tier !== 'admin' && policy.tier !== 'baseline')) return []
  const all = [...policies.reachedBy(key)].flatMap(({ vni }) => policies.inForce(vni).ties.of(policy))
  return [...new Map(all.map(({ policy: { of }, isBefore }) => [`${of.kind} ${of.name}`, isBefore]))].map(([name, isBefore]) => ({
    name,
    isBefore,
  }))
}

/** Of a UnifiedNetworkPolicy, which of its namespace are in force on whom it selects. */
function othersThan(key: PolicyKey, { policies }: Env): readonly string[] {
  const { policy } = policies.policyOf(key) ?? {}
  if (policy?.tier !== 'unified') return []
  const others = new Set<string>()
  for (const { vni } of policies.reachedBy(key)) {
    const [directory, { unified }] = [policies.directory(vni), policies.inForce(vni)]
    for (const number of directory.select(policy.subjects)) {
      const other = unified.inForceOn(directory.factsOf(number)!, directory)
      if (other !== undefined && other.of.uid !== policy.of.uid) others.add(`UnifiedNetworkPolicy ${other.of.name}`)
    }
  }
  return [...others].sort()
}

/** One that more policies judge than are done, this one among them: which of them are too many is not told, as nothing passes there. */
function tooManyOn(ports: readonly Resource<'Port'>[]): readonly string[] {
  for (const { metadata, status } of ports) {
    const found = status?.conditions?.find(({ type, status: is }) => type === unsupportedType && is === 'True')
    if (found !== undefined) return [`nothing passes at Port ${metadata.namespace}/${metadata.name}: ${found.message}`]
  }
  return []
}

/** What a node says of a Port that it does not do names the policy. */
function unsupportedOn(ports: readonly Resource<'Port'>[], name: string): readonly string[] {
  const messages = ports.flatMap(({ metadata, status }) =>
    (status?.node?.conditions ?? [])
      .filter(({ type, status: is, message }) => type === unsupportedType && is === 'True' && message.includes(name))
      .map(({ message }) => `on Port ${metadata.namespace}/${metadata.name}: ${message}`),
  )
  return messages.sort()
}
