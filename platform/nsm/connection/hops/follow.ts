// What the next hop tells of one connection, as the connection is here. Rules: networkservicemesh/sdk, common/monitor/client_filter.go and
// common/heal/client_filter.go (2026-11).
import { indexOf, segmentsOf } from '../../../../core/nsm/connection/path.ts'
import { Connection, eventTypes, states, type ConnectionEvent } from '../../../../core/wire/nsm/connection.ts'
import { tokenHeaders } from './headers.ts'
import type { Tokens } from '../../tokens/token.ts'
import type { Hop } from './hop.ts'

export interface FollowOptions {
  readonly tokens: Tokens
}
interface Following extends FollowOptions {
  /** isFirst: of what there was when the stream began. */
  isNews(event: Connection, isFirst: boolean): boolean
  notify(connection: Connection): void
}

/**
 * Tells of each change, as UP, DOWN, or what the other hop says; of its end as DOWN, whoever has ended it, unless the signal has fallen or
 * the call was cancelled.
 */
export function followConnection(hop: Hop, connection: Connection, signal: AbortSignal, following: Following): void {
  const known = new FollowedConnection(connection, following)
  const { name = '', id = '' } = segmentsOf(connection)[indexOf(connection)] ?? {}
  const follower = { segment: { name, id }, signal, hear: (event: ConnectionEvent) => known.hear(event), lose: () => known.lose() }
  hop.events.follow(follower, async () => tokenHeaders(await following.tokens.make(await hop.identity())))
}

/** The connection as the last event has it. */
class FollowedConnection {
  #connection: Connection
  readonly #following: Following

  constructor(connection: Connection, following: Following) {
    this.#connection = connection
    this.#following = following
  }

  hear({ type, connections }: ConnectionEvent): void {
    for (const other of connections.values()) {
      if (!isOf(this.#connection, other)) continue
      const event = seenHere(this.#connection, other, type === eventTypes.DELETE)
      if (!this.#following.isNews(event, type === eventTypes.INITIAL_STATE_TRANSFER) || isSame(event, this.#connection)) continue
      this.#connection = event
      this.#following.notify(event)
    }
  }

  lose(): void {
    this.#following.notify({ ...this.#connection, state: states.DOWN })
  }
}

/** It passes through here, and is told by this hop or the next one. */
function isOf(known: Connection, other: Connection): boolean {
  const index = indexOf(known)
  return segmentsOf(other)[index]?.id === known.id && (indexOf(other) === index || indexOf(other) === index + 1)
}

const seenHere = (known: Connection, other: Connection, isDeleted: boolean): Connection => ({
  ...known,
  ...(other.context !== undefined && { context: other.context }),
  path: { index: indexOf(known), pathSegments: segmentsOf(other) },
  state: isDeleted ? states.DOWN : other.state,
})

const isSame = (a: Connection, b: Connection): boolean => Buffer.compare(Connection.encode(a), Connection.encode(b)) === 0
