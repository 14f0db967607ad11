// A macvlan in place of a pair: no host end, no switch of ours, the physical network as it is.
import { LinkRefused, LinkTaken, NetnsGone } from '../../core/errors.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { NetlinkAnswer } from '../../core/wire/netlink/netlink.ts'
import type { Link } from '../../core/wire/netlink/link.ts'
import { refusalText, type Netlink } from '../netlink/netlink.ts'
import { settleRequests } from './inside.ts'
import type { Inside, Plumbed } from './links.ts'
import { aliasOf, applyInside, findLink, linkGroup, named, readInside, throwUnless } from './pod-namespace.ts'
import type { Reaper } from './reaper.ts'

type OnParent = Inside & { readonly macvlanOn: string }

/** One round; undefined: something was taken out of the way, look again. */
export async function macvlan(netlink: Netlink, port: LocalPort, inside: OnParent): Promise<Plumbed | undefined> {
  const mtu = inside.mtu ?? port.mtu
  const parent = await parentOf(netlink, inside.macvlanOn)
  throwUnless([await make(netlink, port, inside, parent)], ['EEXIST'])
  const within = await readInside(netlink, inside)
  if (within === undefined) return undefined
  const { link } = within
  if (link.kind !== 'macvlan' || link.group !== linkGroup.ours)
    throw new LinkTaken({ ifname: inside.ifname, where: inside.netns ?? "the node's namespace" })
  if (link.peer !== parent.index) {
    throwUnless(await netlink.request([{ do: 'dropLink', of: link }], inside.netns), ['ENODEV'])
    return undefined
  }
  await applyInside(netlink, inside, [
    { do: 'setLink', of: link, change: { alias: aliasOf(port.uid) } },
    ...settleRequests(inside, within, port.mac, mtu),
  ])
  return { ifcName: port.ifcName, hostIndex: 0, hostMac: '', index: link.index, mac: port.mac, mtu, fresh: false }
}

async function parentOf(netlink: Netlink, on: string): Promise<Link> {
  const [answer] = await netlink.request([{ do: 'getLink', of: named(on) }])
  if (answer?.link !== undefined) return answer.link
  throw new LinkRefused({
    what: `a macvlan on ${on}`,
    reason: answer?.refusal === undefined ? 'there is no such interface' : refusalText(answer.refusal),
  })
}

/** Asked from the node's namespace, where its parent is; born in the pod's. */
async function make(netlink: Netlink, port: LocalPort, inside: OnParent, parent: Link): Promise<NetlinkAnswer> {
  const netns = inside.netns === undefined ? {} : { netns: inside.netns }
  const link = { ifname: inside.ifname, mac: port.mac, mtu: inside.mtu ?? port.mtu, group: linkGroup.ours, ...netns }
  return (
    (await netlink.request([{ do: 'addLink', link: { ...link, shape: { kind: 'macvlan', on: parent.index, mode: 'bridge' } } }]))[0] ?? {}
  )
}

export async function removeMacvlan(
  netlink: Netlink,
  reaper: Reaper,
  { netns, ifname }: { readonly netns: string; readonly ifname: string },
): Promise<void> {
  try {
    const found = await findLink(netlink, ifname, netns)
    if (found?.group !== linkGroup.ours) return
    throwUnless(await netlink.request([{ do: 'setLink', of: found, change: { up: false, group: linkGroup.removed } }], netns), ['ENODEV'])
    reaper.soon(netns)
  } catch (err) {
    if (!(err instanceof NetnsGone)) throw err
  }
}
