// A service address in a VNI of this node: answered for as the gateway is, so that what is for it comes to the node's kernel.
import { serviceItems as graphItems } from '../graph/items.ts'
import { serviceItems as linuxItems } from '../linux/items.ts'
import type { NodeServiceAddress } from '../node/wanted.ts'
import { serviceFlows } from '../pipeline/features/service.ts'
import { serviceRoutes, serviceSegment, type ServiceSegment } from '../routing/service-items.ts'
import { need, type PieceKind } from './kind.ts'
import { memoryItem } from './memory-item.ts'
import { nameIn } from './names.ts'
import { segmentKey, segmentPiece } from './segment.ts'

export interface ServiceNeeds {
  readonly segment?: ServiceSegment | undefined
  /** Addresses that this node sends to endpoints elsewhere as from. */
  readonly source?: readonly string[] | undefined
}

export const serviceKey = (namespace: string, name: string): string => `${namespace}/${name}`

const answered = ({ segment }: ServiceNeeds): boolean => segment?.router !== undefined

export const serviceAddressPiece: PieceKind<NodeServiceAddress, ServiceNeeds> = {
  name: 'ServiceAddress',
  key: ({ namespace, name }) => serviceKey(namespace, name),
  sources: ['services', 'segments', 'locks', 'speaker'],
  // Sources of one VNI have a way back in common.
  names: ({ vni, addresses, isSource }) => [...addresses, ...(isSource === true ? ['source'] : [])].map((each) => nameIn(vni, each)),
  needs: {
    segment: need(segmentPiece, ({ vni }) => segmentKey(vni), serviceSegment),
    source: {
      // Of its own kind, which is not there before this row is.
      get kind() {
        return serviceAddressPiece
      },
      key: ({ source }) => source,
      part: (other) => (other as NodeServiceAddress).addresses,
    },
  },
  routes: (service, { segment, source }) => serviceRoutes(service, segment, source),
  planes: {
    ovs: { items: (service, needed, { bridge }) => (answered(needed) ? serviceFlows(bridge, service) : []) },
    bess: { items: (service, needed) => (answered(needed) ? graphItems(service) : []) },
    linux: { items: (service, needed) => (answered(needed) ? linuxItems(service) : []) },
    memory: { items: (service, needed) => (answered(needed) ? inMemory(service) : []) },
  },
}

const inMemory = ({ vni, addresses, namespace, name }: NodeServiceAddress) =>
  addresses.map((address) =>
    memoryItem(`service/${vni}/${address}`, 'by the gateway', {
      rule: 'a service address of a VNI with a port here',
      of: { kind: 'ServiceAddress', namespace, name },
    }),
  )
