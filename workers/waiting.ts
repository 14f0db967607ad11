// Keys that wait for something to come: a lock to go, an object to be made. In memory, as it may be: a key that waits is
// also looked at again after a while, and after a restart every key is looked at.
import type { ControllerName } from './controller-names.ts'

/** Topics whose last waking is remembered; of older ones it is assumed that they may have been woken. */
const remembered = 4_096

export class Waiting {
  #topics = new Map<string, Map<string, readonly [queue: ControllerName, key: string]>>()
  #add: (queue: ControllerName, key: string, afterMs: number) => void
  #wakings = 0
  #woken = new Map<string, number>()
  #forgotten = 0

  constructor(add: (queue: ControllerName, key: string, afterMs: number) => void) {
    this.#add = add
  }

  /** To be taken before looking: what is woken between that and `wait` is not missed. */
  mark(): number {
    return this.#wakings
  }

  wait(topic: string, [queue, key]: readonly [queue: ControllerName, key: string], mark: number): void {
    if (mark < this.#forgotten || (this.#woken.get(topic) ?? 0) > mark) {
      this.#add(queue, key, 0)
      return
    }
    const waiting = this.#topics.get(topic) ?? new Map<string, readonly [ControllerName, string]>()
    this.#topics.set(topic, waiting.set(`${queue} ${key}`, [queue, key]))
  }

  /** Wakes all that wait for a topic, or the first of them. */
  wake(topic: string, { first = false, afterMs = 0 } = {}): void {
    this.#remember(topic)
    const waiting = this.#topics.get(topic)
    if (waiting === undefined) return
    for (const [id, [queue, key]] of waiting) {
      waiting.delete(id)
      this.#add(queue, key, afterMs)
      if (first) break
    }
    if (waiting.size === 0) this.#topics.delete(topic)
  }

  #remember(topic: string): void {
    this.#woken.delete(topic)
    this.#woken.set(topic, ++this.#wakings)
    if (this.#woken.size <= remembered) return
    const [oldest, waking] = this.#woken.entries().next().value!
    this.#woken.delete(oldest)
    this.#forgotten = waking
  }
}

/** What there is to wait for. */
export const topics = {
  lock: (namespace: string, name: string): string => `lock ${namespace}/${name}`,
  address: (subnet: string): string => `address ${subnet}`,
  segment: (name: string): string => `segment ${name}`,
  /** Anything that a pod of this namespace may name. */
  named: (namespace: string): string => `named ${namespace}`,
}
