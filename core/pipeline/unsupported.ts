// What Open vSwitch does not do of what a port asks for.
import { noBridge, noInterface, unlimited, type Unsupported } from '../node/unsupported.ts'
import type { LocalPort, PortSegment, RuleSet, VifAttachment } from '../node/wanted.ts'
import { isLimited } from './policy/traffic.ts'
import type { PipelineSettings } from './settings.ts'

export function unsupportedOf(
  { attachment, type, socket }: LocalPort,
  segment: PortSegment | undefined,
  { uplinks, links = false, meters }: PipelineSettings,
): readonly Unsupported[] {
  if (attachment.kind === 'vif') return unsupportedVif(attachment, links)
  const none: Unsupported = {
    name: 'dpdk',
    why: 'this Open vSwitch has no DPDK, or not the userspace datapath: it has an interface of the kernel',
  }
  return [
    ...(attachment.kind === 'vlan' ? unsupportedVlan(attachment.physicalNetwork, uplinks) : []),
    ...(type === 'dpdk' && socket === undefined ? [none] : []),
    ...(meters === false && segment?.flood === true ? [unlimited('this Open vSwitch has no meters')] : []),
  ]
}

const unsupportedVlan = (physicalNetwork: string, uplinks: PipelineSettings['uplinks']): readonly Unsupported[] =>
  uplinks[physicalNetwork] === undefined ? [{ name: 'vlan', why: `no interface of this node leads to ${physicalNetwork}` }] : []

function unsupportedVif({ plug, bridge, interface: theirs, hybrid }: VifAttachment, links: boolean): readonly Unsupported[] {
  if (plug === 'interface') return theirs === undefined ? [noInterface] : []
  // A TAP without one is its cloud's to reach.
  if (bridge === undefined) return plug === 'tap' ? [] : [noBridge]
  return hybrid === true && !links ? [{ name: 'vif-hybrid', why: 'no Linux bridge can be made here: it is in no network' }] : []
}

export const unsupportedSet = (set: RuleSet, settings: PipelineSettings): readonly Unsupported[] => [
  ...unsupportedWithoutMeters(set, settings),
  ...unsupportedInspections(set, settings),
]

const unsupportedInspections = ({ inspections = [] }: RuleSet, { inspectors = false }: PipelineSettings): readonly Unsupported[] =>
  inspectors
    ? []
    : inspections
        .filter(({ l7 }) => l7 !== undefined)
        .map(({ source }) => ({
          name: 'policy',
          why: `${source} asks what is said in connections, and this node has no HAProxy to ask it`,
        }))

/** What rules limit and log is bounded by meters. */
function unsupportedWithoutMeters({ traffic = {}, rules }: RuleSet, { meters = true }: PipelineSettings): readonly Unsupported[] {
  if (meters) return []
  const isLimiting = isLimited(traffic) || rules.some(({ max }) => max !== undefined)
  const missing = [
    ...(isLimiting ? ['no bandwidth is limited'] : []),
    ...rules.filter(({ log }) => log === true).map(({ source }) => `${source} logs nothing`),
  ]
  return missing.map((what) => ({ name: 'policy', why: `this Open vSwitch has no meters, so ${what}` }))
}
