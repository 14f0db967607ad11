// Netlink that is cut off after so many requests, also inside a batch: what an agent that is killed has done by then.
import type { NetlinkAnswer, NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Netlink, NetlinkNamespace } from '../../agent/netlink/netlink.ts'

/** Cuts off at the n-th batch. */
export class CutNetlink implements Netlink {
  readonly carrier = 'cut'
  readonly #of: Netlink
  #left: number
  constructor(of: Netlink, left: number) {
    this.#of = of
    this.#left = left
  }

  get cut(): boolean {
    return this.#left < 0
  }

  #pass(): void {
    if (--this.#left < 0) throw new Error('cut off')
  }

  async request(asks: readonly NetlinkRequest[], where?: NetlinkNamespace): Promise<readonly NetlinkAnswer[]> {
    // Cut off inside a batch as well: between any two messages.
    const answers: NetlinkAnswer[] = []
    for (const ask of asks) {
      this.#pass()
      answers.push(...(await this.#of.request([ask], where)))
    }
    return answers
  }

  async requestWithoutOffload(asks: readonly NetlinkRequest[], where: NetlinkNamespace, ifname: string): Promise<readonly NetlinkAnswer[]> {
    this.#pass()
    return this.#of.requestWithoutOffload(asks, where, ifname)
  }

  list: Netlink['list'] = (what, where) => this.#of.list(what, where)
  listen: Netlink['listen'] = (what, wake) => this.#of.listen(what, wake)
  frame: Netlink['frame'] = (ifname, bytes, where) => this.#of.frame(ifname, bytes, where)
  tap: Netlink['tap'] = (ifname, mode, where, more) => this.#of.tap(ifname, mode, where, more)
  close = (): Promise<void> => Promise.resolve()
}
