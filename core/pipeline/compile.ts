// The Renderer for Open vSwitch: pieces of the wanted node to bridges, switch ports and flows. Pure, and each piece by itself.
import type { Unsupported } from '../node/unsupported.ts'
import type { Endpoint, LocalPort, Segment } from '../node/wanted.ts'
import { explain } from './explain.ts'
import { baseFlows } from './features/base.ts'
import { endpointFlows } from './features/endpoint.ts'
import { vniPort } from './features/port.ts'
import { segmentFlows } from './features/segment.ts'
import { uplinkItems, vlanPort } from './features/uplink.ts'
import { bridgeItem, portItem, type SwitchItem } from './items.ts'
import { numbers, type PipelineSettings } from './settings.ts'

/** The tunnel's interface: its name is as unique among the switches of a node as the bridge's. */
export const tunnelName = (bridge: string): string => `${bridge.slice(0, 10)}-vtep`

function base(settings: PipelineSettings): readonly SwitchItem[] {
  const { bridge, datapath, tunnelAddress, tunnelL4Port, uplinks, node } = settings
  const because = { rule: 'every node has a bridge and a tunnel', of: { kind: 'Node', name: node } } as const
  const options = { key: 'flow', remote_ip: 'flow', local_ip: tunnelAddress, dst_port: String(tunnelL4Port) }
  return [
    bridgeItem({ name: bridge, datapath }, because),
    portItem({ bridge, name: tunnelName(bridge), type: 'vxlan', options, number: numbers.tunnel, vlan: undefined, uid: '' }, because),
    ...baseFlows(settings),
    ...Object.entries(uplinks).flatMap(([physicalNetwork, ifcName]) => uplinkItems(settings, physicalNetwork, ifcName)),
  ]
}

/** @param settings asked each time: what was probed after the renderer was made counts */
export function switchRenderer(settings: () => PipelineSettings) {
  return {
    base: (): readonly SwitchItem[] => base(settings()),
    port(port: LocalPort): readonly SwitchItem[] {
      const { attachment } = port
      if (attachment.kind === 'vni') return vniPort(settings().bridge, port, attachment.vni)
      // Trunks without a VLAN would be trunks of all; a physical network without an uplink is not on this node.
      return attachment.vlans.length === 0 || settings().uplinks[attachment.physicalNetwork] === undefined ? [] : vlanPort(port, attachment)
    },
    endpoint: (endpoint: Endpoint): readonly SwitchItem[] => endpointFlows(settings().bridge, endpoint),
    segment: (segment: Segment): readonly SwitchItem[] => segmentFlows(settings().bridge, segment),
    unsupported: (port: LocalPort): readonly Unsupported[] => unsupported(port, settings()),
    explain,
  }
}

function unsupported({ attachment, type, socket }: LocalPort, { uplinks }: PipelineSettings): readonly Unsupported[] {
  const away = attachment.kind === 'vlan' && uplinks[attachment.physicalNetwork] === undefined
  const none: Unsupported = { name: 'dpdk', why: 'this Open vSwitch has no DPDK, or not the userspace datapath: it has an interface of the kernel' }
  return [...(away ? [{ name: 'vlan', why: `no interface of this node leads to ${attachment.physicalNetwork}` } as const] : []), ...(type === 'dpdk' && socket === undefined ? [none] : [])]
}
