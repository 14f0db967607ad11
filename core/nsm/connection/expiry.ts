// When a server closes what nobody refreshes: networkservicemesh/sdk, pkg/networkservice/common/timeout/server.go (2026-11).
import type { Connection } from '../../wire/nsm/connection.ts'
import { msOf } from '../../wire/nsm/well-known.ts'
import { previousOf } from './path.ts'

/**
 * Milliseconds since 1970: when the token of the hop before ends, less the time that its call had left when it came in, as a refresh that
 * is under way then may take as long. Undefined where that hop has said no end.
 *
 * @param leftMs of the call's deadline, at its arrival; 0: it has none
 */
export function closesAtMs(connection: Connection, leftMs: number): number | undefined {
  const expires = previousOf(connection)?.expires
  return expires === undefined ? undefined : msOf(expires) - leftMs
}
