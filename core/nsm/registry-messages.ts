// Messages of NSM's registry as specs of objects, and back. A spec leaves out what is empty, as Go's encoding/json does.
import type { NsmSpec } from '../kinds/foreign-network-services.ts'
import type {
  Match,
  NetworkService,
  NetworkServiceDraft,
  NetworkServiceEndpoint,
  NetworkServiceEndpointDraft,
} from '../wire/nsm/registry.ts'
import type { Timestamp } from '../wire/nsm/well-known.ts'

type ServiceSpec = NsmSpec<'NetworkService'>
type EndpointSpec = NsmSpec<'NetworkServiceEndpoint'>
type StoredMatch = NonNullable<ServiceSpec['matches']>[number]
type Stored = NonNullable<EndpointSpec['expiration_time']>
type Labels = Readonly<Record<string, string>>

const text = <K extends string>(key: K, value: string): { readonly [Key in K]?: string } =>
  (value === '' ? {} : { [key]: value }) as { readonly [Key in K]?: string }
const list = <K extends string, T>(key: K, value: readonly T[]): { readonly [Key in K]?: T[] } =>
  (value.length === 0 ? {} : { [key]: [...value] }) as { readonly [Key in K]?: T[] }
const labelsOf = (map: ReadonlyMap<string, string>): Record<string, string> => Object.fromEntries(map)
const mapOf = (labels: Labels | undefined): ReadonlyMap<string, string> => new Map(Object.entries(labels ?? {}))
const storedTime = ({ seconds, nanos }: Timestamp): Stored => ({ seconds, ...(nanos !== 0 && { nanos }) })
const timeOf = ({ seconds = 0, nanos = 0 }: Stored): Timestamp => ({ seconds, nanos })

export const serviceSpecOf = ({ name, payload, matches, pathIds }: NetworkService): ServiceSpec => ({
  ...text('name', name),
  ...text('payload', payload),
  ...list('matches', matches.map(storedMatch)),
  ...list('path_ids', pathIds),
})

const storedMatch = ({ sourceSelector, routes, fallthrough, metadata }: Match): StoredMatch => ({
  ...(sourceSelector.size > 0 && { source_selector: labelsOf(sourceSelector) }),
  ...list(
    'routes',
    routes.map(({ destinationSelector, weight }) => ({
      ...(destinationSelector.size > 0 && { destination_selector: labelsOf(destinationSelector) }),
      ...(weight !== 0 && { weight }),
    })),
  ),
  ...(fallthrough && { fallthrough }),
  ...(metadata !== undefined && { metadata: metadata.labels.size > 0 ? { labels: labelsOf(metadata.labels) } : {} }),
})

export const serviceMessageOf = ({ name, payload, matches = [], path_ids: pathIds }: ServiceSpec): NetworkServiceDraft => ({
  name,
  payload,
  pathIds,
  matches: matches.map(({ source_selector: source, routes = [], fallthrough, metadata }) => ({
    sourceSelector: mapOf(source),
    routes: routes.map(({ destination_selector: destination, weight }) => ({ destinationSelector: mapOf(destination), weight })),
    fallthrough,
    ...(metadata && { metadata: { labels: mapOf(metadata.labels) } }),
  })),
})

export const endpointSpecOf = (endpoint: NetworkServiceEndpoint): EndpointSpec => ({
  ...text('name', endpoint.name),
  ...list('network_service_names', endpoint.networkServiceNames),
  ...(endpoint.networkServiceLabels.size > 0 && {
    network_service_labels: Object.fromEntries(
      [...endpoint.networkServiceLabels].map(([service, { labels }]) => [service, labels.size > 0 ? { labels: labelsOf(labels) } : {}]),
    ),
  }),
  ...text('url', endpoint.url),
  ...(endpoint.expirationTime && { expiration_time: storedTime(endpoint.expirationTime) }),
  ...(endpoint.initialRegistrationTime && { initial_registration_time: storedTime(endpoint.initialRegistrationTime) }),
  ...list('path_ids', endpoint.pathIds),
})

export const endpointMessageOf = (spec: EndpointSpec): NetworkServiceEndpointDraft => ({
  name: spec.name,
  networkServiceNames: spec.network_service_names,
  networkServiceLabels: new Map(
    Object.entries(spec.network_service_labels ?? {}).map(([service, { labels }]) => [service, { labels: mapOf(labels) }]),
  ),
  url: spec.url,
  ...(spec.expiration_time && { expirationTime: timeOf(spec.expiration_time) }),
  ...(spec.initial_registration_time && { initialRegistrationTime: timeOf(spec.initial_registration_time) }),
  pathIds: spec.path_ids,
})
