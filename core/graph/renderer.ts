import type { Renderer } from '../contracts/dataplane.ts'
import type { Because } from '../node/because.ts'
import { baseItems, type Uplink } from './base.ts'
import { endpointPieces } from './endpoints.ts'
import { explain } from './explain.ts'
import { itemOfPiece, type MadePiece, type Piece } from './pieces.ts'
import { portPieces, type PortOptions } from './ports.ts'
import { segmentPieces } from './segments.ts'
import { farUnsupported, unsupportedOf } from './unsupported.ts'

export interface GraphOptions extends PortOptions {
  /** Absent: a node on its own. */
  readonly uplink?: Uplink
}

/** A node as a graph of BESS modules. What BESS cannot do is left out, and told by unsupported.ts. */
export function graphRenderer(options: GraphOptions): Renderer<Piece> {
  const { uplink } = options
  const items = (pieces: readonly MadePiece[], because: Because) => pieces.map((piece) => itemOfPiece(piece, because))
  return {
    base: () => baseItems(uplink),
    port(port) {
      if (port.attachment.kind !== 'vni') return []
      return items(portPieces(port, port.attachment.vni, { ...options, tunnel: uplink !== undefined }), { rule: 'a Port on this node', of: port.of })
    },
    endpoint(endpoint) {
      if (uplink === undefined || farUnsupported(endpoint) !== undefined) return []
      const { vni, address } = endpoint
      return items(endpointPieces(endpoint, uplink.address), { rule: 'an address of this VNI on another node', of: { kind: 'IPLock', name: `${vni}/${address}` } })
    },
    segment: (segment) => items(segmentPieces(segment, uplink?.address), { rule: 'a VNI with a port here', of: { kind: 'SegmentLock', name: `vni-${segment.vni}` } }),
    unsupported: unsupportedOf,
    explain,
  }
}
