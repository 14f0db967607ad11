// The two registries of NSM: who offers a network service, and how a client's labels choose among them.
// Source: github.com/networkservicemesh/api (Apache-2.0), pkg/api/registry/registry.proto (2026-11).
import { bool, define, map, message, repeated, string, uint32, type ReadOf, type WrittenOf } from '../protobuf/protobuf.ts'
import { Timestamp } from './well-known.ts'

/** Each has Register, Find (a stream of answers) and Unregister. */
export const networkServiceRegistry = 'registry.NetworkServiceRegistry'
export const networkServiceEndpointRegistry = 'registry.NetworkServiceEndpointRegistry'

const labels = { labels: map<string, string, string, false>('string', string(1)) }
export const Metadata = define('registry.Metadata', labels)
export const NetworkServiceLabels = define('registry.NetworkServiceLabels', labels)
export type NetworkServiceLabels = ReadOf<typeof NetworkServiceLabels>

export const Destination = define('registry.Destination', {
  destinationSelector: map<string, string, string, false>('string', string(1)),
  weight: uint32(2),
})
export const Match = define('registry.Match', {
  sourceSelector: map<string, string, string, false>('string', string(1)),
  routes: repeated(message(2, Destination)),
  fallthrough: bool(3),
  metadata: message(4, Metadata),
})
export type Match = ReadOf<typeof Match>

/** `pathIds`: SPIFFE ids of who registered it and of every server on the way. */
export const NetworkService = define('registry.NetworkService', {
  name: string(1),
  payload: string(2),
  matches: repeated(message(3, Match)),
  pathIds: repeated(string(4)),
})
export type NetworkService = ReadOf<typeof NetworkService>
export type NetworkServiceDraft = WrittenOf<typeof NetworkService>

/** `networkServiceLabels`: by name of the network service, of those in `networkServiceNames`. */
export const NetworkServiceEndpoint = define('registry.NetworkServiceEndpoint', {
  name: string(1),
  networkServiceNames: repeated(string(2)),
  networkServiceLabels: map<string, NetworkServiceLabels, WrittenOf<typeof NetworkServiceLabels>, true>(
    'string',
    message(3, NetworkServiceLabels),
  ),
  url: string(4),
  expirationTime: message(5, Timestamp),
  initialRegistrationTime: message(6, Timestamp),
  pathIds: repeated(string(7)),
})
export type NetworkServiceEndpoint = ReadOf<typeof NetworkServiceEndpoint>
export type NetworkServiceEndpointDraft = WrittenOf<typeof NetworkServiceEndpoint>

export const NetworkServiceQuery = define('registry.NetworkServiceQuery', { networkService: message(1, NetworkService), watch: bool(2) })
export const NetworkServiceResponse = define('registry.NetworkServiceResponse', {
  networkService: message(1, NetworkService),
  deleted: bool(2),
})
export const NetworkServiceEndpointQuery = define('registry.NetworkServiceEndpointQuery', {
  networkServiceEndpoint: message(1, NetworkServiceEndpoint),
  watch: bool(2),
})
export const NetworkServiceEndpointResponse = define('registry.NetworkServiceEndpointResponse', {
  networkServiceEndpoint: message(1, NetworkServiceEndpoint),
  deleted: bool(2),
})
