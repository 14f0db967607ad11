// A TAP in place of a pair: in the node's namespace, for a virtual machine to open. What is inside is the machine's own.
import { LinkTaken } from '../../../core/errors.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import type { LinkChange } from '../../../core/wire/netlink/link.ts'
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

/** One round; undefined: something was taken out of the way, look again. Its MAC is the kernel's choice: the Port's is the machine's. */
export async function ensureTap(netlink: Netlink, reaper: Reaper, port: LocalPort): Promise<Plumbed | undefined> {
  const { ifcName, mac, mtu } = port
  const there = await findLink(netlink, ifcName)
  if (there?.group === linkGroup.removed) {
    await reaper.reap()
    return undefined
  }
  if (there !== undefined && (there.group !== linkGroup.ours || there.kind !== 'tun'))
    throw new LinkTaken({ ifname: ifcName, where: "the node's namespace" })
  if (there === undefined) await netlink.tap(ifcName, 'tap', undefined, tapOf(port))
  else throwUnless(await netlink.request([{ do: 'setLink', of: there, change: tapOf(port) }]), [])
  const tap = there ?? (await findLink(netlink, ifcName))
  return tap && { ifcName, hostIndex: tap.index, hostMac: tap.mac ?? '', index: tap.index, mac, mtu, fresh: there === undefined }
}

/** In sentences, how it differs from what `ensureTap` leaves. */
export async function tapDifferences(netlink: Netlink, { ifcName, mtu }: LocalPort): Promise<readonly string[]> {
  const tap = await findLink(netlink, ifcName)
  if (tap === undefined) return [`there is no TAP ${ifcName}`]
  return [...(tap.up ? [] : [`${ifcName} is down`]), ...(tap.mtu === mtu ? [] : [`${ifcName} has MTU ${tap.mtu}, not ${mtu}`])]
}
