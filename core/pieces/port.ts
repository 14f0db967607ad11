// A Port on this node.
import { portItems as graphItems } from '../graph/items.ts'
import { unsupportedOf as graphUnsupported } from '../graph/unsupported.ts'
import { marksNames } from '../graph/policies/marks.ts'
import { portItems as linuxItems } from '../linux/items.ts'
import { unsupportedOf as linuxUnsupported } from '../linux/unsupported.ts'
import type { Because } from '../node/because.ts'
import type { Item } from '../node/item.ts'
import { attachmentText, type AddressPair, type SegmentAttachment, type LocalPort, type PortSegment, type Segment } from '../node/wanted.ts'
import { portItems as switchItems } from '../pipeline/features/port.ts'
import { unsupportedOf as switchUnsupported } from '../pipeline/unsupported.ts'
import { vlanSegment } from '../net/segment.ts'
import { portRoutes } from '../routing/items.ts'
import { unroutedOf } from '../routing/unsupported.ts'
import { need, type PieceKind } from './kind.ts'
import { memoryItem } from './memory-item.ts'
import { nameIn } from './names.ts'
import { segmentKey, segmentPiece } from './segment.ts'

/** None for VLANs. */
export interface PortNeeds {
  readonly segment?: PortSegment | undefined
}

export const portPiece: PieceKind<LocalPort, PortNeeds> = {
  name: 'Port',
  key: ({ uid }) => uid,
  // Its line in the ledger is more than the piece: what was wired is read from there before anybody is asked.
  sources: ['ports', 'pods'],
  /** In VLANs a MAC may be one's that goes and another's that comes. */
  names: namesOf,
  needs: {
    segment: need(
      segmentPiece,
      ({ attachment }) => (attachment.kind === 'vni' ? segmentKey(attachment.vni) : undefined),
      ({ subnets, flood, router, l3 }: Segment): PortSegment => ({ subnets, flood, ...(router && { router }), ...(l3 && { l3 }) }),
    ),
  },
  routes: (port, { segment }) => portRoutes(port, segment),
  planes: {
    ovs: {
      items: (port, _, settings) => switchItems(port, settings),
      unsupported: (port, { segment }, settings) => [...switchUnsupported(port, segment, settings), ...unroutedOf(port, segment)],
    },
    bess: {
      items: (port, _, options) => graphItems(port, options),
      unsupported: (port, { segment }, { uplinks }) => [...graphUnsupported(port, segment, uplinks), ...unroutedOf(port, segment)],
    },
    linux: {
      items: (port, { segment }, options) => linuxItems(port, segment, options),
      unsupported: (port, { segment }, options) => [...linuxUnsupported(port, segment, options), ...unroutedOf(port, segment)],
    },
    memory: { items: inMemory },
  },
}

function namesOf(port: LocalPort): readonly string[] {
  const { attachment, addresses, mac } = port
  if (attachment.kind === 'vni') return [...[...addresses, mac].map((name) => nameIn(attachment.vni, name)), ...marksNames(port)]
  if (attachment.kind === 'vif') return []
  return attachment.vlans.map((vlan) => nameIn(vlanSegment(attachment.physicalNetwork, vlan), mac))
}

function inMemory(port: LocalPort, { segment }: PortNeeds): readonly Item<string>[] {
  const because = { rule: 'a Port on this node', of: port.of }
  const { ifcName, number, mac, mtu, type } = port
  const sources = port.portSecurity ? [...port.addresses, ...port.allowedAddressPairs.map(pairOf)].join(' ') : 'any'
  const gateways = (segment?.subnets ?? []).flatMap(({ gateway }) => gateway ?? [])
  return [
    memoryItem(
      `port/${port.uid}`,
      `${ifcName} number ${number} ${whereOf(port.attachment)} ${mac} mtu ${mtu} ${type} gateways ${gateways.join(' ')}`,
      because,
    ),
    memoryItem(`guard/${port.uid}`, `from ${sources}`, because),
    ...policyItems(port, because),
  ]
}

function policyItems({ uid, policy }: LocalPort, because: Because): readonly Item<string>[] {
  if (policy === undefined) return []
  const { identity, isClosed, ruleSets, traffic, booked } = policy
  return [
    memoryItem(`policy/${uid}`, `${identity} ${isClosed ? 'closed' : `by ${ruleSets.join(' ')}`}`, because),
    ...(traffic === undefined ? [] : [memoryItem(`traffic/${uid}`, JSON.stringify(traffic), because)]),
    ...(booked === undefined ? [] : [memoryItem(`booked/${uid}`, `${booked}`, because)]),
  ]
}

const whereOf = (a: SegmentAttachment): string =>
  a.kind === 'vlan' ? `${a.mode} ${a.physicalNetwork} ${a.vlans.join(',')}` : attachmentText(a)
const pairOf = ({ ip, mac }: AddressPair): string => (mac === undefined ? ip : `${ip}@${mac}`)
