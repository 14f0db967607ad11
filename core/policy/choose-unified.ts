// At most one UnifiedNetworkPolicy is in force on a pod: the one that its annotation names, else of those that select it the one of the
// highest priority, then the oldest, then the first by name.
import type { PolicyFacts } from '../kinds/policy/policy-identity.ts'
import type { CommonPolicy, UnifiedRank } from './one-form.ts'
import type { Directory } from './directory.ts'
import { isSelected, type Member } from './member.ts'

export class UnifiedChoice {
  /** Of each namespace, the best first. */
  readonly #ranked = new Map<string, CommonPolicy[]>()
  /** By the facts as an object: they never change. Dropped with each change. */
  #chosen = new WeakMap<PolicyFacts, { readonly policy: CommonPolicy | undefined }>()

  /** @param policies of all namespaces; those of other tiers are none of its candidates */
  constructor(policies: Iterable<CommonPolicy>) {
    for (const policy of policies) this.#put(policy)
    for (const all of this.#ranked.values()) all.sort(asRanked)
  }

  add(policy: CommonPolicy): void {
    this.#put(policy)
    this.#ranked.get(policy.of.namespace ?? '')?.sort(asRanked)
    this.#chosen = new WeakMap()
  }

  remove(policy: CommonPolicy): void {
    const namespace = policy.of.namespace ?? ''
    const left = (this.#ranked.get(namespace) ?? []).filter((each) => each !== policy)
    if (left.length === 0) this.#ranked.delete(namespace)
    else this.#ranked.set(namespace, left)
    this.#chosen = new WeakMap()
  }

  #put(policy: CommonPolicy): void {
    if (policy.rank === undefined) return
    const namespace = policy.of.namespace ?? ''
    const others = this.#ranked.get(namespace)
    if (others === undefined) this.#ranked.set(namespace, [policy])
    else others.push(policy)
  }

  /** @returns undefined where none of them is for who has these facts */
  inForceOn(facts: PolicyFacts, directory: Directory): CommonPolicy | undefined {
    const known = this.#chosen.get(facts)
    if (known !== undefined) return known.policy
    const ranked = this.#ranked.get(facts.namespace) ?? []
    const named = facts.unified === undefined ? undefined : ranked.find(({ of }) => of.name === facts.unified)
    const policy = named ?? ranked.find(({ subjects }) => directory.selects(subjects, facts))
    this.#chosen.set(facts, { policy })
    return policy
  }

  /** The identities on which a policy is in force, in order. */
  subjectsOf(policy: CommonPolicy, directory: Directory): readonly number[] {
    const all = directory.select({ namespace: policy.of.namespace ?? '' })
    return all.filter((number) => this.inForceOn(directory.factsOf(number)!, directory)?.of.uid === policy.of.uid)
  }
}

/** Of one that has no identity: the same choice. @param policies those of other tiers are none of its candidates */
export function inForceOn(member: Member, policies: Iterable<CommonPolicy>): CommonPolicy | undefined {
  const ranked = [...policies].filter(({ rank, of }) => rank !== undefined && of.namespace === member.namespace).sort(asRanked)
  const named = member.unified === undefined ? undefined : ranked.find(({ of }) => of.name === member.unified)
  return named ?? ranked.find((policy) => isSelected(policy, member))
}

const asRanked = (a: CommonPolicy, b: CommonPolicy): number => inRank(rankOf(a), rankOf(b))
const rankOf = ({ of: { name }, rank }: CommonPolicy): UnifiedRank & { readonly name: string } => ({ name, ...rank! })

/** The best first. */
export function inRank(a: UnifiedRank & { readonly name: string }, b: UnifiedRank & { readonly name: string }): number {
  if (a.priority !== b.priority) return b.priority - a.priority
  const age = Date.parse(a.createdAt) - Date.parse(b.createdAt)
  return age !== 0 ? age : a.name < b.name ? -1 : 1
}
