// One event of a connection at a time, in the order in which they come. Close closes what was answered last, whatever its caller says.
// Elements behind it may begin events themselves. Rules: networkservicemesh/sdk, pkg/networkservice/common/begin/doc.go (2026-11).
import { ChainForbidden, ChainRefused } from '../../../core/errors.ts'
import { states, type Connection } from '../../../core/wire/nsm/connection.ts'
import type { Clock } from '../../clock.ts'
import type { Chain, Element } from './chain.ts'
import { ConnectionMemory, type Again, type Caller, type Visit } from './visit.ts'

/** Events of one connection that may wait for each other. */
const mostWaiting = 64
/** For events of our own: NSM's usual deadline of a Request. */
export const usualCallMs = 15_000

export function begin(clock: Clock): Element {
  const entries = new Map<string, Entry>()
  const entryOf = (id: string, next: Chain): Entry => {
    const entry = entries.get(id) ?? new Entry(clock, next, () => entries.delete(id))
    entries.set(id, entry)
    return entry
  }
  const request = async (visit: Visit, next: Chain): Promise<Connection> => {
    const { id } = visit.connection
    if (id === '') throw new ChainRefused({ reason: 'request.EventFactory.Id must not be zero valued' })
    const entry = entryOf(id, next)
    // Closed while this one waited: begun anew.
    return entry.inOrder(() => (entries.get(id) === entry ? entry.request(visit) : request(visit, next)))
  }
  return {
    name: 'begin',
    request,
    async close(visit) {
      const entry = entries.get(visit.connection.id)
      await entry?.inOrder(async () => {
        if (entries.get(visit.connection.id) === entry) await entry.close(visit)
      })
    },
  }
}

class Entry {
  readonly #clock: Clock
  readonly #next: Chain
  readonly #forget: () => void
  readonly #kept = new ConnectionMemory()
  readonly #again: Again
  #waiting = 0
  /** Falls when all events so far have ended. */
  #before: Promise<unknown> = Promise.resolve()
  /** With the connection that was answered; absent: there is none. */
  #last: Visit | undefined

  constructor(clock: Clock, next: Chain, forget: () => void) {
    this.#clock = clock
    this.#next = next
    this.#forget = forget
    this.#again = {
      request: ({ reselect = false } = {}) => this.inOrder(() => this.#requestAgain(reselect)),
      close: () =>
        this.inOrder(async () => this.#last !== undefined && (await this.close({ ...this.#last, caller: this.#own(this.#last.caller) }))),
    }
  }

  async inOrder<T>(event: () => Promise<T>): Promise<T> {
    if (this.#waiting >= mostWaiting) throw new ChainRefused({ reason: `${mostWaiting} events of this connection wait already` })
    this.#waiting++
    const answer = this.#before.then(event)
    this.#before = answer.catch(() => undefined)
    try {
      return await answer
    } finally {
      this.#waiting--
    }
  }

  async request(incoming: Visit): Promise<Connection> {
    if (this.#last !== undefined && incoming.connection.state === states.RESELECT_REQUESTED) {
      await this.#next.close({ ...this.#last, caller: incoming.caller }).catch(() => undefined)
      this.#last = undefined
    }
    const visit: Visit = { ...incoming, kept: this.#kept, again: this.#again }
    try {
      return this.#answered(visit, await this.#next.request(visit))
    } catch (err) {
      if (this.#last === undefined) this.#forget()
      throw err
    }
  }

  /** False: there was none. */
  async close({ caller }: Visit): Promise<boolean> {
    const last = this.#last
    if (last === undefined) return false
    try {
      await this.#next.close({ ...last, caller })
    } catch (err) {
      if (!(err instanceof ChainForbidden)) this.#drop()
      throw err
    }
    this.#drop()
    return true
  }

  async #requestAgain(reselect: boolean): Promise<boolean> {
    const last = this.#last
    if (last === undefined) return false
    const caller = this.#own(last.caller)
    if (reselect) await this.#next.close({ ...last, caller }).catch(() => undefined)
    const connection = reselect ? withoutChoice(last.connection) : last.connection
    this.#answered(last, await this.#next.request({ ...last, connection, caller }))
    return true
  }

  #drop(): void {
    this.#last = undefined
    this.#forget()
  }

  #answered(visit: Visit, answer: Connection): Connection {
    const connection = { ...answer, state: states.UP }
    this.#last = { ...visit, connection }
    return connection
  }

  /** Nobody has called: the same token, and a deadline of its own. */
  #own = ({ token, identity, leftMs }: Caller): Caller => {
    const ms = leftMs === 0 ? usualCallMs : leftMs
    return { token, identity, leftMs: ms, deadlineMs: this.#clock.now() + ms, isOwn: true }
  }
}

/** Name and address stay; who serves it, and how it is carried, are open again. */
function withoutChoice({ mechanism: _, ...connection }: Connection): Connection {
  return { ...connection, networkServiceEndpointName: '', state: states.RESELECT_REQUESTED }
}
