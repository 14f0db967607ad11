// Who has taken which Notice is written together: acknowledgements of one Notice that come within a moment are one write, and
// the last of them deletes it. A crash before that repeats a notice, never loses one.
import type { Store, Write } from '../../../core/contracts/store.ts'
import { refOf, type Resource } from '../../../core/kinds/index.ts'
import { isComplete, targetsOf } from '../../../core/plan/notify/targets.ts'
import type { Clock } from '../../../platform/clock.ts'

type Notice = Resource<'Notice'>
interface Waiting {
  /** As it is believed to stand. */
  notice: Notice
  readonly targets: Set<string>
  readonly ended: { readonly done: () => void; readonly failed: (err: unknown) => void }[]
  /** Others of its receivers are waited for. */
  timer: (() => void) | undefined
}

/** Under way at once. */
const commitsMax = 4
/** Writes in each: few where a commit is a row of requests to an API server, many where it is one turn of a disk. */
const writesMin = 16
const writesMax = 512
/** What is acknowledged is written within 100 ms: a commit that took longer than half of that is followed by a smaller one. */
const slowMs = 50
/** How long the first of several receivers of a Notice waits for the others. */
const gatherMs = 50
/**
 * How long acknowledgements of many Notices wait for each other: a commit costs as much as ten of them, and nobody but the next notice of
 * the same object waits for it.
 */
const togetherMs = 10
/** After a commit of fewer than so many nobody waits for others: there are none. */
const manyWrites = 8

export class Acknowledgements {
  readonly #store: Store
  readonly #clock: Clock
  /**
   * Whom which Notice must not be sent to again, by UID, and whose acknowledgement is still to be tried; kept until the watch has seen it.
   */
  readonly #over = new Map<string, Map<string, { toWrite: boolean }>>()
  readonly #waiting = new Map<string, Waiting>()
  #ready: Waiting[] = []
  #commits = 0
  #writes = writesMin
  /** Writes in the last commit. */
  #last = 0
  #cancelWait: (() => void) | undefined

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** Whether this receiver has taken it, or it was given up for it. */
  isOver(notice: Notice, target: string): boolean {
    return this.#over.get(notice.metadata.uid)?.has(target) === true
  }

  /** Whether its acknowledgement was tried, and failed. */
  isToWrite(notice: Notice, target: string): boolean {
    return this.#over.get(notice.metadata.uid)?.get(target)?.toWrite === true
  }

  /** Resolves when the acknowledgement is durable. */
  settle(notice: Notice, target: string): Promise<void> {
    const { uid } = notice.metadata
    const over = this.#over.get(uid) ?? new Map<string, { toWrite: boolean }>()
    this.#over.set(uid, over.set(target, { toWrite: false }))
    return new Promise((done, failed) => {
      const group = this.#waiting.get(uid) ?? { notice, targets: new Set<string>(), ended: [], timer: undefined }
      this.#waiting.set(uid, group)
      group.targets.add(target)
      group.ended.push({ done, failed })
      if (isComplete(notice, group.targets)) this.#flush(group)
      else group.timer ??= this.#clock.after(gatherMs, () => this.#flush(group))
    })
  }

  /** The watch has told of it: what it says itself need not be remembered. */
  seen(notice: Notice): void {
    const over = this.#over.get(notice.metadata.uid)
    for (const target of over === undefined ? [] : (notice.status?.taken ?? [])) over!.delete(target)
    if (over?.size === 0) this.forget(notice)
  }

  forget(notice: Notice): void {
    this.#over.delete(notice.metadata.uid)
  }

  /** Replay: it is to be sent to this receiver again. */
  again(notice: Notice, target: string): void {
    this.#over.get(notice.metadata.uid)?.delete(target)
  }

  #flush(group: Waiting): void {
    group.timer?.()
    this.#waiting.delete(group.notice.metadata.uid)
    this.#ready.push(group)
    this.#writeSoon()
  }

  /** At once where there is enough, or where no more is to be expected. */
  #writeSoon(): void {
    if (this.#commits >= commitsMax || this.#ready.length === 0) return
    if (this.#last < manyWrites || this.#ready.length >= this.#writes) return void this.#write()
    this.#cancelWait ??= this.#clock.after(togetherMs, () => void this.#write())
  }

  async #write(): Promise<void> {
    this.#cancelWait?.()
    this.#cancelWait = undefined
    this.#commits += 1
    const batch = this.#ready.splice(0, this.#writes)
    this.#last = batch.length
    const began = this.#clock.elapsed()
    try {
      await this.#store.commit(batch.map((group) => writeOf(group, this.#clock.now())))
      for (const group of batch) for (const { done } of group.ended) done()
    } catch {
      // One refusal stops a commit: by itself each says who it was.
      await Promise.all(batch.map((group) => this.#alone(group)))
    }
    this.#commits -= 1
    this.#size(batch.length, this.#clock.elapsed() - began)
    this.#writeSoon()
  }

  /** Twice as many next time where a full batch was quick, half as many where it was slow. */
  #size(writes: number, tookMs: number): void {
    if (tookMs > slowMs) this.#writes = Math.max(writesMin, this.#writes >> 1)
    else if (writes === this.#writes) this.#writes = Math.min(writesMax, this.#writes << 1)
  }

  async #alone(group: Waiting): Promise<void> {
    try {
      const there = await this.#store.get(refOf(group.notice))
      if (there?.metadata.uid === group.notice.metadata.uid)
        await this.#store.commit([writeOf({ ...group, notice: there }, this.#clock.now())])
      for (const { done } of group.ended) done()
    } catch (err) {
      for (const target of group.targets) this.#over.get(group.notice.metadata.uid)?.set(target, { toWrite: true })
      for (const { failed } of group.ended) failed(err)
    }
  }
}

/** Deleted once all have taken it, unless it is kept; until then it says who has. Only as it was read: somebody may want it anew. */
function writeOf({ notice, targets }: Pick<Waiting, 'notice' | 'targets'>, now: number): Write {
  const { uid, resourceVersion } = notice.metadata
  const { keepUntil } = notice.spec
  if (isComplete(notice, targets) && (keepUntil === undefined || Date.parse(keepUntil) <= now))
    return { do: 'delete', ref: refOf(notice), preconditions: { uid, resourceVersion } }
  const taken = targetsOf(notice).filter((target) => targets.has(target) || notice.status?.taken?.includes(target) === true)
  return {
    do: 'patchStatus',
    ref: refOf(notice),
    uid,
    resourceVersion,
    sections: { acknowledgement: { taken, filed: notice.status?.filed ?? resourceVersion } },
  }
}
