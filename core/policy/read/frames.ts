// Which frames a rule of a UnifiedNetworkPolicy is for: whose MAC is at the other end, and which family.
import { etherTypes } from '../../kinds/policy/unified-rules.ts'
import type { UnifiedFrame } from '../../kinds/policy/unified-rule.ts'
import { canonicalMac } from '../../net/mac.ts'
import type { CommonRule } from '../one-form.ts'
import type { At } from './parts.ts'

export interface ReadFrames {
  readonly of: Pick<CommonRule, 'peerMac' | 'families'>
  /** Nothing of it is left out. */
  readonly isWhole: boolean
}

/** @param at where the field stands */
export function readFrames({ mac, etherType, vlan }: UnifiedFrame = {}, at: At): ReadFrames {
  const problemsBefore = at.problems.all.length
  const peerMac = mac === undefined ? undefined : readMac(mac, at)
  const families = etherType === undefined ? undefined : readEtherType(etherType, at)
  if (vlan !== undefined)
    at.problems.unsupported(`${at.path}/vlan`, 'is in no frame of a VNI, and policies do not judge Ports in VLANs yet')
  const of = { ...(peerMac !== undefined && { peerMac }), ...(families !== undefined && { families }) }
  return { of, isWhole: at.problems.all.length === problemsBefore }
}

const readMac = (mac: string, { path, problems }: At): string | undefined =>
  canonicalMac(mac) ?? problems.refuse(`${path}/mac`, 'must be a unicast MAC address such as 02:00:00:00:00:01')

function readEtherType(etherType: number, { path, problems }: At): readonly (4 | 6)[] | undefined {
  if (etherType === etherTypes.ipv4) return [4]
  if (etherType === etherTypes.ipv6) return [6]
  if (etherType === etherTypes.arp)
    return problems.refuse(`${path}/etherType`, 'must not be that of ARP, which is never judged: without it nobody finds anybody')
  return problems.unsupported(
    `${path}/etherType`,
    'is of frames that are no IP: they are of no connection, and rules do not tell them apart',
  )
}
