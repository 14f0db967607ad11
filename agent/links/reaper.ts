// Deletes links by group: one message for all that were removed, since each message waits out the kernel's grace period (16 ms for
// one pair, 0.3 ms each for 200; measured 2026-11 on Linux 6.18).
import { LinkRefused, NetnsGone } from '../../core/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { refusalText, refusedAs, type Netlink, type NetlinkNamespace } from '../netlink/netlink.ts'

/** How long removed links are collected before they are deleted together. */
const collectMs = 50

export class Reaper {
  readonly #netlink: Netlink
  readonly #group: number
  readonly #onProblem: (err: unknown) => void
  readonly #places = new Set<NetlinkNamespace>()
  readonly #clock: Clock
  #cancel: (() => void) | undefined
  #last: Promise<void> = Promise.resolve()

  constructor({
    netlink,
    group,
    clock,
    onProblem,
  }: {
    readonly netlink: Netlink
    readonly group: number
    readonly clock: Clock
    readonly onProblem: (err: unknown) => void
  }) {
    this.#netlink = netlink
    this.#clock = clock
    this.#group = group
    this.#onProblem = onProblem
  }

  /** Deletes within a moment what has been put into the group, here or in another namespace. */
  soon(where?: NetlinkNamespace): void {
    this.#places.add(where)
    this.#cancel ??= this.#clock.after(collectMs, () => void this.reap().catch(this.#onProblem), { keepsAlive: true })
  }

  /** Deletes now; resolves when it is done. Later callers wait for a pass of their own, as theirs may have come too late for this one. */
  reap(): Promise<void> {
    this.#cancel?.()
    this.#cancel = undefined
    this.#last = this.#last.catch(() => undefined).then(() => this.#reap())
    return this.#last
  }

  async #reap(): Promise<void> {
    const places = new Set<NetlinkNamespace>([undefined, ...this.#places])
    this.#places.clear()
    for (const where of places) await this.#reapIn(where)
  }

  async #reapIn(where: NetlinkNamespace): Promise<void> {
    try {
      const refusal = (await this.#netlink.request([{ do: 'dropGroup', group: this.#group }], where))[0]?.refusal
      // ENODEV: nothing is in the group.
      if (refusal !== undefined && refusedAs(refusal) !== 'ENODEV')
        throw new LinkRefused({ what: 'to delete what was removed', reason: refusalText(refusal) })
    } catch (err) {
      if (!(err instanceof NetnsGone)) throw err
    }
  }

  async close(): Promise<void> {
    await this.reap()
    await this.#netlink.close()
  }
}
