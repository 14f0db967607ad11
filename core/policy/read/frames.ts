// Which frames a rule of a UnifiedNetworkPolicy is for: whose MAC is at the other end, in which VLAN they are, which family, or what else
// they carry.
import { etherTypes, isNoIP, isTagType } from '../../kinds/policy/ether-types.ts'
import type { UnifiedFrame, UnifiedRule } from '../../kinds/policy/unified-rule.ts'
import { canonicalMac } from '../../net/mac.ts'
import { parseVlan, vlanMax } from '../../net/segment.ts'
import type { CommonRule } from '../one-form.ts'
import type { At } from './parts.ts'

type Frames = Pick<CommonRule, 'peerMac' | 'families' | 'etherType' | 'vlan'>
export interface ReadFrames {
  readonly of: Frames
  /** Nothing of it is left out. */
  readonly isWhole: boolean
}

/** @param at where the rule stands */
export function readFrames(rule: Pick<UnifiedRule, 'l2' | 'peers' | 'ports'>, { path, problems }: At): ReadFrames {
  const { mac, vlan }: UnifiedFrame = rule.l2 ?? {}
  const at = { path: `${path}/l2`, problems }
  const problemsBefore = problems.all.length
  const peerMac = mac === undefined ? undefined : readMac(mac, at)
  const carried = readEtherType(rule, at)
  const inVlan = vlan === undefined ? undefined : readVlan(vlan, at)
  const of = { ...(peerMac !== undefined && { peerMac }), ...(inVlan !== undefined && { vlan: inVlan }), ...carried }
  return { of, isWhole: problems.all.length === problemsBefore }
}

const readVlan = (vlan: number, { path, problems }: At): number | undefined =>
  parseVlan(vlan) ?? problems.refuse(`${path}/vlan`, `must be a number from 1 to ${vlanMax}`)

const readMac = (mac: string, { path, problems }: At): string | undefined =>
  canonicalMac(mac) ?? problems.refuse(`${path}/mac`, 'must be a unicast MAC address such as 02:00:00:00:00:01')

function readEtherType({ l2, peers, ports }: Pick<UnifiedRule, 'l2' | 'peers' | 'ports'>, at: At): Frames | undefined {
  const { etherType } = l2 ?? {}
  const refuse = (message: string): undefined => at.problems.refuse(`${at.path}/etherType`, message)
  if (etherType === undefined) return undefined
  if (etherType === etherTypes.ipv4) return { families: [4] }
  if (etherType === etherTypes.ipv6) return { families: [6] }
  if (etherType === etherTypes.arp) return refuse('must not be that of ARP, which is never judged: without it nobody finds anybody')
  if (isTagType(etherType)) return refuse('must not be that of a tag, but of what is behind it: the VLAN is l2.vlan')
  if (isNoIP(etherType) && (peers !== undefined || ports !== undefined))
    return refuse('is of frames that are no IP, and in them are no peers and no ports: the rule must have neither')
  return { etherType }
}
