// A TAP in place of a pair: in the node's namespace, for a virtual machine to open. What is inside is the machine's own.
import { LinkTaken } from '../../../core/errors.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import type { Link, LinkChange, TunFacts } from '../../../core/wire/netlink/link.ts'
import type { Netlink } from '../../netlink/netlink.ts'
import type { Plumbed } from '../links.ts'
import { aliasOf, findLink, linkGroup, throwUnless } from '../pod-namespace.ts'
import type { Reaper } from '../reaper.ts'

/** An interface that somebody else makes is none of ours, also where it is a TAP. */
export function isTap({ type, attachment }: Pick<LocalPort, 'type' | 'attachment'>): boolean {
  if (attachment.kind !== 'vif') return type === 'tap'
  return attachment.plug === 'tap' || (attachment.plug === 'bridge' && type === 'tap')
}

const tapOf = ({ uid, mtu }: LocalPort): LinkChange => ({ up: true, mtu, group: linkGroup.ours, alias: aliasOf(uid), apart: true })

/**
 * Root's, where its Port names nobody: one that is nobody's the kernel lets every user of the node open (drivers/net/tun.c,
 * tun_not_capable, Linux 6.1).
 */
function useOf({ tap: { uid, gid, multiQueue = false } = {} }: Pick<LocalPort, 'tap'>): TunFacts {
  const owner = uid ?? (gid === undefined ? 0 : undefined)
  return { ...(owner !== undefined && { owner }), ...(gid !== undefined && { ownerGroup: gid }), multiQueue }
}

/** Whose it is can be changed while it is there; whether it takes several queues is settled when it is made. */
const isOwnedAs = (tun: TunFacts | undefined, { owner, ownerGroup }: TunFacts): boolean =>
  tun === undefined || (tun.owner === owner && tun.ownerGroup === ownerGroup)

/**
 * One round; undefined: something was taken out of the way, look again. Its MAC is the kernel's choice: the Port's is the machine's.
 *
 * @throws LinkTaken; LinkRefused where its owner is to be another, and somebody has it open
 */
export async function ensureTap(netlink: Netlink, reaper: Reaper, port: LocalPort): Promise<Plumbed | undefined> {
  const { ifcName, mac, mtu } = port
  const there = await findLink(netlink, ifcName)
  if (there?.group === linkGroup.removed) {
    await reaper.reap()
    return undefined
  }
  if (there !== undefined && (there.group !== linkGroup.ours || there.kind !== 'tun'))
    throw new LinkTaken({ ifname: ifcName, where: "the node's namespace" })
  if (there === undefined) await netlink.tap(ifcName, 'tap', undefined, { ...tapOf(port), ...useOf(port) })
  else await putRight(there, port, netlink)
  const tap = there ?? (await findLink(netlink, ifcName))
  return tap && { ifcName, hostIndex: tap.index, hostMac: tap.mac ?? '', index: tap.index, mac, mtu, fresh: there === undefined }
}

async function putRight(there: Link, port: LocalPort, netlink: Netlink): Promise<void> {
  const use = useOf(port)
  if (!isOwnedAs(there.tun, use)) await netlink.tap(port.ifcName, 'tap', undefined, { ...use, multiQueue: there.tun?.multiQueue === true })
  throwUnless(await netlink.request([{ do: 'setLink', of: there, change: tapOf(port) }]), [])
}

/** In sentences, how it differs from what `ensureTap` leaves. */
export async function tapDifferences(netlink: Netlink, port: LocalPort): Promise<readonly string[]> {
  const { ifcName, mtu } = port
  const tap = await findLink(netlink, ifcName)
  if (tap === undefined) return [`there is no TAP ${ifcName}`]
  return [
    ...(tap.up ? [] : [`${ifcName} is down`]),
    ...(tap.mtu === mtu ? [] : [`${ifcName} has MTU ${tap.mtu}, not ${mtu}`]),
    ...(port.tap === undefined || tap.tun === undefined ? [] : useDifferences(ifcName, tap.tun, useOf(port))),
  ]
}

function useDifferences(ifcName: string, tun: TunFacts, use: TunFacts): readonly string[] {
  const named = ({ owner, ownerGroup }: TunFacts): string => `user ${owner ?? 'of any name'} and group ${ownerGroup ?? 'of any name'}`
  return [
    ...(isOwnedAs(tun, use) ? [] : [`${ifcName} is for ${named(tun)}, not for ${named(use)}`]),
    ...(tun.multiQueue === use.multiQueue ? [] : [`${ifcName} takes ${tun.multiQueue ? 'several queues' : 'one queue'}`]),
  ]
}
