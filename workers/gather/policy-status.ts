// What a policy's status tells of those that it is for.
import type { Resource } from '../../core/kinds/index.ts'
import type { PolicyDesired } from '../../core/plan/policy/policy.ts'
import { policiesMost, tooManyText } from '../../core/plan/policy/port-policy.ts'
import type { RuleSet } from '../../core/plan/policy/rule-sets.ts'
import type { Env } from '../controller-env.ts'
import type { PolicyKey } from '../policy/policy-kinds.ts'

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
  return {
    ports: ports.length + inVlans.length,
    others: othersThan(key, env),
    ties: tiesOf(key, env),
    unsupported: [...tooManyOn(stored, env), ...unsupportedOn(ports.slice(0, lookedAtMost), name)],
  }
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

/** Whom more policies judge than are done, this one among them: it is not told which of them are too many, as nothing passes there. */
function tooManyOn(stored: readonly RuleSet[], { policies, config }: Env): readonly string[] {
  if (config.policyEnforcement === 'audit') return []
  const counts = stored.flatMap(({ spec: { vni, subjects } }) => {
    const [directory, inForce] = [policies.directory(vni), policies.inForce(vni)]
    const all = subjects.slice(0, lookedAtMost).flatMap((number) => directory.factsOf(number) ?? [])
    return all.map((facts) => inForce.on(facts, directory).length)
  })
  const most = Math.max(0, ...counts)
  return most > policiesMost ? [`nothing passes at whom it judges, where ${tooManyText(most)}`] : []
}

/** What a node says of a Port that it does not do names the policy. */
function unsupportedOn(ports: readonly Resource<'Port'>[], name: string): readonly string[] {
  const messages = ports.flatMap(({ metadata, status }) =>
    (status?.node?.conditions ?? [])
      .filter(({ type, status: is, message }) => type === 'Unsupported' && is === 'True' && message.includes(name))
      .map(({ message }) => `on Port ${metadata.namespace}/${metadata.name}: ${message}`),
  )
  return messages.sort()
}
