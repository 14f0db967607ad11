// Lists of the kernel's that are followed: each is taken when somebody first asks for it, changes with what the kernel tells, and is taken
// anew where what was told does not say all: some of it was lost (ENOBUFS), or the kernel takes things away without a word.
import type { Listed, NetlinkEvent } from '../../core/wire/netlink/netlink.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Netlink } from './netlink.ts'
import { RouteRows, RowsByKey, type ListRows } from './list-rows.ts'

type Followed = Pick<Listed, 'links' | 'addresses' | 'tableRoutes'>
const followed = ['links', 'addresses', 'tableRoutes'] as const satisfies readonly (keyof Followed)[]
type ListName = (typeof followed)[number]

/** Against what is told of nowhere: whatever happens, no list that is asked for is older. */
const oldestMs = 60_000

export interface FollowedListsOptions {
  /** Asked once somebody wants a list; it is closed with `stop`. */
  readonly open: () => Promise<Netlink>
  readonly clock: Clock
  /** Called for each change that is told; without one: anything may have changed. */
  readonly onChange?: (event?: NetlinkEvent) => void
}

export class FollowedLists {
  readonly #options: FollowedListsOptions
  readonly #rows: { readonly [K in ListName]: ListRows<Followed[K]> } = {
    links: new RowsByKey(
      (event) => (event.kind === 'links' ? event.link : undefined),
      ({ index }) => String(index),
    ),
    addresses: new RowsByKey(
      (event) => (event.kind === 'addresses' ? event.address : undefined),
      ({ index, address }) => `${index} ${address}`,
    ),
    tableRoutes: new RouteRows(),
  }
  /** Those that are as the kernel has them, and when each was taken. */
  readonly #current = new Map<ListName, number>()
  /** What is told of a list while it is taken may be from before or after: in their order events lead to the same in either case. */
  readonly #meanwhile = new Map<ListName, NetlinkEvent[]>()
  /** Interfaces that are up. */
  readonly #up = new Set<number>()
  #opened: { readonly netlink: Netlink; stop(): void } | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: FollowedListsOptions) {
    this.#options = options
  }

  /** As the kernel has it, or had it a moment ago. @throws LinkRefused: what is not known must not look like nothing */
  async of<K extends ListName>(what: K): Promise<Iterable<Followed[K]>> {
    const take = (): Promise<void> => this.#take(what)
    const taken = this.#last.then(take, take)
    this.#last = taken
    await taken
    return this.#rows[what].all()
  }

  async stop(): Promise<void> {
    await this.#last.catch(() => undefined)
    const opened = this.#opened
    this.#opened = undefined
    this.#doubt(...followed)
    opened?.stop()
    await opened?.netlink.close()
  }

  async #take<K extends ListName>(what: K): Promise<void> {
    const now = this.#options.clock.elapsed()
    const since = this.#current.get(what)
    if (since !== undefined && now - since < oldestMs) return
    const netlink = await this.#listen()
    const meanwhile: NetlinkEvent[] = []
    this.#current.set(what, now)
    this.#meanwhile.set(what, meanwhile)
    const rows: ListRows<Followed[K]> = this.#rows[what]
    try {
      rows.set(await netlink.list(what))
    } catch (err) {
      this.#doubt(what)
      throw err
    } finally {
      this.#meanwhile.delete(what)
    }
    for (const event of meanwhile) this.#tell(what, event)
  }

  /** Before anything is listed: what changes from then on is heard. */
  async #listen(): Promise<Netlink> {
    if (this.#opened !== undefined) return this.#opened.netlink
    const netlink = await this.#options.open()
    try {
      const { stop } = await netlink.listen(followed, (events) => this.#hear(events))
      for (const { index, up } of await netlink.list('links').catch(stopped(stop))) if (up) this.#up.add(index)
      this.#opened = { netlink, stop }
      return netlink
    } catch (err) {
      await netlink.close()
      throw err
    }
  }

  #hear(events: readonly NetlinkEvent[] | undefined): void {
    const { onChange } = this.#options
    if (events === undefined) {
      this.#doubt(...followed)
      return onChange?.()
    }
    for (const event of events) {
      const what = followed.find((each) => each === event.kind)
      if (what === undefined) continue
      const meanwhile = this.#meanwhile.get(what)
      if (meanwhile === undefined) this.#tell(what, event)
      else meanwhile.push(event)
      this.#takenAlong(event)
      onChange?.(event)
    }
  }

  #tell(what: ListName, event: NetlinkEvent): void {
    if (this.#current.has(what) && !this.#rows[what].take(event)) this.#doubt(what)
  }

  /** IPv4's routes go without a word with their interface, or with the address that they send from (net/ipv4/fib_semantics.c). */
  #takenAlong(event: NetlinkEvent): void {
    if (event.kind === 'addresses' && event.gone) this.#doubt('tableRoutes')
    if (event.kind !== 'links') return
    const { index, up } = event.link
    if (up && !event.gone) this.#up.add(index)
    else if (this.#up.delete(index)) this.#doubt('addresses', 'tableRoutes')
  }

  #doubt(...all: readonly ListName[]): void {
    for (const what of all) this.#current.delete(what)
  }
}

const stopped =
  (stop: () => void) =>
  (err: unknown): never => {
    stop()
    throw err
  }
