// What is in force in one VNI.
import { UnifiedChoice } from '../../core/policy/choose-unified.ts'
import type { CommonPolicy, Selection } from '../../core/policy/one-form.ts'
import type { Directory } from '../../core/policy/directory.ts'
import { factsText } from '../../core/policy/numbers.ts'
import { Relevance } from '../../core/policy/relevance.ts'
import type { PolicyFacts } from '../../core/kinds/policy/policy-identity.ts'

/** Of one moment: made anew when a policy comes, changes or goes. */
export class InForce {
  readonly policies: readonly CommonPolicy[]
  readonly relevance: Relevance
  readonly unified: UnifiedChoice
  readonly #selecting = new Map<string, readonly CommonPolicy[]>()

  constructor(policies: readonly CommonPolicy[]) {
    this.policies = policies
    this.relevance = new Relevance(policies)
    this.unified = new UnifiedChoice(policies)
  }

  /** Those that judge whoever has these facts. */
  on(facts: PolicyFacts, directory: Directory): readonly CommonPolicy[] {
    const text = factsText(facts)
    const known = this.#selecting.get(text)
    if (known !== undefined) return known
    const unified = this.unified.inForceOn(facts, directory)
    const selecting = this.policies.filter((policy) =>
      policy.tier === 'unified' ? policy === unified : directory.selects(policy.subjects, facts),
    )
    this.#selecting.set(text, selecting)
    return selecting
  }

  /** A selector that looks at namespaces may select others now. */
  forget(): void {
    this.#selecting.clear()
  }

  /** Those that judge it, and those whose rules name it. */
  matching(facts: PolicyFacts, directory: Directory): readonly CommonPolicy[] {
    const judging = new Set(this.on(facts, directory))
    return this.policies.filter((policy) => judging.has(policy) || hasAmongPeers(policy, facts, directory))
  }
}

/** Whether one of its rules has these facts among its peers. */
export const hasAmongPeers = ({ rules }: CommonPolicy, facts: PolicyFacts, directory: Directory): boolean =>
  rules.some(({ peers }) => peers?.selections.some((each) => isNarrow(each) && directory.selects(each, facts)) === true)

/** Everybody is told as the blocks of the Subnets: nobody's number is in that. */
const isNarrow = ({ labels = [], namespaceLabels = [], ...named }: Selection): boolean =>
  labels.length + namespaceLabels.length + Object.keys(named).length > 0

/** How often each is there. */
export class Counted {
  readonly #counts = new Map<string, number>()

  has(name: string): boolean {
    return this.#counts.has(name)
  }
  keys(): Iterable<string> {
    return this.#counts.keys()
  }
  countOf(name: string): number {
    return this.#counts.get(name) ?? 0
  }
  /** @returns whether it is the first of its name, or was the last */
  add(name: string, by: 1 | -1): boolean {
    const count = this.countOf(name) + by
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
    return by === 1 ? count === 1 : count === 0
  }
}
