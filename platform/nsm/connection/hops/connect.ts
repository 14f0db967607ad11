// The next hop by gRPC: the same call with the connection as it is here. Another URL than before ends what was there first.
import { ChainRefused } from '../../../../core/errors.ts'
import { Connection, networkService, NetworkServiceRequest } from '../../../../core/wire/nsm/connection.ts'
import { Empty } from '../../../../core/wire/nsm/well-known.ts'
import type { Clock } from '../../../clock.ts'
import type { CallOptions } from '../../../grpc/channel.ts'
import { method } from '../../../grpc/method.ts'
import type { Element } from '../chain.ts'
import type { Tokens } from '../../tokens/token.ts'
import type { Caller, Visit } from '../visit.ts'
import { withTextBefore } from './failure.ts'
import { tokenHeaders } from './headers.ts'
import { hopOf, keepHop, takeHop, type Hop, type Hops } from './hop.ts'

const requestCall = method(networkService, 'Request', NetworkServiceRequest, Connection)
const closeCall = method(networkService, 'Close', Connection, Empty)

export interface ConnectOptions {
  readonly hops: Hops
  readonly tokens: Tokens
  readonly clock: Clock
  /** Somebody else is before us: what fails while closing says so. */
  readonly passes: boolean
}

export function connect({ hops, tokens, clock, passes }: ConnectOptions): Element {
  const options = async (hop: Hop, { deadlineMs, signal }: Caller): Promise<CallOptions> => ({
    headers: tokenHeaders(await tokens.make(await hop.identity())),
    timeoutMs: Math.max(1, deadlineMs - clock.now()),
    ...(signal !== undefined && { signal }),
  })
  const close = async (hop: Hop, { connection, caller }: Visit): Promise<void> => {
    // Nobody waits for the answer where its caller has gone; what is behind this hop is closed all the same.
    await hop.channel.unary(closeCall, connection, await options(hop, { ...caller, signal: undefined }))
  }
  /** The hop that the connection had, or the one of the URL. */
  const hopFor = async (visit: Visit): Promise<{ readonly hop: Hop; readonly isNew: boolean }> => {
    const had = hopOf(visit.kept)
    if (had !== undefined && (visit.target === undefined || visit.target === had.url)) return { hop: had, isNew: false }
    if (visit.target === undefined) throw new ChainRefused({ reason: 'no grpc.ClientConnInterface provided' })
    if (had !== undefined) {
      takeHop(visit.kept)
      await close(had, visit).catch(() => undefined)
      had.release()
    }
    return { hop: hops.take(visit.target), isNew: true }
  }
  return {
    name: 'connect',
    async request(visit) {
      const { hop, isNew } = await hopFor(visit)
      const { connection, preferences, caller } = visit
      try {
        const answer = await hop.channel.unary(requestCall, { connection, mechanismPreferences: preferences }, await options(hop, caller))
        keepHop(visit.kept, hop)
        return answer
      } catch (err) {
        if (isNew) hop.release()
        throw err
      }
    },
    async close(visit) {
      const had = takeHop(visit.kept)
      const hop = visit.target !== undefined && visit.target !== had?.url ? hops.take(visit.target) : had
      try {
        if (hop !== undefined) await close(hop, visit)
      } catch (err) {
        throw passes ? withTextBefore('errors during client close: ', err) : err
      } finally {
        hop?.release()
        if (had !== hop) had?.release()
      }
    },
  }
}
