// A watch written down as lines: `all a b`, `put a`, `gone a`.
import { setTimeout as pause } from 'node:timers/promises'
import type { Store, Within } from '../../core/contracts/store.ts'
import type { Kind } from '../../core/kinds/index.ts'

const deadlineMs = 20_000

export class WatchRecorder {
  readonly log: string[] = []
  #abort = new AbortController()
  #done: Promise<void> = Promise.resolve()

  /** Opens a watch and waits until its first line is there (or until `ready`). */
  static async open<K extends Kind>(
    store: Store,
    kind: K,
    within: Within & { from?: string },
    ready: (log: readonly string[]) => boolean = (log) => log.length > 0,
  ): Promise<WatchRecorder> {
    const seen = new WatchRecorder()
    seen.#done = seen.#follow(store, kind, within)
    await seen.until(ready)
    return seen
  }

  async #follow<K extends Kind>(store: Store, kind: K, within: Within & { from?: string }): Promise<void> {
    for await (const change of store.watch(kind, within, this.#abort.signal)) {
      if (change.type === 'all') this.log.push(['all', ...change.items.map((item) => item.metadata.name)].join(' '))
      else if (change.type !== 'mark') this.log.push(`${change.type} ${change.item.metadata.name}`)
    }
  }

  async until(holds: (log: readonly string[]) => boolean): Promise<void> {
    const end = Date.now() + deadlineMs
    while (!holds(this.log)) {
      if (Date.now() > end) throw new Error(`not seen in ${deadlineMs} ms: ${JSON.stringify(this.log)}`)
      await pause(5)
    }
  }

  /** Ends the watch, and waits until it has ended: it must, by its signal. */
  async close(): Promise<void> {
    this.#abort.abort()
    await this.#done
  }
}
