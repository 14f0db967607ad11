// The writes of one pass: collected, and committed at once.
import type { Draft, Write } from '../../core/contracts/store.ts'
import { AlreadyExists, NamespaceTerminating, Stale } from '../../core/errors.ts'
import { keyOf, type Kind, type Resource } from '../../core/kinds/index.ts'
import { reportedStateOf } from '../../core/plan/notify/notices.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Env } from '../controller-env.ts'
import { fenced, holdsOn, keepReliedOn } from './fences.ts'

type BatchEnv = Pick<Env, 'store' | 'caches'> & Partial<Pick<Env, 'meter'>>

type Create = Extract<Write, { do: 'create' }>
const makes = (write: Write, ...kinds: readonly ('Notice' | 'Event' | 'PolicyIdentity')[]): write is Create =>
  write.do === 'create' && kinds.some((kind) => write.draft.kind === kind)

export class Batch {
  #env: BatchEnv
  #signal: AbortSignal
  #item: Resource | undefined
  #waiting: Write[] = []
  #tried: Write[] = []

  /**
   * @param signal falls when the key's lock is lost to another runner: then nothing more is written
   * @param item   the object of the pass, as it was gathered
   */
  constructor(env: BatchEnv, signal: AbortSignal, item?: Resource) {
    this.#env = env
    this.#signal = signal
    this.#item = item
  }

  /** All that was given to the store so far, whether it took it or not. */
  get tried(): readonly Write[] {
    return this.#tried
  }

  /** Of an identity that two Ports have, each of which would make it, one is made. */
  add(writes: readonly Write[]): void {
    for (const write of writes) if (!this.#isMade(write)) this.#waiting.push(write)
  }

  #isMade(write: Write): boolean {
    return (
      makes(write, 'PolicyIdentity') && this.#waiting.some((each) => makes(each, 'PolicyIdentity') && sameJson(each.draft, write.draft))
    )
  }

  /** @throws what the store throws; then none of the waiting writes can be relied on */
  async commit(more: readonly Write[] = []): Promise<void> {
    this.#signal.throwIfAborted()
    const writes = fenced([...this.#waiting, ...more], this.#item, this.#tried)
    this.#waiting = []
    if (writes.length === 0) return
    await keepReliedOn(writes, this.#item, this.#env)
    this.#tried.push(...writes)
    try {
      await this.#committed(writes)
    } catch (err) {
      const second = await this.#secondTry(writes, err)
      if (second === undefined) throw err
      await this.#committed(second)
    }
  }

  #committed(writes: readonly Write[]): Promise<void> {
    const { store, meter } = this.#env
    return meter === undefined ? store.commit(writes) : meter.commit(writes, this.#item, () => store.commit(writes))
  }

  /**
   * What to write instead, where that would help. A Notice that a pass before a crash has left is replaced, since its object
   * has not reached that sequence; an Event that is there is told; in a namespace that is going no Event is made, and the rest may still be
   * written.
   */
  async #secondTry(writes: readonly Write[], err: unknown): Promise<readonly Write[] | undefined> {
    if (err instanceof NamespaceTerminating && writes.some((write) => makes(write, 'Event')))
      return writes.filter((write) => !makes(write, 'Event'))
    if (!(err instanceof AlreadyExists)) return undefined
    const replaced = await Promise.all(writes.map((write) => this.#replacing(write, writes)))
    return replaced.some((write, i) => write !== writes[i]) ? replaced.filter((write) => write !== undefined) : undefined
  }

  async #replacing(write: Write, beside: readonly Write[]): Promise<Write | undefined> {
    if (!makes(write, 'Notice', 'Event')) return write
    const {
      kind,
      metadata: { namespace, name },
    } = write.draft
    const stored = await this.#env.store.get({ kind, ...(namespace !== undefined && { namespace }), name })
    if (stored === undefined) return write
    // A pass that was cut off after it, or a rival that is as far, has told of the same already.
    if (kind === 'Event') return undefined
    await this.#mustStillHold(write.draft as Draft<'Notice'>, beside)
    const { labels: _, ...metadata } = stored.metadata
    const { labels } = write.draft.metadata
    return {
      do: 'update',
      item: { ...stored, metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) }, spec: write.draft.spec },
    }
  }

  /**
   * Of an object that has come so far, or has gone, what stands is true, its end above all: it is our word that is old. And whose report
   * would
   * not land replaces nothing: the stored Notice may be for a subscriber that this worker does not know yet. @throws Stale
   */
  async #mustStillHold({ spec: { of, sequence, phase } }: Draft<'Notice'>, beside: readonly Write[]): Promise<void> {
    const { kind, namespace, name, uid } = of
    const item = await this.#env.store.get({ kind: kind as Kind, ...(namespace !== undefined && { namespace }), name })
    const holds =
      item?.metadata.uid === uid
        ? (reportedStateOf(item)?.sequence ?? 0) < sequence && beside.every((write) => holdsOn(write, item))
        : phase === 'deleted'
    if (!holds) throw new Stale({ kind, key: keyOf(of) })
  }
}
