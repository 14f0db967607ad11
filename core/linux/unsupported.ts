// What the kernel does not do of what a port asks for.
import { mayLearnBehind } from '../node/broadcast.ts'
import { noBridge, noInterface, unlimited, type Unsupported } from '../node/unsupported.ts'
import type { SegmentAttachment, LocalPort, PortSegment, VifAttachment } from '../node/wanted.ts'
import { uplinksOf, type LinuxOptions } from './options.ts'

export function unsupportedOf(port: LocalPort, segment: PortSegment | undefined, options: LinuxOptions): readonly Unsupported[] {
  const { attachment, type } = port
  if (type === 'dpdk') return [{ name: 'dpdk', why: 'the kernel has no such ports: it is in no network' }]
  if (attachment.kind === 'vif') return unsupportedVif(attachment)
  if (attachment.kind === 'vlan') return noVlan(attachment, options)
  return [...unsupportedRoutes(segment, options), ...(segment?.flood === true ? unsupportedBroadcast(port, options) : [])]
}

function unsupportedRoutes(segment: PortSegment | undefined, { noRoutes }: LinuxOptions): readonly Unsupported[] {
  const several = new Set(segment?.subnets.map(({ cidr }) => cidr.includes(':'))).size < (segment?.subnets.length ?? 0)
  return several && noRoutes !== undefined ? [{ name: 'routes', why: noRoutes }] : []
}

/** nftables sees no difference between a MAC that the bridge knows and one that it does not. */
function unsupportedBroadcast(port: LocalPort, { noTraffic, noLearning }: LinuxOptions): readonly Unsupported[] {
  const some: Unsupported = {
    name: 'broadcast-limit',
    why: 'broadcast and multicast of this VNI are limited, and frames to MACs that nobody is known to have are not',
  }
  return [
    noTraffic === undefined ? some : unlimited(noTraffic),
    ...(mayLearnBehind(port) && noLearning !== undefined ? [{ name: 'learning', why: noLearning } as const] : []),
  ]
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
