// What a registry finds for a query: networkservicemesh/sdk, pkg/tools/matchutils/utils.go (2026-11). What a query leaves out fits all.
import { sameJson } from '../same-json.ts'
import type { NsmSpec } from '../kinds/foreign-network-services.ts'

type ServiceSpec = NsmSpec<'NetworkService'>
type EndpointSpec = NsmSpec<'NetworkServiceEndpoint'>
type Labels = EndpointSpec['network_service_labels']

const isSame = (query: string | undefined, own: string | undefined): boolean => query === undefined || query === '' || query === own

/** @param found with its name */
export const serviceFits = (query: ServiceSpec, found: ServiceSpec): boolean =>
  isSame(query.name, found.name) &&
  isSame(query.payload, found.payload) &&
  (query.matches === undefined || sameJson(query.matches, found.matches ?? []))

/** URL: a part of it. Ends to the second. @param found with its name */
export const endpointFits = (query: EndpointSpec, found: EndpointSpec): boolean =>
  isSame(query.name, found.name) &&
  hasLabels(query.network_service_labels, found.network_service_labels) &&
  (query.expiration_time === undefined || query.expiration_time.seconds === found.expiration_time?.seconds) &&
  (query.network_service_names ?? []).every((name) => found.network_service_names?.includes(name)) &&
  (found.url ?? '').includes(query.url ?? '')

const hasLabels = (query: Labels = {}, found: Labels = {}): boolean =>
  Object.entries(query).every(([service, { labels = {} }]) => {
    const has = Object.hasOwn(found, service) ? (found[service]?.labels ?? {}) : undefined
    return has !== undefined && Object.entries(labels).every(([key, value]) => Object.hasOwn(has, key) && has[key] === value)
  })
