// Physical networks and ports in their VLANs. Frames are tagged in here as they are on the wire; a port that is in one VLAN untagged has
// its tag pushed before its guard and popped before its way out. Nothing learns: what is here is known by MAC, and all else is behind the
// uplink. Where a frame came from stands in front of it as four bytes: a Replicate's copies have no metadata (Packet::copy in
// core/packet.cc).
import type { SegmentAttachment, LocalPort } from '../node/wanted.ts'
import { mayHaveMoreMacs } from '../node/broadcast.ts'
import { hash80 } from '../net/names.ts'
import { deviceOf } from './base.ts'
import { module, table } from './modules.ts'
import { hexOf, hexOfMac } from './bytes.ts'
import { discoveryElements } from './guards/discovery.ts'
import { guardFields, guardRules } from './guards/guard.ts'
import type { Hex, MadeElement as Element, MatchField } from './elements.ts'
import { siftElements } from './guards/split-pieces.ts'
import { refusalOf } from './unsupported.ts'

export type Vlans = Extract<SegmentAttachment, { readonly kind: 'vlan' }>

const markBytes = 4
const mark: MatchField = { at: 0, bytes: markBytes }
/** Of frames of an uplink: no port has this number. */
const fromUplink = 'ffffffff'
/** 802.1Q: 0x8100, and of the TCI the VLAN alone. */
const tagMask = 'ffff0fff'
const tag: MatchField = { at: 12, bytes: 4, mask: tagMask }
const tagged = '8100'
const tagOf = (vlan: number): Hex => `${tagged}${hexOf(vlan, 2)}`
const behindMark = ({ at, ...field }: MatchField): MatchField => ({ ...field, at: (at as number) + markBytes })
const [exact, any]: readonly [Hex, Hex] = ['ffffffff', '00000000']

/**
 * Gates of one Replicate, and how many broadcasts have in a row: 256 ports of a physical network on one node. Frames to MACs that are not
 * known here, so all that go to other nodes, have fewer: each is a copy.
 */
const gatesMax = 32
const floodParts = 8
const looseParts = 2

/** As it stands in roles, which have no dots or spaces within a word. */
export const netOf = (physicalNetwork: string): string =>
  /^[\w-]{1,32}$/.test(physicalNetwork) ? physicalNetwork : `x${hash80('physical network', physicalNetwork).slice(0, 12)}`

function network(physicalNetwork: string, ifcName: string): readonly Element[] {
  const net = netOf(physicalNetwork)
  const role = (name: string): string => `${name}.${net}`
  const device = deviceOf(ifcName, `_${net}`)
  const open = (family: string, count: number): readonly Element[] =>
    Array.from({ length: count }, (_, i) => module(`${family}.${i}`, { mclass: 'Replicate', gates: gatesMax, open: true }))
  const copies = (family: string, count: number): readonly Element[] => [
    module(family, { mclass: 'Replicate', gates: count + 1 }, [role('vup'), ...Array.from({ length: count }, (_, i) => `${family}.${i}`)]),
    ...open(family, count),
  ]
  return [
    { kind: 'port', role: role('net'), vdev: device },
    module(role('netin'), { mclass: 'PortInc', port: role('net'), device }, [role('nettag')]),
    table({ role: role('nettag'), fields: [{ at: 12, bytes: 2 }], next: [] }),
    { kind: 'rule', table: role('nettag'), values: [tagged], to: role('netmark') },
    module(role('netmark'), { mclass: 'GenericEncap', value: fromUplink }, [role('vbum')]),
    ...siftElements([role('vfour'), role('vsix')], markBytes + 4, [role('vsix'), role('vbum')]),
    table({ role: role('vbum'), fields: [behindMark({ at: 0, bytes: 1, mask: '01' })], next: [role('vfwd')] }),
    { kind: 'rule', table: role('vbum'), values: ['01'], to: role('vflood') },
    table({ role: role('vfwd'), fields: [behindMark(tag), behindMark({ at: 0, bytes: 6 })], next: [role('vunknown')] }),
    // From here to all that may have more MACs than we know, and out; from there to all that are in its VLAN.
    table({ role: role('vunknown'), fields: [mark], next: [role('vloose')] }),
    { kind: 'rule', table: role('vunknown'), values: [fromUplink], to: role('vflood') },
    ...copies(role('vflood'), floodParts),
    ...copies(role('vloose'), looseParts),
    table({ role: role('vup'), fields: [mark], next: [role('netunmark')] }),
    { kind: 'rule', table: role('vup'), values: [fromUplink], to: 'drop' },
    module(role('netunmark'), { mclass: 'GenericDecap', bytes: markBytes }, [role('netout')]),
    module(role('netout'), { mclass: 'PortOut', port: role('net'), device }),
  ]
}

