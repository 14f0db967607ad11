// What each data plane would make of a Port, from the object alone: what only its node knows stands here as on any node.
import { graphRenderer } from '../../graph/renderer.ts'
import type { Resource } from '../../kinds/index.ts'
import { linuxRenderer } from '../../linux/render.ts'
import type { ExplainedItem } from '../../node/explained.ts'
import type { PlaneExplained } from './explain.ts'
import type { LocalPort } from '../../node/wanted.ts'
import { switchRenderer } from '../../pipeline/compile.ts'
import { localPortOf } from '../../plan/node/pieces.ts'
import { portPiece } from '../../pieces/port.ts'

interface TunnelEndpoint {
  readonly node: string
  readonly tunnelAddress: string
}
const tunnelL4Port = 4789

interface ExplainingPlane {
  readonly explain: (port: LocalPort, place: TunnelEndpoint) => readonly ExplainedItem[]
}
/** By what agents call them. */
const planes: Readonly<Record<string, ExplainingPlane>> = {
  ovs: {
    explain(port, place) {
      const renderer = switchRenderer(() => ({ ...place, bridge: 'mgz-int', datapath: 'netdev', tunnelL4Port, uplinks: {} }))
      return renderer.explain(renderer.render(portPiece, port))
    },
  },
  bess: {
    explain(port, { tunnelAddress }) {
      const renderer = graphRenderer({
        uplink: { ifcName: 'eth0', mac: '00:00:00:00:00:00', address: tunnelAddress, l4Port: tunnelL4Port },
        dpdkBy: 'vhost-user',
        socketFolder: '/run/megrez/dpdk',
      })
      return renderer.explain(renderer.render(portPiece, port))
    },
  },
  linux: {
    explain(port, { tunnelAddress }) {
      const renderer = linuxRenderer({ tunnelAddress, l4Port: tunnelL4Port })
      return renderer.explain(renderer.render(portPiece, port))
    },
  },
}
const usual = 'ovs'

/** What the Port's node runs, by its own word; Open vSwitch until it has said so. Undefined while it is on no node or has no address. */
export function explainFromObject(port: Resource<'Port'>): PlaneExplained | undefined {
  const { node } = port.spec
  const local = localPortOf(port, { number: 1, mtu: 1450 })
  if (local === undefined || node === undefined) return undefined
  const reported = port.status?.node?.dataplane ?? usual
  const dataplane = Object.hasOwn(planes, reported) ? reported : usual
  return { node, dataplane, items: planes[dataplane]!.explain(local, { node, tunnelAddress: port.status?.hostIP ?? '192.0.2.1' }) }
}
