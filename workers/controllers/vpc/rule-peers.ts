// Whom the rules of a policy name: what policies look at of a Port is what its identity tells, so theirs is another one from then on.
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import type { CommonPolicy, Selection } from '../../../core/policy/one-form.ts'
import { readPolicy, type PolicyKind } from '../../../core/policy/read.ts'
import type { Env } from '../../controller-env.ts'
import { policyKey } from '../../policy/policy-kinds.ts'
import { asItWas, named } from '../../watch/map-to-keys.ts'
import { appears, either, goes, specChanges } from '../../watch/predicates.ts'
import { opensOrCloses } from '../policy/written-of-policies.ts'
import type { Delay, Watch, WatchFor } from '../../watch/watch.ts'

/** Where a policy is in force. */
type Vnis = () => Iterable<number>

/** Those of its own namespace are woken for all that it says. */
function* selected({ namespace, group, port }: Selection, of: CommonPolicy['of'], vnis: Vnis, { caches }: Env): Iterable<string> {
  if (port !== undefined) yield port
  else if (group !== undefined) for (const each of caches.Port.by('group', group)) yield keyOfItem(each)
  else if (namespace === undefined) for (const vni of vnis()) for (const each of caches.Port.by('vni', String(vni))) yield keyOfItem(each)
  else if (namespace !== of.namespace) for (const each of caches.Port.by('namespace', namespace)) yield keyOfItem(each)
}

function peersOf(policy: CommonPolicy | undefined, vnis: Vnis, env: Env): readonly string[] {
  const selections = (policy?.rules ?? []).flatMap(({ peers }) => peers?.selections ?? [])
  return [...new Set(selections.flatMap((each) => [...selected(each, policy!.of, vnis, env)]))]
}

/** Those of its namespace's Ports. */
export function vnisOf({ metadata: { namespace = '' } }: Resource, { caches }: Env): Iterable<number> {
  return new Set([...caches.Port.by('namespace', namespace)].flatMap((port) => segmentOf(port) ?? []))
}

const ofPolicy = <K extends PolicyKind>(item: Resource<K>, env: Env): readonly string[] =>
  peersOf(readPolicy(item).policy, () => vnisOf(item, env), env)
const ofSet = ({ spec: { policy, vni } }: Resource<'PolicyRuleSet'>, env: Env): readonly string[] =>
  peersOf(env.policies.policyOf(policyKey(policy))?.policy, () => [vni], env)

/** Cluster-wide policies wake everybody as it is. */
export const peerWatches = (on: WatchFor<'Port'>, after: Delay<Kind>): readonly Watch<'Port'>[] => [
  ...(['SecurityGroup', 'UnifiedNetworkPolicy', 'NetworkPolicy'] as const).flatMap((kind) =>
    [named('Port', 'those that its rules name', ofPolicy<typeof kind>)].flatMap((keys) => [
      on(kind, { when: either(specChanges, opensOrCloses), keys, after }),
      on(kind, { when: either(specChanges, opensOrCloses), keys: asItWas(keys), after }),
    ]),
  ),
  // A policy comes into force where the first whom it judges comes, and goes with the last.
  on('PolicyRuleSet', { when: either(appears, goes), keys: named('Port', 'those that the rules of its policy name', ofSet), after }),
]
