// What is kept, with its past: every write has a revision, and a reader may ask for what came after one, or how it was at one.
import type { Kind } from '../../../core/kinds/index.ts'
import { frozen, keyOf, type Raw, type RawMeta } from './raw.ts'

/** One write; `after` absent: gone. */
export interface Step {
  readonly revision: number
  readonly kind: Kind
  readonly key: string
  readonly before: Raw | undefined
  readonly after: Raw | undefined
  /** Who wrote it, where he is known. */
  readonly by: string
}

type Items = Map<string, Raw>

export class Etcd {
  #revision = 1
  /** Steps up to here are no longer known one by one. */
  #compacted = 0
  #items = new Map<Kind, Items>()
  #steps: Step[] = []
  #listeners = new Set<(step: Step) => void>()

  get revision(): number {
    return this.#revision
  }

  get compacted(): number {
    return this.#compacted
  }

  get(kind: Kind, key: string): Raw | undefined {
    return this.#items.get(kind)?.get(key)
  }

  /** In etcd's order. */
  all(kind: Kind): readonly Raw[] {
    return sorted(this.#items.get(kind) ?? new Map())
  }

  /** As it was at a revision that is not compacted. */
  at(kind: Kind, revision: number): readonly Raw[] {
    const items: Items = new Map(this.#items.get(kind))
    for (const step of this.#steps.toReversed()) {
      if (step.revision <= revision) break
      if (step.kind !== kind) continue
      if (step.before === undefined) items.delete(step.key)
      else items.set(step.key, step.before)
    }
    return sorted(items)
  }

  since(kind: Kind, revision: number): readonly Step[] {
    return this.#steps.filter((step) => step.kind === kind && step.revision > revision)
  }

  /** @returns the object with its resourceVersion; of one that goes the last state, with the revision at which it went */
  write(
    kind: Kind,
    { before, after, by = '' }: { readonly before: Raw | undefined; readonly after: Raw | undefined; readonly by?: string },
  ): Raw {
    const revision = ++this.#revision
    const stamped = versioned((after ?? before)!, revision)
    const key = keyOf(stamped.metadata)
    const items = this.#items.get(kind) ?? new Map<string, Raw>()
    this.#items.set(kind, items)
    if (after === undefined) items.delete(key)
    else items.set(key, stamped)
    const step = { revision, kind, key, before, after: after && stamped, by }
    this.#steps.push(step)
    for (const listener of [...this.#listeners]) listener(step)
    return stamped
  }

  /** Forgets the past, as etcd does every five minutes. */
  compact(upTo = this.#revision): void {
    this.#compacted = Math.max(this.#compacted, upTo)
    this.#steps = this.#steps.filter((step) => step.revision > upTo)
  }

  /** @returns what ends it */
  on(listener: (step: Step) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

export function versioned(item: Raw, revision: number): Raw {
  const metadata: RawMeta = { ...item.metadata, resourceVersion: String(revision) }
  return frozen({ ...item, metadata })
}

const sorted = (items: Items): readonly Raw[] => [...items].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item)
