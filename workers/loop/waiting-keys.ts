// Keys that wait for something to come: a lock to go, an object to be made. In memory, as it may be: a key that waits is
// also looked at again after a while, and after a restart every key is looked at.
import type { WaitsFor } from '../../core/plan/plan.ts'
import type { Clock } from '../../platform/clock.ts'
import type { QueueName } from '../queues.ts'

/** Whose last waking is remembered; of older ones it is assumed that they may have been woken. */
const remembered = 4_096

export class Waiting {
  #keys = new Map<string, Map<string, readonly [queue: QueueName, key: string]>>()
  #add: (queue: QueueName, key: string, afterMs: number) => void
  #wakings = 0
  #woken = new Map<string, { readonly waking: number; readonly at: Date }>()
  #forgotten = 0
  #clock: Pick<Clock, 'now'>

  constructor(add: (queue: QueueName, key: string, afterMs: number) => void, clock: Pick<Clock, 'now'>) {
    this.#add = add
    this.#clock = clock
  }

  /** To be taken before looking: what is woken between that and `wait` is not missed. */
  mark(): number {
    return this.#wakings
  }

  wait(waitsFor: WaitsFor, [queue, key]: readonly [queue: QueueName, key: string], mark: number): void {
    const topic = topicOf(waitsFor)
    if (mark < this.#forgotten || (this.#woken.get(topic)?.waking ?? 0) > mark) {
      this.#add(queue, key, 0)
      return
    }
    const waiting = this.#keys.get(topic) ?? new Map<string, readonly [QueueName, string]>()
    this.#keys.set(topic, waiting.set(`${queue} ${key}`, [queue, key]))
  }

  /** It has come: wakes all that wait for it, or the first of them. */
  wake(come: WaitsFor, { first = false, afterMs = 0 } = {}): void {
    const topic = topicOf(come)
    this.#remember(topic)
    const waiting = this.#keys.get(topic)
    if (waiting === undefined) return
    for (const [id, [queue, key]] of waiting) {
      waiting.delete(id)
      this.#add(queue, key, afterMs)
      if (first) break
    }
    if (waiting.size === 0) this.#keys.delete(topic)
  }

  /** Milliseconds since 1970, as this process has heard of it; undefined: not that it knew. */
  lastCame(what: WaitsFor): number | undefined {
    return this.#woken.get(topicOf(what))?.at.getTime()
  }

  #remember(topic: string): void {
    this.#woken.delete(topic)
    this.#woken.set(topic, { waking: ++this.#wakings, at: new Date(this.#clock.now()) })
    if (this.#woken.size <= remembered) return
    const [oldest, { waking }] = this.#woken.entries().next().value!
    this.#woken.delete(oldest)
    this.#forgotten = waking
  }
}

/** The same text for the same thing. */
function topicOf(waitsFor: WaitsFor): string {
  switch (waitsFor.kind) {
    case 'lock':
      return `lock ${waitsFor.namespace}/${waitsFor.name}`
    case 'address':
      return `address ${waitsFor.namespace}/${waitsFor.subnet}`
    case 'segment':
      return `segment ${waitsFor.name}`
    case 'identity':
      return `identity ${waitsFor.namespace}/${waitsFor.name}`
    case 'named':
      return `named ${waitsFor.namespace}`
  }
}
