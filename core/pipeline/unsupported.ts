// What Open vSwitch does not do of what a port asks for.
import type { Unsupported } from '../node/unsupported.ts'
import type { LocalPort, VifAttachment } from '../node/wanted.ts'
import type { PipelineSettings } from './settings.ts'

export function unsupportedOf({ attachment, type, socket }: LocalPort, { uplinks }: PipelineSettings): readonly Unsupported[] {
  const away = attachment.kind === 'vlan' && uplinks[attachment.physicalNetwork] === undefined
  if (attachment.kind === 'vif') return unsupportedVif(attachment)
  const none: Unsupported = {
    name: 'dpdk',
    why: 'this Open vSwitch has no DPDK, or not the userspace datapath: it has an interface of the kernel',
  }
  return [
    ...(away ? [{ name: 'vlan', why: `no interface of this node leads to ${attachment.physicalNetwork}` } as const] : []),
    ...(type === 'dpdk' && socket === undefined ? [none] : []),
  ]
}

function unsupportedVif({ plug, bridge, hybrid }: VifAttachment): readonly Unsupported[] {
  if (plug !== 'bridge') return [{ name: 'vif', why: `nothing here plugs in a vif by ${plug}: it is in no network` }]
  if (hybrid === true) return [{ name: 'vif-hybrid', why: 'no Linux bridge is made in between: it is in no network' }]
  return bridge === undefined ? [{ name: 'vif', why: 'its cloud names no bridge: it is in no network' }] : []
}
