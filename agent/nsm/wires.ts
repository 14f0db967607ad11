// Connections of NSM as veth pairs, an end in each of two network namespaces. Whose they are says their alias: the same connection finds
// them again after this process was killed, under whichever name.
import { LinkRefused, LinkTaken, NetnsGone } from '../../core/errors.ts'
import type { Wire, WireEnd } from '../../core/nsm/connection/wire.ts'
import type { Link } from '../../core/wire/netlink/link.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Wires } from '../../platform/nsm/connection/hops/cross-connect.ts'
import { insideRequests, settleRequests, type InterfaceInside } from '../links/inside.ts'
import type { Inside } from '../links/links.ts'
import { applyInside, findLink, linkGroup, readInside, throwUnless } from '../links/pod-namespace.ts'
import { KeyedLock } from '../../platform/order/keyed-lock.ts'
import type { Netlink } from '../netlink/netlink.ts'
import { openNamespace, type OpenedNamespace } from './namespaces.ts'

/** An end whose namespace is open. */
type OpenedEnd = Inside & { readonly netns: string; readonly namespace: string }
/** Paths of namespaces that their owners have sent, by URL. */
type SentPaths = (url: string) => string | undefined
type Ends = readonly [client: OpenedEnd, endpoint: OpenedEnd]

/** Rounds of looking; each takes one thing out of the way. */
const roundsMax = 4
const usualMtu = 1500
const aliasOf = (id: string): string => `megrez-nsm:${id}`.slice(0, 255)

/** @param sent others are looked for by name */
export function kernelWires(netlink: Netlink, sent: SentPaths = () => undefined): Wires {
  // One at a time: a half without an alias is then one that was never finished.
  const lock = new KeyedLock(1)
  const inOrder = (run: () => Promise<void>): Promise<void> => lock.pass('', run)
  // Of wires that stand, whatever becomes of whoever sent it: they are to be parted, too.
  const kept = new Map<string, KeptNamespace>()
  const known =
    (id: string): SentPaths =>
    (url) =>
      kept.get(id)?.url === url ? kept.get(id)?.path : sent(url)
  const forget = async (id: string): Promise<void> => {
    const had = kept.get(id)
    kept.delete(id)
    await had?.close()
  }
  return {
    join: (wire) =>
      inOrder(async () => {
        const { id, client } = wire
        await within(wire, known(id), (ends) => join(netlink, wire, ends))
        const path = known(id)(client.namespace)
        if (path === undefined || kept.get(id)?.url === client.namespace) return
        const opened = await openNamespace(client.namespace, path)
        await forget(id)
        kept.set(id, { ...opened, url: client.namespace })
      }),
    part: ({ id, client, endpoint }) =>
      inOrder(async () => {
        try {
          for (const end of [client, endpoint])
            await inPlace(end, known(id), (place) => dropWhere(netlink, place, ({ alias }) => alias === aliasOf(id))).catch(unlessGone)
        } finally {
          await forget(id)
        }
      }),
  }
}

type KeptNamespace = OpenedNamespace & { readonly url: string }

async function join(netlink: Netlink, wire: Wire, ends: Ends): Promise<void> {
  const alias = aliasOf(wire.id)
  for (let round = 0; round < roundsMax; round++) {
    if (await settled(netlink, wire, ends)) return
    for (const place of ends)
      await dropWhere(netlink, place, (link) => link.alias === alias || (link.alias === undefined && link.ifname === place.ifname))
    await make(netlink, wire, ends)
  }
  throw new LinkRefused({ what: wire.client.ifname, reason: 'somebody else makes and deletes it at the same time' })
}

/** True where both ends are there, are each other's, and now as they are wanted. @throws LinkTaken */
async function settled(netlink: Netlink, { id, mtu }: Wire, ends: Ends): Promise<boolean> {
  const alias = aliasOf(id)
  const found = await Promise.all(ends.map((end) => readInside(netlink, end)))
  for (const [i, each] of found.entries()) {
    const { ifname, namespace } = ends[i]!
    if (each !== undefined && !isOwn(each.link, alias)) throw new LinkTaken({ ifname, where: namespace })
  }
  if (!areOnePair(found, alias)) return false
  for (const [i, each] of found.entries()) if (each !== undefined) await settle(netlink, ends[i]!, each, { alias, mtu })
  return true
}

const areOnePair = ([a, b]: readonly (InterfaceInside | undefined)[], alias: string): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.link.peer === b.link.index &&
  b.link.peer === a.link.index &&
  [a, b].every(({ link }) => link.alias === alias)

async function settle(
  netlink: Netlink,
  end: OpenedEnd,
  found: InterfaceInside,
  { alias, mtu = found.link.mtu }: { readonly alias: string; readonly mtu: number | undefined },
): Promise<void> {
  const { link } = found
  await dropWhere(netlink, end, (each) => each.alias === alias && each.index !== link.index)
  await applyInside(netlink, end, settleRequests(end, found, link.mac ?? '', mtu))
}

async function make(netlink: Netlink, { id, mtu = usualMtu }: Wire, [client, endpoint]: Ends): Promise<void> {
  const alias = aliasOf(id)
  const peer = { ifname: endpoint.ifname, netns: endpoint.netns, mtu, group: linkGroup.wire }
  const made = [
    { do: 'addLink', link: { ifname: client.ifname, netns: client.netns, mtu, group: linkGroup.wire, shape: { kind: 'veth', peer } } },
  ] satisfies NetlinkRequest[]
  throwUnless(await netlink.request(made), [])
  for (const end of [client, endpoint]) {
    const on = await findLink(netlink, end.ifname, end.netns)
    if (on === undefined) continue
    await applyInside(netlink, end, [{ do: 'setLink', of: on, change: { alias } }, ...insideRequests(end, on)])
  }
}

/** Of this connection, or a half that was never finished. */
const isOwn = ({ group, alias }: Link, own: string): boolean => group === linkGroup.wire && (alias === undefined || alias === own)

async function dropWhere(netlink: Netlink, { netns }: OpenedEnd, fits: (link: Link) => boolean): Promise<void> {
  const found = (await netlink.list('links', netns)).filter((link) => link.group === linkGroup.wire && fits(link))
  if (found.length === 0) return
  const requests = found.map((of): NetlinkRequest => ({ do: 'dropLink', of }))
  throwUnless(await netlink.request(requests, netns), ['ENODEV'], requests)
}

async function within<T>({ client, endpoint }: Wire, sent: SentPaths, run: (ends: Ends) => Promise<T>): Promise<T> {
  return inPlace(client, sent, (a) => inPlace(endpoint, sent, (b) => run([a, b])))
}

async function inPlace<T>(end: WireEnd, sent: SentPaths, run: (place: OpenedEnd) => Promise<T>): Promise<T> {
  const { namespace, ifname, addresses, routes } = end
  const opened: OpenedNamespace = await openNamespace(namespace, sent(namespace))
  try {
    return await run({ netns: opened.path, namespace, ifname, addresses, routes })
  } finally {
    await opened.close()
  }
}

/** With the namespace its interface has gone. */
const unlessGone = (err: unknown): void => {
  if (!(err instanceof NetnsGone)) throw err
}
