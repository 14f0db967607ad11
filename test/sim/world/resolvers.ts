// Who answers what addresses a name outside has: a model, for all workers the same, that may be away.
import type { NameLookup } from '../../../core/contracts/name-lookup.ts'
import type { Process } from '../process.ts'
import type { Scheduler } from '../scheduler.ts'

/** Shorter than anything is kept, and longer. */
const ttlSeconds = [5, 90] as const

export class Resolvers {
  readonly #scheduler: Scheduler
  readonly #addresses = new Map<string, readonly string[]>()
  /** Until then nobody answers. */
  downUntil = 0

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  rename(name: string, addresses: readonly string[]): void {
    this.#addresses.set(name, addresses)
  }

  addressesOf(name: string): readonly string[] {
    return this.#addresses.get(name) ?? []
  }

  lookupFor(process: Process): NameLookup {
    return {
      resolve: async (name) => {
        await process.pass(process.way(), 'a question to a resolver')
        const isDown = this.#scheduler.now < this.downUntil
        const addresses = this.addressesOf(name)
        await process.pass(process.way(), 'an answer of a resolver')
        if (isDown) throw new Error('nobody answers')
        return addresses.map((address, i) => ({ address, ttlSeconds: ttlSeconds[i % 2]! }))
      },
    }
  }
}
