// The connections of one server as monitors see them: all of them first, then each change in order.
import { ChainRefused } from '../../../../core/errors.ts'
import { segmentsOf } from '../../../../core/nsm/connection/path.ts'
import { selects } from '../../../../core/nsm/connection/monitor-selector.ts'
import { eventTypes, type Connection, type ConnectionEvent, type MonitorScopeSelector } from '../../../../core/wire/nsm/connection.ts'

/** Events that one monitor may be behind: one that does not read is ended. */
const mostBehind = 1_000

export class EventHub {
  readonly #connections = new Map<string, Connection>()
  /** By the ids of path segments: a monitor of one connection is found, and finds it, however many there are. */
  readonly #bySegment = new Map<string, Set<string>>()
  readonly #monitors = new Map<string, Set<Monitor>>()

  /** How many connections there are. */
  get size(): number {
    return this.#connections.size
  }

  update(connection: Connection): void {
    this.#forget(connection.id)
    this.#connections.set(connection.id, connection)
    for (const { id } of segmentsOf(connection)) addTo(this.#bySegment, id, connection.id)
    this.#notify(eventTypes.UPDATE, connection)
  }

  delete(connection: Connection): void {
    this.#forget(connection.id)
    this.#notify(eventTypes.DELETE, connection)
  }

  #forget(id: string): void {
    const known = this.#connections.get(id)
    if (known === undefined) return
    this.#connections.delete(id)
    for (const segment of segmentsOf(known)) dropFrom(this.#bySegment, segment.id, id)
  }

  /** Ends when the signal falls. @param mayBeTold of those that are selected @throws ChainRefused where it is read too slowly */
  async *monitor(
    selector: MonitorScopeSelector,
    signal: AbortSignal,
    mayBeTold: (connection: Connection) => boolean = () => true,
  ): AsyncGenerator<ConnectionEvent, void, undefined> {
    const monitor = new Monitor(selector, mayBeTold)
    const segment = segmentOf(selector)
    addTo(this.#monitors, segment, monitor)
    const wake = (): void => monitor.wake()
    signal.addEventListener('abort', wake)
    try {
      const ids = segment === '' ? this.#connections.keys() : (this.#bySegment.get(segment) ?? [])
      const selected = [...ids].map((id) => this.#connections.get(id)!).filter((connection) => monitor.takes(connection))
      yield { type: eventTypes.INITIAL_STATE_TRANSFER, connections: new Map(selected.map((each) => [each.id, each])) }
      for (;;) {
        if (signal.aborted) return
        const event = monitor.next()
        if (event === undefined) await monitor.more()
        else yield event
      }
    } finally {
      signal.removeEventListener('abort', wake)
      dropFrom(this.#monitors, segment, monitor)
    }
  }

  #notify(type: number, connection: Connection): void {
    for (const id of new Set(['', ...segmentsOf(connection).map((segment) => segment.id)]))
      for (const monitor of this.#monitors.get(id) ?? [])
        if (monitor.takes(connection, type)) monitor.add({ type, connections: new Map([[connection.id, connection]]) })
  }
}

/** The id that all connections of a selector have in their paths; empty: it says none. */
const segmentOf = ({ pathSegments }: MonitorScopeSelector): string => pathSegments.find(({ id }) => id !== '')?.id ?? ''

function addTo<T>(index: Map<string, Set<T>>, key: string, value: T): void {
  index.set(key, (index.get(key) ?? new Set()).add(value))
}

function dropFrom<T>(index: Map<string, Set<T>>, key: string, value: T): void {
  const all = index.get(key)
  all?.delete(value)
  if (all?.size === 0) index.delete(key)
}

class Monitor {
  readonly #selector: MonitorScopeSelector
  readonly #mayBeTold: (connection: Connection) => boolean
  /** Ids. Of what was told the end is told too, when it is nobody's any more. */
  readonly #taken = new Set<string>()
  #events: ConnectionEvent[] = []
  #wake: (() => void) | undefined
  #isLost = false

  constructor(selector: MonitorScopeSelector, mayBeTold: (connection: Connection) => boolean) {
    this.#selector = selector
    this.#mayBeTold = mayBeTold
  }

  takes(connection: Connection, type: number = eventTypes.UPDATE): boolean {
    if (!selects(this.#selector, connection)) return false
    const { id } = connection
    if (type === eventTypes.DELETE) return this.#taken.delete(id) || this.#mayBeTold(connection)
    if (!this.#taken.has(id) && !this.#mayBeTold(connection)) return false
    this.#taken.add(id)
    return true
  }

  add(event: ConnectionEvent): void {
    if (this.#events.length >= mostBehind) {
      this.#isLost = true
      this.#events = []
    }
    if (!this.#isLost) this.#events.push(event)
    this.wake()
  }

  next(): ConnectionEvent | undefined {
    if (this.#isLost) throw new ChainRefused({ reason: `this monitor is more than ${mostBehind} events behind: begin anew` })
    return this.#events.shift()
  }

  wake(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve))
  }
}
