// Which endpoints of a network service a client may have, and which forwarders: networkservicemesh/sdk, pkg/tools/matchutils/utils.go and
// common/discoverforwarder/server.go (2026-11). Over messages of the registry, as a peer of any make has sent them.
import type { Match, NetworkService, NetworkServiceEndpoint } from '../../wire/nsm/registry.ts'
import { isSubset, matchEndpoints } from '../match.ts'
import { serviceSpecOf } from '../registry-messages.ts'

type Labels = ReadonlyMap<string, string>
const plain = (labels: Labels): Readonly<Record<string, string>> => Object.fromEntries(labels)

const labelsOf = (endpoint: NetworkServiceEndpoint, service: string): Labels =>
  endpoint.networkServiceLabels.get(service)?.labels ?? new Map<string, string>()

/** In the order of matches, routes and endpoints; one that fits two routes is there twice. */
export const endpointsFor = (
  client: Labels,
  service: NetworkService,
  endpoints: readonly NetworkServiceEndpoint[],
): readonly NetworkServiceEndpoint[] =>
  matchEndpoints({
    matches: serviceSpecOf(service).matches,
    labels: plain(client),
    endpoints,
    labelsOf: (endpoint) => plain(labelsOf(endpoint, service.name)),
  })

/** What a match wants of forwarders, where it does not say. */
const pointToPoint: Labels = new Map([['p2p', 'true']])

/** @param forwarderService under which the forwarders are registered */
export function forwardersFor(
  client: Labels,
  service: NetworkService,
  { forwarders, forwarderService }: { readonly forwarders: readonly NetworkServiceEndpoint[]; readonly forwarderService: string },
): readonly NetworkServiceEndpoint[] {
  if (service.matches.length === 0) return forwarders
  const fitting = ({ metadata }: Match): readonly NetworkServiceEndpoint[] => {
    const labels = metadata?.labels
    const wanted = labels === undefined || labels.size === 0 ? pointToPoint : labels
    return forwarders.filter(
      (each) =>
        each.networkServiceLabels.has(forwarderService) && isSubset(plain(wanted), plain(labelsOf(each, forwarderService)), plain(client)),
    )
  }
  for (const match of service.matches) {
    if (!isSubset(plain(match.sourceSelector), plain(client), plain(client))) continue
    const found = fitting(match)
    if (found.length > 0 || !match.fallthrough) return found
  }
  return []
}
