// A port on a bridge that is somebody else's: a row with the ID by which its owner knows it, and no flow of ours. Hybrid: a Linux bridge
// stands in between, as os-vif makes it. An interface that somebody else makes is plugged in by somebody else.
import { hybridNames } from '../../net/names.ts'
import type { LocalPort, VifAttachment } from '../../node/wanted.ts'
import { hybridItem, portItem, type SwitchItem } from '../items.ts'

export function vifPort(port: LocalPort, { plug, bridge, interfaceID, hybrid }: VifAttachment): readonly SwitchItem[] {
  if (plug === 'interface' || bridge === undefined) return []
  const { uid, of, ifcName, mac, mtu } = port
  const theirs = { interfaceID: interfaceID ?? uid, mac }
  const because = { rule: "a Port on this node, on a bridge that is its cloud's", of }
  const onBridge = (name: string): SwitchItem =>
    portItem({ bridge, name, type: '', options: {}, number: 0, vlan: undefined, uid, theirs }, because)
  if (hybrid !== true) return [onBridge(ifcName)]
  const { bridge: between, inner, outer } = hybridNames(theirs.interfaceID)
  const linux = hybridItem({ bridge: between, inner, outer, member: ifcName, uid, mtu }, { ...because, rule: "a filter of its cloud's" })
  return [linux, onBridge(outer)]
}
