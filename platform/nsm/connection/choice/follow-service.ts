// Of an nsmgr: a connection is closed when its network service no longer leads its client to its endpoint.
// Source: networkservicemesh/sdk, common/netsvcmonitor/server.go (2026-11).
import { endpointsFor } from '../../../../core/nsm/connection/matching.ts'
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import type { NetworkService } from '../../../../core/wire/nsm/registry.ts'
import type { Directory } from '../../directory.ts'
import type { Element } from '../chain.ts'
import { slot, type Visit } from '../visit.ts'

const following = slot<AbortController>('service')

export function followService(directory: Directory): Element {
  const stop = ({ kept }: Visit): void => kept.take(following)?.abort()
  /** An endpoint that is not registered says nothing. */
  const leadsElsewhere = async (service: NetworkService, { networkServiceEndpointName: name, labels }: Connection): Promise<boolean> => {
    const found = (await directory.endpoints({ name })).filter((each) => each.name === name)
    return found.length > 0 && endpointsFor(labels, service, found).length === 0
  }
  return {
    name: 'follow service',
    async request(visit, next) {
      const connection = await next.request(visit)
      stop(visit)
      const ended = new AbortController()
      visit.kept.set(following, ended)
      const closeElsewhere = async (service: NetworkService): Promise<void> => {
        if ((await leadsElsewhere(service, connection)) && !ended.signal.aborted) await visit.again.close()
      }
      directory.watch(connection.networkService, (service) => void closeElsewhere(service).catch(() => undefined), ended.signal)
      return connection
    },
    async close(visit, next) {
      stop(visit)
      await next.close(visit)
    },
  }
}