/** What physical networks add to the base. @param uplinks interface by physical network */
export const networks = (uplinks: Readonly<Record<string, string>>): readonly Element[] =>
  Object.entries(uplinks)
    .sort()
    .flatMap(([physicalNetwork, ifcName]) => network(physicalNetwork, ifcName))

/** @param vdev of the port itself */
export function vlanPortElements(port: LocalPort, attachment: Vlans, vdev: string): readonly Element[] {
  const role = (name: string): string => `${name}.${port.number}`
  const untagged = attachment.mode === 'access'
  return [
    { kind: 'port', role: role('p'), vdev },
    module(role('in'), { mclass: 'PortInc', port: role('p'), device: vdev }, [untagged ? role('push') : role('tag')]),
    // A frame that had a tag already has two then, the outer one of 802.1ad, and goes nowhere.
    ...(untagged
      ? [
          module(role('push'), { mclass: 'VLANPush', tci: attachment.vlans[0]! }, [role('tag')]),
          module(role('pop'), { mclass: 'VLANPop' }, [role('out')]),
        ]
      : []),
    ...sent(port, attachment),
    ...received(port, attachment),
    module(role('unmark'), { mclass: 'GenericDecap', bytes: markBytes }, [untagged ? role('pop') : role('out')]),
    module(role('out'), { mclass: 'PortOut', port: role('p'), device: vdev }),
  ]
}

const markOf = (number: number): Hex => hexOf(number, markBytes)

function sent(port: LocalPort, { physicalNetwork, vlans }: Vlans): readonly Element[] {
  const { number, portSecurity } = port
  const [checked, guard, marked] = [`tag.${number}`, `guard.${number}`, `mark.${number}`]
  const refused = refusalOf(port) !== undefined
  return [
    table({ role: checked, fields: [tag], next: [] }),
    ...vlans.map((vlan): Element => ({ kind: 'rule', table: checked, values: [tagOf(vlan)], to: guard })),
    module(guard, { mclass: 'WildcardMatch', fields: guardFields(4) }, portSecurity || refused ? [] : [marked]),
    ...(portSecurity && !refused
      ? [
          ...guardRules(port, guard, { arp: marked, ipv4: marked, ipv6: `nd.${number}`, all: marked }),
          ...discoveryElements(port, { tag: 4, to: marked }),
        ]
      : []),
    module(marked, { mclass: 'GenericEncap', value: markOf(number) }, [`${portSecurity ? 'vfour' : 'vbum'}.${netOf(physicalNetwork)}`]),
  ]
}

/** What it sent itself does not come back to it. */
function received(port: LocalPort, { physicalNetwork, vlans }: Vlans): readonly Element[] {
  const { number, mac } = port
  const net = (name: string): string => `${name}.${netOf(physicalNetwork)}`
  const arrived = `vto.${number}`
  return [
    module(arrived, { mclass: 'WildcardMatch', fields: [mark, behindMark({ at: 12, bytes: 4 })] }, []),
    { kind: 'rule', table: arrived, values: [markOf(number), any], masks: [exact, any], priority: 2, to: 'drop' },
    ...vlans.map((vlan): Element => ({
      kind: 'rule',
      table: arrived,
      values: [any, tagOf(vlan)],
      masks: [any, tagMask],
      priority: 1,
      to: `unmark.${number}`,
    })),
    ...vlans.map((vlan): Element => ({ kind: 'rule', table: net('vfwd'), values: [tagOf(vlan), hexOfMac(mac)], to: arrived })),
    { kind: 'copy', family: net('vflood'), to: arrived },
    ...(mayHaveMoreMacs(port) ? [{ kind: 'copy', family: net('vloose'), to: arrived } as const] : []),
  ]
}
