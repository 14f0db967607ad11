// What has been taken, or given up, is deleted: many in one commit. A crash before that commit repeats a notice, never loses one.
import type { Store, Write } from '../../core/contracts/store.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'

interface Waiting {
  readonly notice: Resource<'Notice'>
  readonly done: () => void
  readonly failed: (problem: unknown) => void
}

/** Under way at once, and deletes in each: 64 by one connection to an API server are well under 100 ms. */
const commitsMax = 4
const deletesMax = 16

export class Acknowledgements {
  readonly #store: Store
  /** Notices that must not be sent again, by UID, and whether their deletion is still to be tried; kept until the watch has seen them go. */
  readonly #over = new Map<string, { toDelete: boolean }>()
  #waiting: Waiting[] = []
  #commits = 0

  constructor(store: Store) {
    this.#store = store
  }

  /** Whether it has been taken or given up; then it is only to be deleted. */
  isOver(notice: Resource<'Notice'>): boolean {
    return this.#over.has(notice.metadata.uid)
  }

  /** Whether its deletion was tried, and failed. */
  isToDelete(notice: Resource<'Notice'>): boolean {
    return this.#over.get(notice.metadata.uid)?.toDelete === true
  }

  /** Resolves when the Notice's deletion is durable. A commit takes what has gathered while others were under way. */
  settle(notice: Resource<'Notice'>): Promise<void> {
    this.#over.set(notice.metadata.uid, { toDelete: false })
    return new Promise((done, failed) => {
      this.#waiting.push({ notice, done, failed })
      void this.#flush()
    })
  }

  forget(notice: Resource<'Notice'>): void {
    this.#over.delete(notice.metadata.uid)
  }

  async #flush(): Promise<void> {
    if (this.#commits >= commitsMax || this.#waiting.length === 0) return
    this.#commits += 1
    const batch = this.#waiting.splice(0, deletesMax)
    try {
      await this.#store.commit(batch.map(({ notice }): Write => ({ do: 'delete', ref: refOf(notice), preconditions: { uid: notice.metadata.uid } })))
      for (const { done } of batch) done()
    } catch (problem) {
      for (const { notice, failed } of batch) {
        this.#over.set(notice.metadata.uid, { toDelete: true })
        failed(problem)
      }
    }
    this.#commits -= 1
    void this.#flush()
  }
}
