// Find, by object: the candidates of a client among the endpoints there are.
import type { Resource } from '../kinds/index.ts'
import { isExpired } from './expiry.ts'
import { matchEndpoints, type Labels } from './match.ts'
import { nsmNameOf } from './named.ts'

export interface FindQuestion {
  readonly service: Resource<'NetworkService'>
  /** Of the same namespace: whoever serves a service is in its tenant's hands, or the tenant's traffic would be a stranger's to take. */
  readonly endpoints: readonly Resource<'NetworkServiceEndpoint'>[]
  /** The client's. */
  readonly labels: Labels
  /** Milliseconds since 1970. */
  readonly now: number
}

/** In the order in which they are tried, by name where nothing else says it. One that fits two routes stands there twice. */
export function candidatesOf({ service, endpoints, labels, now }: FindQuestion): readonly Resource<'NetworkServiceEndpoint'>[] {
  const name = nsmNameOf(service)
  const serving = endpoints.filter(
    ({ metadata, spec }) =>
      metadata.deletionTimestamp === undefined && (spec.network_service_names ?? []).includes(name) && !isExpired(spec, now),
  )
  return matchEndpoints({
    matches: service.spec.matches,
    labels,
    endpoints: serving.toSorted((a, b) => (nsmNameOf(a) < nsmNameOf(b) ? -1 : 1)),
    labelsOf: ({ spec }) => {
      const all = spec.network_service_labels ?? {}
      return (Object.hasOwn(all, name) ? all[name]?.labels : undefined) ?? {}
    },
  })
}
