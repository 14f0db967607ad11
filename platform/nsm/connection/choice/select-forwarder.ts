// Of an nsmgr: the forwarder that carries a connection. It stays with its connection, unless another endpoint is asked for.
// Source: networkservicemesh/sdk, common/discoverforwarder/server.go (2026-11), with its texts.
import { ChainRefused } from '../../../../core/errors.ts'
import { forwardersFor } from '../../../../core/nsm/connection/matching.ts'
import { indexOf, segmentsOf } from '../../../../core/nsm/connection/path.ts'
import { states, type Connection } from '../../../../core/wire/nsm/connection.ts'
import type { NetworkServiceEndpoint } from '../../../../core/wire/nsm/registry.ts'
import type { Directory } from '../../directory.ts'
import type { Chain, Element } from '../chain.ts'
import { textOf } from '../hops/failure.ts'
import { slot, type Visit } from '../visit.ts'

export interface Forwarders {
  readonly directory: Directory
  /** Under which they are registered. */
  readonly service: string
}

const chosen = slot<string>('forwarder')

export function selectForwarder({ directory, service: forwarderService }: Forwarders): Element {
  const candidatesFor = async (
    { networkService, payload, labels }: Connection,
    name: string,
  ): Promise<readonly NetworkServiceEndpoint[]> => {
    const service = await directory.service(networkService, payload)
    if (service === undefined) throw new ChainRefused({ reason: `network service ${networkService} is not found` })
    const all = await directory.endpoints({ networkServiceNames: [forwarderService], name })
    const forwarders = forwardersFor(labels, service, { forwarders: all, forwarderService })
    if (forwarders.length > 0) return forwarders
    throw new ChainRefused({ reason: name === '' ? 'no candidates found' : `forwarder ${name} is not available` })
  }
  return {
    name: 'select forwarder',
    async request(visit, next) {
      const reselects = visit.connection.state === states.RESELECT_REQUESTED
      const had = reselects ? undefined : visit.kept.get(chosen)
      const candidates = await candidatesFor(visit.connection, had ?? '')
      const [connection, name] = await inOrder(
        visit,
        next,
        had === undefined && !reselects ? before(candidates, visit.connection) : candidates,
      )
      visit.kept.set(chosen, had ?? name)
      return connection
    },
    async close(visit, next) {
      const name = visit.kept.get(chosen) ?? nextOnPath(visit.connection)
      const [found] = name === '' ? [] : await directory.endpoints({ name }).catch(() => [])
      await next.close(found === undefined ? visit : { ...visit, target: found.url })
    },
  }
}

async function inOrder(visit: Visit, next: Chain, candidates: readonly NetworkServiceEndpoint[]): Promise<readonly [Connection, string]> {
  let failed: Error = new ChainRefused({ reason: 'all forwarders have failed' })
  for (const [i, { name, url }] of candidates.entries()) {
    try {
      return [await next.request({ ...visit, target: url }), name]
    } catch (err) {
      failed = new ChainRefused({
        reason: `${i}. An error during select forwarder ${name} --> ${textOf(err)}: ${failed.message}`,
        cause: err,
      })
    }
  }
  throw failed
}

const nextOnPath = (connection: Connection): string => segmentsOf(connection)[indexOf(connection) + 1]?.name ?? ''

/** After a restart of ours: the one that the path says has carried it so far changes places with the first. */
function before(candidates: readonly NetworkServiceEndpoint[], connection: Connection): readonly NetworkServiceEndpoint[] {
  const at = candidates.findIndex(({ name }) => name === nextOnPath(connection))
  if (at <= 0) return candidates
  const swapped = [...candidates]
  ;[swapped[0], swapped[at]] = [candidates[at]!, candidates[0]!]
  return swapped
}
