// What wakes a policy of any kind, so that its rule sets are as it and those whom it is about are.
import { segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { keyOfItem, resolveReference, type Resource } from '../../../core/kinds/index.ts'
import { networksOf } from '../../../core/plan/pod/networks.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { Env } from '../../controller-env.ts'
import { policiesAbout } from '../../gather/policies-about.ts'
import { attachmentSegment } from '../../../core/plan/node/external-policy.ts'
import { ruleSetsNamed } from '../../policy/attachment-place.ts'
import { placeOf } from '../../policy/place.ts'
import type { PolicyKind } from '../../../core/policy/read.ts'
import { policyKey, type PolicyKey } from '../../policy/policy-kinds.ts'
import { asItWas, named } from '../../watch/map-to-keys.ts'
import { appears, either, goes, part, specChanges, when, type Predicate } from '../../watch/predicates.ts'
import type { Watch, WatchFor } from '../../watch/watch.ts'

/** Of pods' labels. */
export type LabelledKind =
  'UnifiedNetworkPolicy' | 'NetworkPolicy' | 'AdminNetworkPolicy' | 'BaselineAdminNetworkPolicy' | 'ClusterNetworkPolicy'

type RuleSet = Resource<'PolicyRuleSet'>

/** Its place among policies changes. */
export const placeChanges: Predicate<'Port'> = when('is somewhere else, or of other SecurityGroups', ({ before, after }) => {
  const place = (port: Resource<'Port'> | undefined): object | undefined => port && placeOf(port, segmentOf(port))
  return !sameJson(place(before), place(after))
})
/** The VLAN that its pods are in does. */
export const vlanChanges: Predicate<'L2ServiceAttachment'> = part('its VLAN', (attachment) => attachment && attachmentSegment(attachment))
/** A pod comes to, or leaves, networks beside the cluster's. */
export const networksChange: Predicate<'Pod'> = part('the networks that it uses', (pod) => (pod === undefined ? [] : networksOf(pod)))
export const isLetGoOf: Predicate<'Port'> = part<'Port'>('status.policy', (port) => port?.status?.policy)

const policyOf =
  (kind: PolicyKind) =>
  ({ spec: { policy } }: RuleSet): readonly string[] =>
    policy.kind === kind ? [policy.namespace === undefined ? policy.name : `${policy.namespace}/${policy.name}`] : []

/** The keys of a kind among those of policies. */
export const ofKind = (kind: PolicyKind, keys: Iterable<PolicyKey>): readonly string[] =>
  [...keys].flatMap((key) => (key.startsWith(`${kind} `) ? [key.slice(kind.length + 1)] : []))

const matching = (kind: PolicyKind, { spec }: Resource<'PolicyIdentity'>, env: Env): readonly string[] =>
  ofKind(
    kind,
    policiesAbout(spec, env.policies.inForce(spec.vni), env, kind).map(({ of }) => policyKey(of)),
  )

/** Of a rule set that a Port names, or named, the policy. */
const policiesNamedBy =
  (kind: PolicyKind) =>
  (port: Resource<'Port'>, { caches }: Env): readonly string[] => {
    const { namespace } = resolveReference(port.spec.subnet, port.metadata.namespace ?? '')
    const sets = (port.status?.policy?.ruleSets ?? []).flatMap((name) => caches.PolicyRuleSet.get(`${namespace}/${name}`) ?? [])
    return sets.flatMap(policyOf(kind))
  }

export const ruleSetWatches = <K extends PolicyKind>(kind: K, on: WatchFor<K>): readonly Watch<K>[] => {
  const any = on as unknown as WatchFor<PolicyKind>
  return [
    any('PolicyIdentity', { when: appears, keys: named(kind, 'those that match it', (identity, env) => matching(kind, identity, env)) }),
    any('PolicyIdentity', {
      when: goes,
      keys: named(kind, 'those whose rules have it', ({ spec }, { caches }) =>
        [...caches.PolicyRuleSet.by('identity', `${spec.vni}-${spec.number}`)].flatMap(policyOf(kind)),
      ),
    }),
    // A worker may have written it by what it has heard last.
    any('PolicyRuleSet', { when: specChanges, keys: named(kind, 'whose it is', policyOf(kind)) }),
    any('Port', {
      when: either(goes, isLetGoOf),
      keys: asItWas(named(kind, 'those whose rule sets it named', policiesNamedBy(kind))),
      hearsMade: true,
    }),
    any('L2ServiceAttachment', {
      when: either(
        goes,
        part<'L2ServiceAttachment'>('status.policy', (attachment) => attachment?.status?.policy),
      ),
      keys: asItWas(
        named(kind, 'those whose rule sets it named', (attachment, { caches }) =>
          ruleSetsNamed(attachment).flatMap((name) => {
            const set = caches.PolicyRuleSet.get(name)
            return set === undefined ? [] : policyOf(kind)(set)
          }),
        ),
      ),
    }),
    any('Subnet', {
      when: either(
        specChanges,
        part<'Subnet'>('status.vni or status.segment', (subnet) => subnet && segmentOf(subnet)),
      ),
      keys: named(kind, 'those with rules in its VNI', (subnet, { caches }) =>
        [...caches.PolicyRuleSet.by('vni', String(segmentOf(subnet) ?? ''))].flatMap(policyOf(kind)),
      ),
    }),
  ] as unknown as readonly Watch<K>[]
}

/** Whether a policy's rule sets are where it is to judge: by their VNIs. */
export function isInPlace(key: PolicyKey, { caches, policies }: Env): boolean {
  const there = new Set([...caches.PolicyRuleSet.by('policy', key)].map(({ spec }) => spec.vni))
  const wanted = [...policies.reachedBy(key)].map(({ vni }) => vni)
  return wanted.length === there.size && wanted.every((vni) => there.has(vni))
}

export const keyOfPolicy = (kind: PolicyKind, policy: Resource): PolicyKey => policyKey({ kind, name: keyOfItem(policy) })
