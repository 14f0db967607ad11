// Things as requests to the kernel. Pure.
import { LinkOvertaken, LinkRefused } from '../../../core/errors.ts'
import type { LinuxItem } from '../../../core/linux/linux-items.ts'
import { doorName } from '../../../core/net/router-name.ts'
import { bridgeName, tunnelName } from '../../../core/linux/linux-items.ts'
import type { NetlinkRequest } from '../../../core/wire/netlink/netlink.ts'
import type { LinkChange, LinkRef } from '../../../core/wire/netlink/link.ts'
import type { Refusal } from '../../../core/wire/netlink/message.ts'
import { linkGroup, named } from '../../links/pod-namespace.ts'
import { refusalText, refusedAs } from '../../netlink/netlink.ts'
import { makePair } from '../../routing/router-pair.ts'

const noMac = '00:00:00:00:00:00'
export type IndexOf = (ifname: string) => LinkRef | undefined
/** Devices of a VNI: made before all else. */
export type Device = Extract<LinuxItem, { readonly kind: 'bridge' | 'tunnel' | 'door' | 'physical' }>
/** What needs the index of a device. */
export type ForwardingEntry = Extract<
  LinuxItem,
  { readonly kind: 'member' | 'fdb' | 'learnt' | 'vtep' | 'flood' | 'neighbour' | 'vlans' | 'plugged' }
>

export const isDevice = (thing: LinuxItem): thing is Device => ['bridge', 'tunnel', 'door', 'physical'].includes(thing.kind)
export const isEntry = (thing: LinuxItem): thing is ForwardingEntry =>
  ['member', 'fdb', 'learnt', 'vtep', 'flood', 'neighbour', 'vlans', 'plugged'].includes(thing.kind)
const names = { bridge: bridgeName, tunnel: tunnelName, door: doorName } as const
export const deviceName = (thing: Device): string => (thing.kind === 'physical' ? thing.bridge : names[thing.kind](thing.vni))

/** Down at first, so that it never has an address of its own. */
export function makeDevice(thing: Device): readonly NetlinkRequest[] {
  const common = { ifname: deviceName(thing), group: linkGroup.ours }
  const up: NetlinkRequest = { do: 'setLink', of: named(deviceName(thing)), change: { up: true, apart: true } }
  if (thing.kind === 'physical') return [{ do: 'addLink', link: { ...common, shape: { kind: 'bridge', snooping: false } } }, up]
  if (thing.kind === 'door') return [...makePair(thing.vni, doorMtu), up]
  if (thing.kind === 'bridge')
    return [{ do: 'addLink', link: { ...common, mac: bridgeMac(thing.vni), shape: { kind: 'bridge', snooping: false } } }, up]
  return [
    {
      do: 'addLink',
      link: { ...common, shape: { kind: 'vxlan', vni: thing.vni, local: thing.local, l4Port: thing.l4Port, learning: false } },
    },
    up,
  ]
}

/** The largest MTU there is, as a bridge has that of its least member. */
const doorMtu = 65_535

/** A bridge takes the least MAC of its members where it is given none, and forgets all neighbours with each change of it. */
const bridgeMac = (vni: number): string => ['02', '4d', '42', ...(vni.toString(16).padStart(6, '0').match(/../g) ?? [])].join(':')

/** Names of the interfaces that an entry is put on, or taken off: all of them have to be there. */
export function linksOf(thing: ForwardingEntry): readonly string[] {
  if (thing.kind === 'member') return [thing.ifname, bridgeName(thing.vni)]
  if (thing.kind === 'vlans' || thing.kind === 'plugged') return [thing.ifname, thing.bridge]
  if (thing.kind === 'fdb') return [thing.ifname]
  return [thing.kind === 'neighbour' || thing.kind === 'learnt' ? bridgeName(thing.vni) : tunnelName(thing.vni)]
}

/** All get everything: their programs choose. */
const hub = { learning: false, flood: 'all', answered: false } as const

type Member = Extract<ForwardingEntry, { readonly kind: 'member' | 'vlans' | 'plugged' }>

function intoBridge(thing: Member, on: LinkRef, bridge: LinkRef | undefined): readonly NetlinkRequest[] {
  const joins: NetlinkRequest = { do: 'setLink', of: on, change: { up: true, master: bridge?.index ?? 0 } }
  // How a bridge of another's floods and learns is its owner's to say.
  if (thing.kind === 'plugged') return [joins]
  const { learning, flood, answered } = thing.kind === 'member' ? thing : hub
  return [joins, { do: 'setLink', of: on, change: { bridgePort: { learning, flood, neighSuppress: answered } } }]
}

export function putForwardingEntry(thing: ForwardingEntry, on: LinkRef, bridge: LinkRef | undefined): readonly NetlinkRequest[] {
  if (thing.kind === 'member' || thing.kind === 'vlans' || thing.kind === 'plugged') return intoBridge(thing, on, bridge)
  if (thing.kind === 'neighbour') return [{ do: 'putNeighbour', neighbour: { on, address: thing.address, mac: thing.mac } }]
  if (thing.kind === 'flood') return [{ do: 'putFdb', append: true, fdb: { on, mac: noMac, dst: thing.host } }]
  if (thing.kind === 'learnt') return [{ do: 'setLink', of: on, change: { learnedMax: thing.most } }]
  return [{ do: 'putFdb', fdb: { on, mac: thing.mac, ...(thing.kind === 'vtep' ? { dst: thing.host } : { sticky: true }) } }]
}

export function dropForwardingEntry(thing: ForwardingEntry, on: LinkRef): readonly NetlinkRequest[] {
  if (thing.kind === 'member' || thing.kind === 'vlans' || thing.kind === 'plugged')
    return [{ do: 'setLink', of: on, change: { master: 0 } }]
  if (thing.kind === 'neighbour') return [{ do: 'dropNeighbour', neighbour: { on, address: thing.address, mac: thing.mac } }]
  if (thing.kind === 'flood') return [{ do: 'dropFdb', fdb: { on, mac: noMac, dst: thing.host } }]
  if (thing.kind === 'learnt') return [{ do: 'setLink', of: on, change: { learnedMax: 0 } }]
  return [{ do: 'dropFdb', fdb: { on, mac: thing.mac, ...(thing.kind === 'vtep' ? { dst: thing.host } : {}) } }]
}

/**
 * What is a member no more has no settings of one (EINVAL), a bridge that was found is none to join once it is another (EINVAL), and what
 * was there a moment ago is gone (ENODEV): whoever took it away, half made, makes it again.
 */
export function refusedBy(request: NetlinkRequest, refusal: Refusal): Error {
  const errno = refusedAs(refusal)
  if (request.do === 'setLink' && (errno === 'ENODEV' || (errno === 'EINVAL' && isOfBridge(request.change))))
    return new LinkOvertaken({ ifname: request.of.ifname })
  return new LinkRefused({ what: request.do, reason: refusalText(refusal) })
}

const isOfBridge = ({ master = 0, bridgePort }: LinkChange): boolean => master !== 0 || bridgePort !== undefined
