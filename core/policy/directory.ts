// The identities of a VNI, found by what selections say of them.
import type { PolicyFacts } from '../kinds/policy/policy-identity.ts'
import type { Selection } from './one-form.ts'
import { anchorOf, holds, type Labels } from './label-selector.ts'

export interface KnownIdentity {
  readonly number: number
  readonly facts: PolicyFacts
}

const nobody: readonly KnownIdentity[] = []

export class Directory {
  readonly #all = new Map<number, KnownIdentity>()
  readonly #byNamespace = new Map<string, Set<KnownIdentity>>()
  readonly #byLabel = new Map<string, Set<KnownIdentity>>()
  readonly #byGroup = new Map<string, Set<KnownIdentity>>()
  readonly #namespaces: (name: string) => Labels
  /** Answers of selections that reach more than a namespace: many policies ask the same. Dropped with each change. */
  readonly #answers = new Map<string, readonly number[]>()

  /** @param namespaces a namespace's labels, with its name among them (namespaceLabelsOf) */
  constructor(identities: Iterable<KnownIdentity>, namespaces: (name: string) => Labels) {
    this.#namespaces = namespaces
    for (const each of identities) this.add(each)
  }

  add(identity: KnownIdentity): void {
    this.remove(identity.number)
    this.#all.set(identity.number, identity)
    for (const [index, key] of this.#placesOf(identity)) {
      const at = index.get(key) ?? new Set()
      index.set(key, at.add(identity))
    }
    this.#answers.clear()
  }

  remove(number: number): void {
    const identity = this.#all.get(number)
    if (identity === undefined) return
    this.#all.delete(number)
    for (const [index, key] of this.#placesOf(identity)) {
      index.get(key)?.delete(identity)
      if (index.get(key)?.size === 0) index.delete(key)
    }
    this.#answers.clear()
  }

  /** What a namespace's labels were may have been part of an answer. */
  namespaceChanged(): void {
    this.#answers.clear()
  }

  factsOf(number: number): PolicyFacts | undefined {
    return this.#all.get(number)?.facts
  }

  /** Whom it selects: numbers, in order. */
  select(selection: Selection): readonly number[] {
    if (selection.namespace !== undefined || selection.group !== undefined) return this.#ask(selection)
    const text = JSON.stringify(selection)
    const known = this.#answers.get(text)
    if (known !== undefined) return known
    const answer = this.#ask(selection)
    this.#answers.set(text, answer)
    return answer
  }

  selects(selection: Selection, facts: PolicyFacts): boolean {
    return isNamed(selection, facts) && this.#isPlaced(selection, facts.namespace) && holds(selection.labels ?? [], facts.labels ?? {})
  }

  #isPlaced({ namespace, namespaceLabels = [] }: Selection, its: string): boolean {
    return (namespace ?? its) === its && (namespaceLabels.length === 0 || holds(namespaceLabels, this.#namespaces(its)))
  }

  #ask(selection: Selection): readonly number[] {
    const numbers: number[] = []
    for (const { number, facts } of this.#candidates(selection)) if (this.selects(selection, facts)) numbers.push(number)
    return numbers.sort((a, b) => a - b)
  }

  /** The fewest that are worth looking at. */
  #candidates({ namespace, group, labels = [] }: Selection): Iterable<KnownIdentity> {
    if (group !== undefined) return this.#byGroup.get(group) ?? nobody
    if (namespace !== undefined) return this.#byNamespace.get(namespace) ?? nobody
    const anchor = anchorOf(labels)
    return anchor === undefined ? this.#all.values() : (this.#byLabel.get(labelKey(anchor.key, anchor.value)) ?? nobody)
  }

  #placesOf({ facts }: KnownIdentity): readonly (readonly [Map<string, Set<KnownIdentity>>, string])[] {
    return [
      [this.#byNamespace, facts.namespace],
      ...Object.entries(facts.labels ?? {}).map(([key, value]) => [this.#byLabel, labelKey(key, value)] as const),
      ...(facts.securityGroups ?? []).map((group) => [this.#byGroup, group] as const),
    ]
  }
}

const labelKey = (key: string, value: string): string => `${key}=${value}`

function isNamed({ group, port }: Selection, facts: PolicyFacts): boolean {
  return (group === undefined || facts.securityGroups?.includes(group) === true) && (port === undefined || port === facts.port)
}
