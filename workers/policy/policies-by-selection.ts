// Policies by what their selections reach: a namespace, a SecurityGroup, or more than that.
import type { PolicyFacts } from '../../core/kinds/policy/policy-identity.ts'
import type { CommonPolicy, Selection } from '../../core/policy/one-form.ts'

/** `in NAMESPACE`, `of GROUP`, or all. */
const placeOf = ({ namespace, group }: Selection): string => {
  if (namespace !== undefined) return `in ${namespace}`
  return group === undefined ? 'all' : `of ${group}`
}

export class PoliciesBySelection {
  readonly #places = new Map<string, Set<CommonPolicy>>()

  add(policy: CommonPolicy, selections: readonly Selection[]): void {
    for (const place of new Set(selections.map(placeOf))) this.#places.set(place, (this.#places.get(place) ?? new Set()).add(policy))
  }

  /** @param selections those that it was added with */
  remove(policy: CommonPolicy, selections: readonly Selection[]): void {
    for (const place of new Set(selections.map(placeOf))) {
      const there = this.#places.get(place)
      if (there?.delete(policy) === true && there.size === 0) this.#places.delete(place)
    }
  }

  /** Those that may select who has these facts. */
  near({ namespace, securityGroups = [] }: PolicyFacts): ReadonlySet<CommonPolicy> {
    const places = ['all', `in ${namespace}`, ...securityGroups.map((group) => `of ${group}`)]
    return new Set(places.flatMap((place) => [...(this.#places.get(place) ?? [])]))
  }
}
