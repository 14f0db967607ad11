// Keys that wait for something to come: a lock to go, an object to be made. In memory, as it may be: a key that waits is
// also looked at again after a while, and after a restart every key is looked at.

export class Waiting {
  #topics = new Map<string, Map<string, readonly [queue: string, key: string]>>()
  #add: (queue: string, key: string, afterMs: number) => void

  constructor(add: (queue: string, key: string, afterMs: number) => void) {
    this.#add = add
  }

  wait(topic: string, queue: string, key: string): void {
    const waiting = this.#topics.get(topic) ?? new Map<string, readonly [string, string]>()
    this.#topics.set(topic, waiting.set(`${queue} ${key}`, [queue, key]))
  }

  /** Wakes all that wait for a topic, or the first of them. */
  wake(topic: string, { first = false, afterMs = 0 } = {}): void {
    const waiting = this.#topics.get(topic)
    if (waiting === undefined) return
    for (const [id, [queue, key]] of waiting) {
      waiting.delete(id)
      this.#add(queue, key, afterMs)
      if (first) break
    }
    if (waiting.size === 0) this.#topics.delete(topic)
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
