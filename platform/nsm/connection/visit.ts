// What travels along a chain of elements: a connection, who asks for it, and what is kept of it between requests.
import type { Connection, Mechanism } from '../../../core/wire/nsm/connection.ts'
import type { CarriedFiles } from '../../grpc/carried-files.ts'
import type { PeerIdentity } from '../identity.ts'
import type { Token } from '../tokens/token.ts'

export interface Caller {
  /** Of the call's headers. */
  readonly token?: Token | undefined
  /** Absent where it has shown no certificate. */
  readonly identity?: PeerIdentity | undefined
  /** Milliseconds that the call had left when it came; 0: it has no deadline. */
  readonly leftMs: number
  /** Milliseconds since 1970, from which on nobody waits for the answer. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
  /** That its connection has brought; absent: it brings none. */
  readonly files?: CarriedFiles | undefined
  /** Nobody has called: the event is one of this chain's own elements. */
  readonly isOwn?: true
}

/** Events that an element begins itself, from the start of the chain behind `begin`, in their order. False: the connection is closed. */
export interface Again {
  /** reselect: Close first, then without endpoint and mechanism. @throws what the chain throws */
  request(how?: { readonly reselect?: boolean }): Promise<boolean>
  close(): Promise<boolean>
}

export interface Visit {
  readonly connection: Connection
  /** In the client's order; of a Request. */
  readonly preferences: readonly Mechanism[]
  readonly caller: Caller
  readonly kept: ConnectionMemory
  readonly again: Again
  /** URL of the next hop, where an element has chosen one. */
  readonly target?: string
}

/** What elements keep of one connection, from its first Request to its Close. */
export class ConnectionMemory {
  readonly #values = new Map<unknown, unknown>()

  get<T>(slot: Slot<T>): T | undefined {
    return this.#values.get(slot) as T | undefined
  }

  set<T>(slot: Slot<T>, value: T): void {
    this.#values.set(slot, value)
  }

  /** Takes it out. */
  take<T>(slot: Slot<T>): T | undefined {
    const value = this.get(slot)
    this.#values.delete(slot)
    return value
  }
}

/** The place of one element's own in what is kept. */
export interface Slot<T> {
  readonly of: string
  /** Never there: it carries the type. */
  readonly type?: T
}
export const slot = <T>(of: string): Slot<T> => ({ of })
