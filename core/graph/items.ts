// The pieces of a node as items of a graph: each is a few elements, with the reason for them.
import type { PeerAccess } from '../kinds/policy/access.ts'
import type { Because } from '../node/because.ts'
import type { Endpoint, LocalPort, NodeServiceAddress, Segment } from '../node/wanted.ts'
import { byGateway } from './addresses.ts'
import { itemOfElement, type GraphItem, type MadeElement } from './elements.ts'
import { endpointElements, routedElements } from './endpoints.ts'
import { vlanPortElements } from './networks.ts'
import type { GraphOptions } from './options.ts'
import { accessElements, blockedElements, peerElements, type JudgedPorts } from './policies.ts'
import { portElements, vdevOf } from './ports.ts'
import { segmentElements } from './segments.ts'
import { farUnsupported } from './unsupported.ts'

const items = (elements: readonly MadeElement[], because: Because): readonly GraphItem[] =>
  elements.map((element) => itemOfElement(element, because))

export function portItems(port: LocalPort, options: GraphOptions): readonly GraphItem[] {
  const { attachment, of } = port
  const { uplink, uplinks = {} } = options
  if (attachment.kind === 'vni')
    return items(portElements(port, attachment.vni, { ...options, tunnel: uplink !== undefined }), { rule: 'a Port on this node', of })
  if (attachment.kind === 'vif') return []
  // Nothing judges what is in a VLAN here.
  if (attachment.vlans.length === 0 || uplinks[attachment.physicalNetwork] === undefined || port.policy?.isClosed === true) return []
  return items(vlanPortElements(port, attachment, vdevOf(port, options)), {
    rule: `a Port on this node, ${attachment.mode} in the physical network ${attachment.physicalNetwork}`,
    of,
  })
}

/** @param isRouted it is reached by the gateway, in place of the tunnel */
export function endpointItems(endpoint: Endpoint, { uplink }: GraphOptions, isRouted = false): readonly GraphItem[] {
  const { vni, address } = endpoint
  const because: Because = { rule: 'an address of this VNI on another node', of: { kind: 'IPLock', name: `${vni}/${address}` } }
  if (isRouted) return items(routedElements(endpoint), because)
  return uplink === undefined || farUnsupported(endpoint) !== undefined ? [] : items(endpointElements(endpoint, uplink.address), because)
}

/** Whoever asks for it is told the gateway's MAC, and so what is for it goes to the node's kernel. */
export const serviceItems = ({ vni, addresses, namespace, name }: NodeServiceAddress): readonly GraphItem[] =>
  items(
    addresses.flatMap((address) => byGateway(vni, address)),
    { rule: 'a service address of a VNI with a port here', of: { kind: 'ServiceAddress', namespace, name } },
  )

export const segmentItems = (segment: Segment, { uplink }: GraphOptions): readonly GraphItem[] =>
  items(segmentElements(segment, uplink?.address), {
    rule: 'a VNI with a port here',
    of: { kind: 'SegmentLock', name: `vni-${segment.vni}` },
  })

export const peerItems = (identity: number): readonly GraphItem[] =>
  items(peerElements(identity), { rule: 'an identity that somebody has', of: { kind: 'Node', name: 'here' } })

export const judgementItems = (judged: JudgedPorts, access: readonly PeerAccess[]): readonly GraphItem[] => [
  ...judged.ports.flatMap((port) => items(accessElements(judged, port, access), { rule: 'whom policies let it talk to', of: port.of })),
  ...judged.ports
    .slice(0, 1)
    .flatMap(({ of }) => items(blockedElements(judged, access), { rule: 'at which addresses policies let it talk to others', of })),
]
