// A port on a bridge that is somebody else's: a row with the ID by which its owner knows it, and no flow of ours.
import type { LocalPort, VifAttachment } from '../../node/wanted.ts'
import { portItem, type SwitchItem } from '../items.ts'

export function vifPort({ uid, of, ifcName, mac }: LocalPort, { plug, bridge, interfaceID, hybrid }: VifAttachment): readonly SwitchItem[] {
  if (plug !== 'bridge' || bridge === undefined || hybrid === true) return []
  const theirs = { interfaceID: interfaceID ?? uid, mac }
  const because = { rule: "a Port on this node, on a bridge that is its cloud's", of }
  return [portItem({ bridge, name: ifcName, type: '', options: {}, number: 0, vlan: undefined, uid, theirs }, because)]
}
