// The methods of NSM's two registries, as whoever calls them and whoever serves them has them.
import {
  NetworkService,
  NetworkServiceEndpoint,
  NetworkServiceEndpointQuery,
  networkServiceEndpointRegistry,
  NetworkServiceEndpointResponse,
  NetworkServiceQuery,
  networkServiceRegistry,
  NetworkServiceResponse,
} from '../../core/wire/nsm/registry.ts'
import { Empty } from '../../core/wire/nsm/well-known.ts'
import { method } from '../grpc/method.ts'

export const serviceMethods = {
  register: method(networkServiceRegistry, 'Register', NetworkService, NetworkService),
  find: method(networkServiceRegistry, 'Find', NetworkServiceQuery, NetworkServiceResponse),
  unregister: method(networkServiceRegistry, 'Unregister', NetworkService, Empty),
}
export const endpointMethods = {
  register: method(networkServiceEndpointRegistry, 'Register', NetworkServiceEndpoint, NetworkServiceEndpoint),
  find: method(networkServiceEndpointRegistry, 'Find', NetworkServiceEndpointQuery, NetworkServiceEndpointResponse),
  unregister: method(networkServiceEndpointRegistry, 'Unregister', NetworkServiceEndpoint, Empty),
}
