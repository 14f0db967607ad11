// The Renderer for Open vSwitch: a node to bridges, switch ports and flows. What each kind of pieces comes to is in its row (core/pieces).
import { renderingBy } from '../pieces/kind.ts'
import { explain } from './explain.ts'
import { baseFlows } from './features/base.ts'
import { uplinkItems } from './features/uplink.ts'
import { bridgeItem, portItem, type SwitchItem } from './items.ts'
import { logMetersOf } from './policy/log.ts'
import { numbers, type PipelineSettings } from './settings.ts'
import { isBridgeKey } from './ovsdb/switch.ts'

/** The tunnel's interface: its name is as unique among the switches of a node as the bridge's. */
export const tunnelName = (bridge: string): string => `${bridge.slice(0, 10)}-vtep`

function base(settings: PipelineSettings): readonly SwitchItem[] {
  const { bridge, datapath, tunnelAddress, tunnelL4Port, uplinks, node, marks = false, meters = true } = settings
  const because = { rule: 'every node has a bridge and a tunnel', of: { kind: 'Node', name: node } } as const
  const options = {
    // RFC 2983 section 3.1.
    ...(marks && { tos: 'inherit' }),
    key: 'flow',
    remote_ip: 'flow',
    local_ip: tunnelAddress,
    dst_port: String(tunnelL4Port),
  }
  return [
    bridgeItem({ name: bridge, datapath }, because),
    portItem({ bridge, name: tunnelName(bridge), type: 'vxlan', options, number: numbers.tunnel, vlan: undefined, uid: '' }, because),
    ...(meters ? logMetersOf(bridge, because) : []),
    ...baseFlows(settings),
    ...Object.entries(uplinks).flatMap(([physicalNetwork, ifcName]) => uplinkItems(settings, physicalNetwork, ifcName)),
  ]
}

/** @param settings asked each time: what was probed after the renderer was made counts */
export const switchRenderer = (settings: () => PipelineSettings) => ({
  base: (): readonly SwitchItem[] => base(settings()),
  ...renderingBy('ovs', settings),
  carries: isBridgeKey,
  explain,
})
