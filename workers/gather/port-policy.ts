// Who judges a Port, from what is known of policies and identities.
import type { PortScope } from '../../core/contracts/port-holder.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { policiesMost, type PolicyBinding, type SelectingSet } from '../../core/plan/policy/port-policy.ts'
import type { CommonPolicy } from '../../core/policy/one-form.ts'
import type { Member } from '../../core/policy/member.ts'
import { factsText, identityNumber, numberAfter, numberedName, ruleSetNumber } from '../../core/policy/numbers.ts'
import type { PolicyFacts } from '../../core/kinds/policy/policy-identity.ts'
import type { Env } from '../controller-env.ts'
import { memberIn } from '../policy/member-in.ts'
import { policyKey, type PolicyKey } from '../policy/policy-kinds.ts'
import { absentGroups } from './absent-groups.ts'

type Network = Pick<PortScope, 'vni'> & { readonly namespace: string }

/** Rules are there, and by these caches no policy is: the watch that tells of it is behind the one that tells of them. */
export const isPolicyLate = ({ vni }: PortScope, { caches, policies }: Env): boolean =>
  policies.inForce(vni).isEmpty && !caches.PolicyRuleSet.by('vni', String(vni))[Symbol.iterator]().next().done

/** @returns undefined where no policy of its VNI is in force, and none that it names is absent */
export function bindingOf(port: Resource<'Port'>, { vni, vpc: { namespace } }: PortScope, env: Env): PolicyBinding | undefined {
  if (vni === 0) return undefined
  return bindingIn(memberIn(port, env), { vni, namespace }, env, env.config.policyEnforcement === 'audit' ? [] : absentGroups(port, env))
}

/** @param absent SecurityGroups (`namespace/name`) that it names, and that are not there */
export function bindingIn(
  member: Member,
  { vni, namespace }: Network,
  env: Env,
  absent: readonly string[] = [],
): PolicyBinding | undefined {
  const inForce = env.policies.inForce(vni, { namespace: member.namespace, groups: member.securityGroups })
  if (inForce.isEmpty && absent.length === 0) return undefined
  const facts = inForce.relevance.factsOf(member)
  const identity = identityFor(facts, { vni, namespace }, env)
  const selecting = inForce.on(facts, env.policies.directory(vni))
  const unified = selecting.find(({ tier }) => tier === 'unified')
  const isAudit = env.config.policyEnforcement === 'audit'
  const sets = [
    ...selecting.map((policy) => setOf(policy, { vni, namespace, number: identity.number }, env)),
    ...absent.map((key) => setToBe(policyKey({ kind: 'SecurityGroup', name: key }), { vni, namespace }, env)),
  ].sort(byName)
  return {
    identity,
    sets: sets.length > policiesMost ? withinMost(sets, vni, isAudit) : sets,
    absent,
    ...(sets.length > policiesMost && !isAudit && { tooMany: sets.length }),
    ...(unified !== undefined && { unified: unified.of.name }),
    isEnding: env.caches.Namespace.get(namespace)?.metadata.deletionTimestamp !== undefined,
  }
}

/** As many as are done: not enough, so that nothing passes, unless all are only tried out. */
const withinMost = (sets: readonly SelectingSet[], vni: number, isAudit: boolean): readonly SelectingSet[] => [
  ...(isAudit ? [] : [neverThere(vni)]),
  ...sets.slice(0, policiesMost),
]

/** No rule set has this number: a node that does not have what a Port names lets nothing pass. */
const neverThere = (vni: number): SelectingSet => ({ name: numberedName(vni, 0), hasSubject: true })

const byName = (a: SelectingSet, b: SelectingSet): number => (a.name < b.name ? -1 : 1)

/** The one that has these facts, the first of several; else the first number that nobody has. */
function identityFor(facts: PolicyFacts, { vni, namespace }: Network, { caches }: Env): PolicyBinding['identity'] {
  const there = [...caches.PolicyIdentity.by('facts', `${vni} ${factsText(facts)}`)].sort((a, b) => a.spec.number - b.spec.number)[0]
  let number = there?.spec.number ?? identityNumber(vni, facts)
  if (there === undefined)
    while (caches.PolicyIdentity.get(`${namespace}/${numberedName(vni, number)}`) !== undefined) number = numberAfter(number)
  return {
    number,
    draft: { kind: 'PolicyIdentity', metadata: { namespace, name: numberedName(vni, number) }, spec: { vni, number, facts } },
    item: there,
    isUnused: there !== undefined && !isUsed(vni, number, caches),
  }
}

/** Whether somebody is known to have it. */
export function isUsed(vni: number, number: number, { Port, IPLock, L2ServiceAttachment }: Env['caches']): boolean {
  for (const _ of Port.by('identity', `${vni}-${number}`)) return true
  for (const _ of L2ServiceAttachment.by('identity', `${vni}-${number}`)) return true
  for (const _ of IPLock.by('identity', `${vni}-${number}`)) return true
  return false
}

function setOf({ of }: CommonPolicy, { vni, namespace, number }: Network & { readonly number: number }, env: Env): SelectingSet {
  const set = storedSet(policyKey(of), vni, env)
  return {
    name: set?.metadata.name ?? numberedName(vni, freeSetNumber(policyKey(of), { vni, namespace }, env)),
    hasSubject: set?.spec.subjects.includes(number) === true,
  }
}

/** Its name is known before it is there. A node that does not have what a Port names lets nothing pass: there is nothing to wait for. */
const setToBe = (key: PolicyKey, network: Network, env: Env): SelectingSet => ({
  name: numberedName(network.vni, freeSetNumber(key, network, env)),
  hasSubject: true,
})

/** The first of several, which stays. */
export const storedSet = (key: string, vni: number, { caches }: Pick<Env, 'caches'>): Resource<'PolicyRuleSet'> | undefined =>
  [...caches.PolicyRuleSet.by('policy', key)].filter(({ spec }) => spec.vni === vni).sort((a, b) => a.spec.number - b.spec.number)[0]

/** By the policy's name: known before it is there, and the same once it is made anew. */
export function freeSetNumber(key: string, { vni, namespace }: Network, { caches }: Pick<Env, 'caches'>): number {
  let number = ruleSetNumber(vni, key)
  while (caches.PolicyRuleSet.get(`${namespace}/${numberedName(vni, number)}`) !== undefined) number = numberAfter(number)
  return number
}
