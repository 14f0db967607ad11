// What is in force in one VNI.
import { UnifiedChoice } from '../../core/policy/choose-unified.ts'
import type { CommonPolicy, Selection } from '../../core/policy/one-form.ts'
import type { Directory } from '../../core/policy/directory.ts'
import { factsText } from '../../core/policy/numbers.ts'
import { Relevance } from '../../core/policy/relevance.ts'
import { Ties } from '../../core/policy/rules/ties.ts'
import type { PolicyFacts } from '../../core/kinds/policy/policy-identity.ts'
import { PoliciesBySelection } from './policies-by-selection.ts'

/** Kept up as policies come and go: each change costs what it concerns. */
export class InForce {
  readonly relevance = new Relevance([])
  readonly unified: UnifiedChoice
  readonly ties = new Ties([])
  readonly #all = new Set<CommonPolicy>()
  /** By whom they may judge, and by whom their rules may name. */
  readonly #judging = new PoliciesBySelection()
  readonly #naming = new PoliciesBySelection()
  readonly #selecting = new Map<string, readonly CommonPolicy[]>()

  constructor(policies: Iterable<CommonPolicy>) {
    const all = [...policies]
    this.unified = new UnifiedChoice(all)
    for (const policy of all) this.#put(policy)
  }

  get isEmpty(): boolean {
    return this.#all.size === 0
  }

  has(policy: CommonPolicy): boolean {
    return this.#all.has(policy)
  }

  add(policy: CommonPolicy): void {
    if (policy.tier === 'unified') this.unified.add(policy)
    this.#put(policy)
    this.#selecting.clear()
  }

  remove(policy: CommonPolicy): void {
    if (!this.#all.delete(policy)) return
    if (policy.tier === 'unified') this.unified.remove(policy)
    this.relevance.remove(policy)
    this.ties.remove(policy)
    this.#judging.remove(policy, [policy.subjects])
    this.#naming.remove(policy, peersIn(policy))
    this.#selecting.clear()
  }

  #put(policy: CommonPolicy): void {
    this.#all.add(policy)
    this.relevance.add(policy)
    this.ties.add(policy)
    this.#judging.add(policy, [policy.subjects])
    this.#naming.add(policy, peersIn(policy))
  }

  /** Those that judge whoever has these facts. */
  on(facts: PolicyFacts, directory: Directory): readonly CommonPolicy[] {
    const text = factsText(facts)
    const known = this.#selecting.get(text)
    if (known !== undefined) return known
    const unified = this.unified.inForceOn(facts, directory)
    const selecting = [...this.#judging.near(facts)].filter((policy) =>
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
    const naming = [...this.#naming.near(facts)].filter((policy) => hasAmongPeers(policy, facts, directory))
    return [...new Set([...this.on(facts, directory), ...naming])]
  }
}

const peersIn = ({ rules }: CommonPolicy): readonly Selection[] => rules.flatMap(({ peers }) => peers?.selections ?? [])

/** Whether one of its rules has these facts among its peers. */
export const hasAmongPeers = ({ rules }: CommonPolicy, facts: PolicyFacts, directory: Directory): boolean =>
  rules.some(({ peers }) => peers?.selections.some((each) => isNarrow(each) && directory.selects(each, facts)) === true)

/** Everybody is told as the blocks of the Subnets: nobody's number is in that. */
const isNarrow = ({ labels = [], namespaceLabels = [], ...named }: Selection): boolean =>
  labels.length + namespaceLabels.length + Object.keys(named).length > 0
