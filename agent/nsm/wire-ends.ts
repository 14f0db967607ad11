// The interface of one end of a connection of NSM, in the network namespace of a client or of an endpoint. Whose it is says its alias.
import { LinkTaken, NetnsGone } from '../../core/errors.ts'
import type { SideCounters, WireEnd } from '../../core/nsm/connection/wire.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Link } from '../../core/wire/netlink/link.ts'
import { insideRequests, settleRequests, type InterfaceInside } from '../links/inside.ts'
import type { Inside } from '../links/links.ts'
import { applyInside, findLink, linkGroup, named, readInside, throwUnless } from '../links/pod-namespace.ts'
import type { Netlink, NetlinkNamespace } from '../netlink/netlink.ts'
import { openNamespace } from './namespaces.ts'

/** An end whose namespace is open. */
export type OpenedEnd = Inside & { readonly netns: string; readonly namespace: string }
/** Paths of namespaces that their owners have sent, by URL. */
export type SentPaths = (url: string) => string | undefined

/** Rounds of looking; each takes one thing out of the way. */
export const roundsMax = 4
export const usualMtu = 1_500
export const aliasOf = (id: string): string => `megrez-nsm:${id}`.slice(0, 255)

/** Of this connection, or what was never finished. */
export const isOwn = ({ group, alias }: Link, own: string): boolean => group === linkGroup.wire && (alias === undefined || alias === own)

/** @throws LinkTaken where one of that name is somebody else's */
export async function readOwn(netlink: Netlink, end: OpenedEnd, alias: string): Promise<InterfaceInside | undefined> {
  const found = await readInside(netlink, end)
  if (found !== undefined && !isOwn(found.link, alias)) throw new LinkTaken({ ifname: end.ifname, where: end.namespace })
  return found
}

/** Of one that has just been made. */
export async function finish(netlink: Netlink, end: OpenedEnd, alias: string): Promise<void> {
  const on = await findLink(netlink, end.ifname, end.netns)
  if (on === undefined) return
  await applyInside(netlink, end, [{ do: 'setLink', of: on, change: { alias } }, ...insideRequests(end, on)])
}

/** Others of this connection, under whichever name, go. */
export async function settle(
  netlink: Netlink,
  end: OpenedEnd,
  found: InterfaceInside,
  { alias, mtu = found.link.mtu }: { readonly alias: string; readonly mtu: number | undefined },
): Promise<void> {
  const { link } = found
  await dropWhere(netlink, end.netns, (each) => each.alias === alias && each.index !== link.index)
  await applyInside(netlink, end, settleRequests(end, found, link.mac ?? '', mtu))
}

export const isInTheWay =
  (alias: string, ifname: string) =>
  (link: Link): boolean =>
    link.alias === alias || (link.alias === undefined && link.ifname === ifname)

export async function dropWhere(netlink: Netlink, where: NetlinkNamespace, fits: (link: Link) => boolean): Promise<void> {
  const found = (await netlink.list('links', where)).filter((link) => link.group === linkGroup.wire && fits(link))
  if (found.length === 0) return
  const requests = found.map((of): NetlinkRequest => ({ do: 'dropLink', of }))
  throwUnless(await netlink.request(requests, where), ['ENODEV'], requests)
}

/** As whoever is at its other end sees it; undefined: it is gone. */
export async function countedBehind(netlink: Netlink, { ifname, netns }: OpenedEnd): Promise<SideCounters | undefined> {
  const [answer] = await netlink.request([{ do: 'getLink', of: named(ifname), counted: true }], netns)
  const own = answer?.link?.counters
  if (own === undefined) return undefined
  const { receivedPackets, sentPackets, receivedBytes, sentBytes, dropped } = own
  return { receivedPackets: sentPackets, sentPackets: receivedPackets, receivedBytes: sentBytes, sentBytes: receivedBytes, dropped }
}

export async function inPlace<T>(end: WireEnd, sent: SentPaths, run: (place: OpenedEnd) => Promise<T>): Promise<T> {
  const { namespace, ifname, addresses, routes } = end
  const opened = await openNamespace(namespace, sent(namespace))
  try {
    return await run({ netns: opened.path, namespace, ifname, addresses, routes })
  } finally {
    await opened.close()
  }
}

/** With the namespace its interface has gone. */
export const unlessGone = (err: unknown): void => {
  if (!(err instanceof NetnsGone)) throw err
}
