// Of a forwarder: the endpoints of the service that its client may have, one after the other, until one takes the connection.
// Sources: networkservicemesh/sdk, common/discover/server.go and common/roundrobin (2026-11), with their texts.
import { ChainRefused } from '../../../../core/errors.ts'
import { endpointsFor } from '../../../../core/nsm/connection/matching.ts'
import { msOf } from '../../../../core/wire/nsm/well-known.ts'
import type { NetworkServiceEndpoint } from '../../../../core/wire/nsm/registry.ts'
import type { Connection } from '../../../../core/wire/nsm/connection.ts'
import type { Clock } from '../../../clock.ts'
import type { Directory } from '../../directory.ts'
import type { Chain, Element } from '../chain.ts'
import { textOf } from '../hops/failure.ts'
import type { Visit } from '../visit.ts'

export function selectEndpoint(directory: Directory, clock: Clock): Element {
  const chosen = new Map<string, number>()
  const named = async (name: string): Promise<NetworkServiceEndpoint> => {
    const found = (await directory.endpoints({ name })).find((each) => each.name === name)
    if (found === undefined) throw new ChainRefused({ reason: `network service endpoint ${name} not found` })
    return found
  }
  const candidatesFor = async ({ networkService: name, payload, labels }: Connection): Promise<Candidates> => {
    const service = await directory.service(name, payload)
    if (service === undefined) throw new ChainRefused({ reason: `network service ${name} is not found` })
    const all = await directory.endpoints({ networkServiceNames: [service.name] })
    const there = all.filter(({ expirationTime: end }) => end === undefined || msOf(end) > clock.now())
    const endpoints = endpointsFor(labels, service, there)
    if (endpoints.length === 0) throw new ChainRefused({ reason: 'network service endpoint candidates not found' })
    return { payload: service.payload, service: service.name, endpoints }
  }
  const oneAfterTheOther = async (visit: Visit, next: Chain, { service, payload, endpoints }: Candidates): Promise<Connection> => {
    let failed: Error = new ChainRefused({ reason: 'all candidates have failed' })
    for (let tried = 0; tried < endpoints.length; tried++) {
      const count = chosen.get(service) ?? 0
      chosen.set(service, count + 1)
      const { name, url } = endpoints[count % endpoints.length]!
      const connection = { ...visit.connection, payload, networkServiceEndpointName: name }
      try {
        return await next.request({ ...visit, connection, target: url })
      } catch (err) {
        failed = new ChainRefused({
          reason: `${tried}. An error during select endpoint ${name} --> ${textOf(err)}: ${failed.message}`,
          cause: err,
        })
      }
    }
    throw failed
  }
  return {
    name: 'select endpoint',
    async request(visit, next) {
      const name = visit.connection.networkServiceEndpointName
      if (name === '') return oneAfterTheOther(visit, next, await candidatesFor(visit.connection))
      return next.request({ ...visit, target: (await named(name)).url })
    },
    async close(visit, next) {
      const found = await named(visit.connection.networkServiceEndpointName).catch(() => undefined)
      await next.close(found === undefined ? visit : { ...visit, target: found.url })
    },
  }
}

interface Candidates {
  readonly service: string
  readonly payload: string
  readonly endpoints: readonly NetworkServiceEndpoint[]
}
