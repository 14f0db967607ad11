// What others take away of what the kernel is to route for us: the kernel tells, so it is not first found by the next audit.
import { keyOf, type KernelRoute } from '../../core/routing/kernel-routes.ts'
import type { NetlinkEvent } from '../../core/wire/netlink/netlink.ts'
import type { Netlink } from '../netlink/netlink.ts'

export class RoutingDrift {
  readonly #keysOf: (event: NetlinkEvent) => readonly string[]
  /** What is there, as far as we have seen it or made it. */
  readonly #there = new Set<string>()
  #stop: (() => void) | undefined

  /** @param keysOf of what may be ours */
  constructor(keysOf: (event: NetlinkEvent) => readonly string[]) {
    this.#keysOf = keysOf
  }

  /** @param wake called when something of ours has gone that nobody here drops, and when some of what was told is lost */
  async follow(netlink: Netlink, wake: () => void): Promise<void> {
    const { stop } = await netlink.listen(
      ['links', 'rules', 'tableRoutes', 'neighbours'],
      (events) => {
        const taken = events?.flatMap((event) => (event.gone ? this.#keysOf(event) : [])).filter((key) => this.#there.delete(key))
        if (taken?.length !== 0) wake()
      },
      'gone',
    )
    this.#stop = stop
  }

  /** All that there is. */
  seen(things: readonly KernelRoute[]): void {
    this.#there.clear()
    this.put(things)
  }

  put(things: readonly KernelRoute[]): void {
    for (const thing of things) this.#there.add(keyOf(thing))
  }

  /** Before it is dropped: what is told of it afterwards is our own doing. */
  drop(things: readonly KernelRoute[]): void {
    for (const thing of things) this.#there.delete(keyOf(thing))
  }

  close(): void {
    this.#stop?.()
  }
}
