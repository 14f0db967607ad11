// A chain as what a gRPC server answers with: Request and Close pass it, MonitorConnections tells what its monitor element knows.
import {
  Connection,
  ConnectionEvent,
  monitorConnection,
  MonitorScopeSelector,
  networkService,
  NetworkServiceRequest,
  type Mechanism,
} from '../../../../core/wire/nsm/connection.ts'
import { Empty } from '../../../../core/wire/nsm/well-known.ts'
import type { Clock } from '../../../clock.ts'
import type { ServedCall } from '../../../grpc/caller.ts'
import { serverStream, unary, type ServedHandler } from '../../../grpc/handlers.ts'
import { method } from '../../../grpc/method.ts'
import { identityOf } from '../../identity.ts'
import { usualCallMs } from '../begin.ts'
import type { Chain } from '../chain.ts'
import { tokenOf } from '../../tokens/token.ts'
import { ConnectionMemory, type Again, type Caller, type Visit } from '../visit.ts'
import type { Owners } from './authorize.ts'
import { forgetNamespace } from './namespaces.ts'
import type { EventHub } from './event-hub.ts'

const requestMethod = method(networkService, 'Request', NetworkServiceRequest, Connection)
const closeMethod = method(networkService, 'Close', Connection, Empty)
const monitorMethod = method(monitorConnection, 'MonitorConnections', MonitorScopeSelector, ConnectionEvent)

export interface ServedChain {
  readonly chain: Chain
  readonly hub: EventHub
  readonly clock: Clock
  /** Absent: everybody may monitor everything. */
  readonly owners?: Owners | undefined
}

export function servedConnections({ chain, hub, clock, owners }: ServedChain): readonly ServedHandler[] {
  const visit = (connection: Connection, preferences: readonly Mechanism[], call: ServedCall): Visit => ({
    connection,
    preferences,
    caller: callerOf(call, clock.now()),
    kept: new ConnectionMemory(),
    again: notYet,
  })
  return [
    unary(requestMethod, ({ connection, mechanismPreferences }, call) =>
      chain.request(visit(connection ?? noConnection, mechanismPreferences, call)),
    ),
    unary(closeMethod, async (connection, call) => {
      try {
        await chain.close(visit(connection, [], call))
        return {}
      } finally {
        await forgetNamespace(connection.mechanism, call.caller.files)
      }
    }),
    serverStream(monitorMethod, (selector, call) => {
      const mayBeTold = owners?.judgeMonitor(selector, identityOf(call))
      return hub.monitor(selector, call.signal, mayBeTold)
    }),
  ]
}

const noConnection = Connection.decode(new Uint8Array())
/** Until `begin` has put its own there. */
export const notYet: Again = { request: () => Promise.resolve(false), close: () => Promise.resolve(false) }

function callerOf(call: ServedCall, now: number): Caller {
  const { deadline, signal, metadata } = call
  const leftMs = deadline === undefined ? 0 : Math.max(0, deadline - now)
  const { files } = call.caller
  return { token: tokenOf(metadata), identity: identityOf(call), leftMs, deadlineMs: deadline ?? now + usualCallMs, signal, files }
}
