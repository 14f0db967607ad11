// The next hop of a connection: the gRPC channel to it is shared by all connections that go there.
import type { Dial, Dialled } from '../../dial.ts'
import { slot, type ConnectionMemory } from '../visit.ts'
import { HopEvents } from './hop-events.ts'

export interface Hop extends Dialled {
  readonly url: string
  /** Of all connections that go there. */
  readonly events: HopEvents
  /** To be called once: the last one closes the channel. */
  release(): void
}

const slotOfHop = slot<Hop>('next hop')
export const hopOf = (kept: ConnectionMemory): Hop | undefined => kept.get(slotOfHop)
export const keepHop = (kept: ConnectionMemory, hop: Hop): void => kept.set(slotOfHop, hop)
export const takeHop = (kept: ConnectionMemory): Hop | undefined => kept.take(slotOfHop)

interface Shared {
  readonly dialled: Dialled
  readonly events: HopEvents
  users: number
}

export class Hops {
  readonly #dial: Dial
  readonly #shared = new Map<string, Shared>()

  constructor(dial: Dial) {
    this.#dial = dial
  }

  take(url: string): Hop {
    const shared = this.#shared.get(url) ?? this.#open(url)
    this.#shared.set(url, shared)
    shared.users++
    let isReleased = false
    return {
      url,
      ...shared.dialled,
      events: shared.events,
      release: () => {
        if (isReleased) return
        isReleased = true
        if (--shared.users > 0) return
        this.#shared.delete(url)
        shared.dialled.channel.close()
      },
    }
  }

  #open(url: string): Shared {
    const dialled = this.#dial(url)
    return { dialled, events: new HopEvents(dialled.channel), users: 0 }
  }

  close(): void {
    for (const { dialled } of this.#shared.values()) dialled.channel.close()
    this.#shared.clear()
  }
}
