// An address of a VNI of this node that is on another node.
import { endpointItems as graphItems } from '../graph/items.ts'
import { endpointItems as linuxItems } from '../linux/items.ts'
import type { Endpoint } from '../node/wanted.ts'
import { endpointFlows } from '../pipeline/features/endpoint.ts'
import { EndpointMap, endpointKey } from './endpoint-map.ts'
import type { PieceKind } from './kind.ts'
import { memoryItem } from './memory-item.ts'
import { nameIn } from './names.ts'

const rule = 'an address of this VNI on another node'

export const endpointPiece: PieceKind<Endpoint, object, EndpointMap> = {
  name: 'Endpoint',
  key: ({ vni, address }) => endpointKey(vni, address),
  sources: ['locks'],
  names: ({ vni, address, mac }) => [nameIn(vni, address), nameIn(vni, mac)],
  many: () => new EndpointMap(),
  planes: {
    ovs: { items: (endpoint, _, { bridge }) => endpointFlows(bridge, endpoint) },
    bess: { items: (endpoint, _, options) => graphItems(endpoint, options) },
    linux: { items: (endpoint) => linuxItems(endpoint) },
    memory: {
      items: ({ vni, address, mac, hostIP, identity }) => [
        memoryItem(`remote/${vni}/${address}`, `${mac} at ${hostIP}${identity === undefined ? '' : ` as ${identity}`}`, {
          rule,
          of: { kind: 'IPLock', name: `${vni}/${address}` },
        }),
      ],
    },
  },
}
