// What most changes are, a port that comes: its sources are guarded and it joins its bridge, in one turn of a thread.
import { LinkRefused } from '../../../core/errors.ts'
import type { NetlinkRequest } from '../../../core/wire/netlink/netlink.ts'
import { blanksMax } from '../../../core/wire/netlink/blank.ts'
import type { LinkRef } from '../../../core/wire/netlink/link.ts'
import { named } from '../../links/pod-namespace.ts'
import type { NativeSocket } from '../../native/addon.ts'
import { refusedAs, type Netlink } from '../../netlink/netlink.ts'
import { linksOf, putForwardingEntry, type ForwardingEntry } from './requests.ts'
import { bytesOfGuards, type GuardItem } from './guard.ts'

type Refs = ReadonlyMap<string, LinkRef>

/**
 * Sources first: where they are refused nothing joins.
 *
 * @param sources a socket of netfilter's that nobody else uses
 * @returns whether all of it is there now. Where it is not, it is to be put piece by piece: twice is once
 */
export async function putAtOnce(
  netlink: Netlink,
  sources: NativeSocket,
  guards: readonly GuardItem[],
  entries: readonly ForwardingEntry[],
): Promise<boolean> {
  const names = [...new Set(entries.flatMap(linksOf))]
  if (netlink.chain === undefined || names.length === 0 || names.length > blanksMax) return false
  const { then } = await netlink.chain({
    ...(guards.length > 0 && { before: { socket: sources, bytes: bytesOfGuards(guards) } }),
    first: names.map((ifname): NetlinkRequest => ({ do: 'getLink', of: named(ifname) })),
    then: (links) => putAsks(entries, new Map(links.map((link) => [link.ifname, link]))),
  })
  return then?.every(({ refusal }) => refusal === undefined || refusedAs(refusal) === 'EEXIST') === true
}

/** Members first: what is said of the bridge's entries needs them in it. */
export function putAsks(entries: readonly ForwardingEntry[], refs: Refs): readonly NetlinkRequest[] {
  return membersLast(entries)
    .toReversed()
    .flatMap((thing) => {
      const [on, bridge] = linksOf(thing).map((name) => refs.get(name) ?? missing(name))
      return putForwardingEntry(thing, on!, bridge)
    })
}

const lastOnes: readonly ForwardingEntry['kind'][] = ['member', 'learnt']
/** And after them the bound of what is learnt behind them. */
export const membersLast = (entries: readonly ForwardingEntry[]): readonly ForwardingEntry[] =>
  entries.toSorted((a, b) => lastOnes.indexOf(a.kind) - lastOnes.indexOf(b.kind))

export function missing(ifname: string): never {
  throw new LinkRefused({ what: `what concerns ${ifname}`, reason: 'there is no such interface yet' })
}
