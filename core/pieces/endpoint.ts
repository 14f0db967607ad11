// An address of a VNI of this node that is on another node.
import { endpointItems as graphItems } from '../graph/items.ts'
import { endpointItems as linuxItems } from '../linux/items.ts'
import type { Endpoint, Segment } from '../node/wanted.ts'
import { endpointFlows } from '../pipeline/features/endpoint.ts'
import { EndpointMap, endpointKey } from './endpoint-map.ts'
import { endpointRoutes, isRouted, type RoutedSegment } from '../routing/items.ts'
import { need, type PieceKind } from './kind.ts'
import { memoryItem } from './memory-item.ts'
import { nameIn } from './names.ts'
import { segmentKey, segmentPiece } from './segment.ts'

const rule = 'an address of this VNI on another node'

/** Of most VNIs none: then no change of it concerns them. */
export interface EndpointNeeds {
  readonly segment?: RoutedSegment | undefined
}

const routedPart = ({ l3, router }: Segment): RoutedSegment | undefined =>
  router === undefined && l3 === undefined ? undefined : { ...(l3 && { l3 }), ...(router && { router }) }

export const endpointPiece: PieceKind<Endpoint, EndpointNeeds, EndpointMap> = {
  name: 'Endpoint',
  key: ({ vni, address }) => endpointKey(vni, address),
  /** Of VNIs that are peered with one here too. */
  sources: ['locks', 'peerings'],
  names: ({ vni, address, mac }) => [nameIn(vni, address), nameIn(vni, mac)],
  many: () => new EndpointMap(),
  needs: { segment: need(segmentPiece, ({ vni }) => segmentKey(vni), routedPart) },
  routes: (endpoint, { segment }) => endpointRoutes(endpoint, segment),
  planes: {
    ovs: { items: (endpoint, { segment }, { bridge }) => endpointFlows(bridge, endpoint, isRouted(endpoint.address, segment)) },
    bess: { items: (endpoint, { segment }, options) => graphItems(endpoint, options, isRouted(endpoint.address, segment)) },
    linux: { items: (endpoint, { segment }) => linuxItems(endpoint, isRouted(endpoint.address, segment)) },
    memory: {
      items: ({ vni, address, mac, hostIP, identity }, { segment }) => [
        memoryItem(
          `remote/${vni}/${address}`,
          `${whereIs(mac, isRouted(address, segment) ? undefined : hostIP)}${identity === undefined ? '' : ` as ${identity}`}`,
          {
            rule,
            of: { kind: 'IPLock', name: `${vni}/${address}` },
          },
        ),
      ],
    },
  },
}

const whereIs = (mac: string, hostIP: string | undefined): string => (hostIP === undefined ? 'by the gateway' : `${mac} at ${hostIP}`)
