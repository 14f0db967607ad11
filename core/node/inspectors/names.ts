// The inspector of a VNI and a direction on a node: what stands between the Ports there and what they talk to, and asks what is said.
import type { Inspection } from '../../kinds/policy/compiled/inspection.ts'

export type InspectedDirection = Inspection['direction']

/** Of its interface in its namespace: beside the gateway's MAC, on every node and in every VNI the same, as no frame leaves with it. */
export const inspectorMac = '02:4d:65:67:72:68'

const short = (vni: number, direction: InspectedDirection): string => `${vni.toString(16).padStart(6, '0')}${direction[0]}`

/** The interface on the node that is the switch's port. */
export const inspectorName = (vni: number, direction: InspectedDirection): string => `ml${short(vni, direction)}`
export const inspectorNamespace = (vni: number, direction: InspectedDirection): string => `megrez-l7-${short(vni, direction)}`

/**
 * Source ports of the connections that it begins: what it sends from one of these is from the client on, anything else is an answer to it.
 * Two inspectors of a connection, at its client and at its server, have none in common, as a connection of either passes the other's node
 * between the same two addresses. Linux takes 32768 to 60999 where nobody says otherwise.
 */
export const inspectorPorts: Readonly<Record<InspectedDirection, { readonly first: number; readonly last: number }>> = {
  egress: { first: 61_000, last: 63_267 },
  ingress: { first: 63_268, last: 65_535 },
}
