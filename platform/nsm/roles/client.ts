// A client: it asks for a connection, keeps it, and closes it.
import type { Connection, Mechanism } from '../../../core/wire/nsm/connection.ts'
import { clientChain, type ClientOptions } from '../connection/chains.ts'
import { retried } from '../connection/client/retry.ts'
import { Hops } from '../connection/hops/hop.ts'
import { notYet } from '../connection/server/serve.ts'
import { ConnectionMemory, type Visit } from '../connection/visit.ts'
import { dialFrom, hopFrom, type Program } from './program.ts'

export interface ConnectionRequest {
  readonly id: string
  readonly service: string
  /** Absent: whichever the service's matches lead to. */
  readonly endpoint?: string | undefined
  readonly labels: Readonly<Record<string, string>>
  readonly preferences: readonly Mechanism[]
}

export interface Client {
  /** Tried until it is there. @throws ChainRefused, PeerUnavailable, PeerRefused once that has taken too long */
  connect(wanted: ConnectionRequest, timeoutMs: number, signal: AbortSignal): Promise<Connection>
  /** @throws as connect */
  disconnect(connection: Connection, timeoutMs: number): Promise<void>
  close(): void
}

export function openClient(program: Program, options: Omit<ClientOptions, 'hops'>): Client {
  const hops = new Hops(dialFrom(program))
  const chain = clientChain(hopFrom(program), { ...options, hops })
  const visit = (connection: Connection, deadlineMs: number, preferences: readonly Mechanism[]): Visit => ({
    connection,
    preferences,
    caller: { leftMs: deadlineMs - program.clock.now(), deadlineMs },
    kept: new ConnectionMemory(),
    again: notYet,
  })
  return {
    connect: (wanted, timeoutMs, signal) =>
      retried((deadlineMs) => chain.request(visit(draftOf(wanted), deadlineMs, wanted.preferences)), {
        clock: program.clock,
        deadlineMs: program.clock.now() + timeoutMs,
        signal,
      }),
    disconnect: (connection, timeoutMs) => chain.close(visit(connection, program.clock.now() + timeoutMs, [])),
    close: () => hops.close(),
  }
}

const draftOf = ({ id, service, endpoint = '', labels }: ConnectionRequest): Connection => ({
  id,
  networkService: service,
  labels: new Map(Object.entries(labels)),
  networkServiceEndpointName: endpoint,
  payload: '',
  state: 0,
})
