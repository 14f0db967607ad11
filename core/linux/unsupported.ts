// What the kernel does not do of what a port asks for.
import { noBridge, noInterface, type Unsupported } from '../node/unsupported.ts'
import type { SegmentAttachment, LocalPort, PortSegment, VifAttachment } from '../node/wanted.ts'
import { uplinksOf, type LinuxOptions } from './options.ts'

export function unsupportedOf(
  { attachment, type }: LocalPort,
  segment: PortSegment | undefined,
  options: LinuxOptions,
): readonly Unsupported[] {
  if (type === 'dpdk') return [{ name: 'dpdk', why: 'the kernel has no such ports: it is in no network' }]
  if (attachment.kind === 'vif') return unsupportedVif(attachment)
  if (attachment.kind === 'vlan') return noVlan(attachment, options)
  const several = new Set(segment?.subnets.map(({ cidr }) => cidr.includes(':'))).size < (segment?.subnets.length ?? 0)
  return several && options.noRoutes !== undefined ? [{ name: 'routes', why: options.noRoutes }] : []
}

function unsupportedVif({ plug, bridge, interface: theirs, hybrid }: VifAttachment): readonly Unsupported[] {
  if (plug === 'interface') return theirs === undefined ? [noInterface] : []
  if (hybrid === true)
    return [{ name: 'vif-hybrid', why: 'between a Linux bridge and Open vSwitch, which this node has not: it is in no network' }]
  return bridge === undefined && plug === 'bridge' ? [noBridge] : []
}

function noVlan(
  { physicalNetwork: network }: Extract<SegmentAttachment, { readonly kind: 'vlan' }>,
  options: LinuxOptions,
): readonly Unsupported[] {
  if (options.noVlans !== undefined) return [{ name: 'vlan', why: `${options.noVlans}: it is in no network` }]
  return Object.hasOwn(uplinksOf(options), network)
    ? []
    : [{ name: 'vlan', why: `this node has no interface to the physical network ${network}: it is in no network` }]
}
