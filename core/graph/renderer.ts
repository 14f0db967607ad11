import type { Renderer } from '../contracts/dataplane.ts'
import type { Because } from '../node/because.ts'
import { baseItems, type Uplink } from './base.ts'
import { endpointPieces } from './endpoints.ts'
import { explain } from './explain.ts'
import { itemOfPiece, type MadePiece, type GraphPiece } from './pieces.ts'
import { networks, vlanPortPieces } from './networks.ts'
import { portPieces, vdevOf, type PortOptions } from './ports.ts'
import { segmentPieces } from './segments.ts'
import { farUnsupported, unsupportedOf } from './unsupported.ts'

export interface GraphOptions extends PortOptions {
  /** Absent: a node on its own. */
  readonly uplink?: Uplink
  /** Interface by physical network; absent: none. */
  readonly uplinks?: Readonly<Record<string, string>>
}

/** A node as a graph of BESS modules. What BESS cannot do is left out, and told by unsupported.ts. */
export function graphRenderer(options: GraphOptions): Renderer<GraphPiece> {
  const { uplink, uplinks = {} } = options
  const items = (pieces: readonly MadePiece[], because: Because) => pieces.map((piece) => itemOfPiece(piece, because))
  return {
    base: () => baseItems(uplink, networks(uplinks)),
    port(port) {
      const { attachment, of } = port
      if (attachment.kind === 'vni') return items(portPieces(port, attachment.vni, { ...options, tunnel: uplink !== undefined }), { rule: 'a Port on this node', of })
      if (attachment.vlans.length === 0 || uplinks[attachment.physicalNetwork] === undefined) return []
      return items(vlanPortPieces(port, attachment, vdevOf(port, options)), { rule: `a Port on this node, ${attachment.mode} in the physical network ${attachment.physicalNetwork}`, of })
    },
    endpoint(endpoint) {
      if (uplink === undefined || farUnsupported(endpoint) !== undefined) return []
      const { vni, address } = endpoint
      return items(endpointPieces(endpoint, uplink.address), { rule: 'an address of this VNI on another node', of: { kind: 'IPLock', name: `${vni}/${address}` } })
    },
    segment: (segment) => items(segmentPieces(segment, uplink?.address), { rule: 'a VNI with a port here', of: { kind: 'SegmentLock', name: `vni-${segment.vni}` } }),
    unsupported: (port, segment) => unsupportedOf(port, segment, uplinks),
    explain,
  }
}
