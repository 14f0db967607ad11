// The writes of one pass: collected, and committed at once.
import type { Store, Write } from '../core/contracts/store.ts'
import { AlreadyExists, NamespaceTerminating } from '../core/errors.ts'

type Create = Extract<Write, { do: 'create' }>
const makes = (write: Write, ...kinds: readonly ('Notice' | 'Event')[]): write is Create => write.do === 'create' && kinds.some((kind) => write.draft.kind === kind)

export class Batch {
  #store: Store
  #signal: AbortSignal
  #waiting: Write[] = []
  #tried: Write[] = []

  /** @param signal falls when the key's lock is lost to another runner: then nothing more is written */
  constructor(store: Store, signal: AbortSignal) {
    this.#store = store
    this.#signal = signal
  }

  /** All that was given to the store so far, whether it took it or not. */
  get tried(): readonly Write[] {
    return this.#tried
  }

  add(writes: readonly Write[]): void {
    this.#waiting.push(...writes)
  }

  /** @throws what the store throws; then none of the waiting writes can be relied on */
  async commit(more: readonly Write[] = []): Promise<void> {
    this.#signal.throwIfAborted()
    const writes = [...this.#waiting, ...more]
    this.#waiting = []
    if (writes.length === 0) return
    this.#tried.push(...writes)
    try {
      await this.#store.commit(writes)
    } catch (problem) {
      const second = await this.#secondTry(writes, problem)
      if (second === undefined) throw problem
      await this.#store.commit(second)
    }
  }

  /**
   * What to write instead, where that would help. A Notice that a pass before a crash has left is replaced, since its object
   * has not reached that sequence; an Event that is there is told; in a namespace that is going no Event is made, and the rest may still be written.
   */
  async #secondTry(writes: readonly Write[], problem: unknown): Promise<readonly Write[] | undefined> {
    if (problem instanceof NamespaceTerminating && writes.some((write) => makes(write, 'Event'))) return writes.filter((write) => !makes(write, 'Event'))
    if (!(problem instanceof AlreadyExists)) return undefined
    const replaced = await Promise.all(writes.map((write) => this.#replacing(write)))
    return replaced.some((write, i) => write !== writes[i]) ? replaced.filter((write) => write !== undefined) : undefined
  }

  async #replacing(write: Write): Promise<Write | undefined> {
    if (!makes(write, 'Notice', 'Event')) return write
    const { kind, metadata: { namespace, name } } = write.draft
    const standing = await this.#store.get({ kind, ...(namespace !== undefined && { namespace }), name })
    if (standing === undefined) return write
    // A pass that was cut off after it, or a rival that is as far, has told of the same already.
    if (kind === 'Event') return undefined
    const { labels: _, ...metadata } = standing.metadata
    const { labels } = write.draft.metadata
    return { do: 'update', item: { ...standing, metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) }, spec: write.draft.spec } }
  }
}
