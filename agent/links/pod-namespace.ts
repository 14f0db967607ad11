// What pairs and macvlans have in common: our marks, and how a pod's namespace is read and changed.
import { LinkRefused } from '../../core/errors.ts'
import type { NetlinkAnswer, NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Link, LinkRef } from '../../core/wire/netlink/link.ts'
import { refusalText, refusedAs, type Netlink, type NetlinkNamespace } from '../netlink/netlink.ts'
import type { InterfaceInside } from './inside.ts'
import type { Inside } from './links.ts'

/**
 * Link groups of ours, `mg` and `mr`: the mark that a link has from its first moment, in the message that makes it. An alias
 * comes in a message of its own. `md`: pairs that are no Port's; `mh`: what stands between a Port's pair and a bridge of another's;
 * `mn`: connections of Network Service Mesh, both ends in namespaces of others.
 */
export const linkGroup = { ours: 0x6d67, removed: 0x6d72, door: 0x6d64, hybrid: 0x6d68, wire: 0x6d6e } as const
export const aliasOf = (uid: string): string => `megrez:${uid}`
export const uidOf = (alias: string | undefined): string | undefined => /^megrez:(.+)$/.exec(alias ?? '')?.[1]
export const named = (ifname: string): LinkRef => ({ index: 0, ifname })

/** Undefined where there is none of that name. */
export const findLink = async (netlink: Netlink, ifname: string, where?: NetlinkNamespace): Promise<Link | undefined> =>
  (await netlink.request([{ do: 'getLink', of: named(ifname) }], where))[0]?.link

/** The interface inside, with what it has; undefined where there is none of that name. */
export async function readInside(netlink: Netlink, { netns, ifname }: Inside): Promise<InterfaceInside | undefined> {
  const [links, addresses, routes] = await Promise.all([
    netlink.list('links', netns),
    netlink.list('addresses', netns),
    netlink.list('routes', netns),
  ])
  const link = links.find((each) => each.ifname === ifname)
  if (link === undefined) return undefined
  return {
    link,
    addresses: addresses.filter(({ index }) => index === link.index),
    routes: routes.filter(({ index }) => index === link.index),
  }
}

export async function applyInside(netlink: Netlink, inside: Inside, requests: readonly NetlinkRequest[]): Promise<void> {
  const run =
    inside.checksumsInSoftware === true
      ? netlink.requestWithoutOffload(requests, inside.netns, inside.ifname)
      : netlink.request(requests, inside.netns)
  throwUnless(await run, [], requests)
}

/** What a drop is refused with where it is gone already: an address that went takes others and routes along. */
const gone = ['ESRCH', 'EADDRNOTAVAIL', 'ENODEV']

/** @throws LinkRefused for the first refusal that is not one of these, nor says of a drop that there is nothing */
export function throwUnless(answers: readonly NetlinkAnswer[], but: readonly string[], requests: readonly NetlinkRequest[] = []): void {
  const passes = (name: string, request: NetlinkRequest | undefined): boolean =>
    but.includes(name) || (request?.do.startsWith('drop') === true && gone.includes(name))
  const refused = answers.find(({ refusal }, i) => refusal !== undefined && !passes(refusedAs(refusal), requests[i]))?.refusal
  if (refused !== undefined) throw new LinkRefused({ what: 'what was asked of a link', reason: refusalText(refused) })
}
