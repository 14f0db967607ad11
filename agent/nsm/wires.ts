// Connections of NSM as interfaces, an end in each of two network namespaces of this node, or one here and a tunnel. Whose they are says
// their alias: the same connection finds them again after this process was killed, under whichever name.
import { LinkRefused } from '../../core/errors.ts'
import type { PairWire, Wire, WireCounters, WireEnd } from '../../core/nsm/connection/wire.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Wires } from '../../platform/nsm/connection/hops/cross-connect.ts'
import type { InterfaceInside } from '../links/inside.ts'
import { linkGroup, throwUnless } from '../links/pod-namespace.ts'
import { KeyedLock } from '../../platform/order/keyed-lock.ts'
import type { Netlink } from '../netlink/netlink.ts'
import { openNamespace, type OpenedNamespace } from './namespaces.ts'
import { countTunnel, joinTunnel, partTunnel, sweepTunnels } from './tunnels.ts'
import {
  aliasOf,
  countedBehind,
  dropWhere,
  finish,
  inPlace,
  isInTheWay,
  readOwn,
  roundsMax,
  settle,
  unlessGone,
  usualMtu,
  type OpenedEnd,
  type SentPaths,
} from './wire-ends.ts'

type Ends = readonly [client: OpenedEnd, endpoint: OpenedEnd]

export interface KernelWires extends Wires {
  /** Takes away what a process before this one has made, and nobody has asked this one for. */
  sweep(): Promise<void>
}

/** @param sent others are looked for by name */
export function kernelWires(netlink: Netlink, sent: SentPaths = () => undefined): KernelWires {
  // One at a time: a half without an alias is then one that was never finished.
  const lock = new KeyedLock(1)
  const inOrder = <T>(run: () => Promise<T>): Promise<T> => lock.pass('', run)
  // Of wires that stand, whatever becomes of whoever sent it: they are to be parted, too.
  const kept = new Map<string, KeptNamespace>()
  const joined = new Set<string>()
  const known =
    (id: string): SentPaths =>
    (url) =>
      kept.get(id)?.url === url ? kept.get(id)?.path : sent(url)
  const forget = async (id: string): Promise<void> => {
    const had = kept.get(id)
    kept.delete(id)
    joined.delete(id)
    await had?.close()
  }
  const keep = async (id: string, { namespace: url }: WireEnd): Promise<void> => {
    const path = known(id)(url)
    if (path === undefined || kept.get(id)?.url === url) return
    const opened = await openNamespace(url, path)
    await kept.get(id)?.close()
    kept.set(id, { ...opened, url })
  }
  return {
    join: (wire) =>
      inOrder(async () => {
        joined.add(wire.id)
        const of = known(wire.id)
        await ('tunnel' in wire ? joinTunnel(netlink, wire, of) : within(wire, of, (ends) => join(netlink, wire, ends)))
        await keep(wire.id, ofSender(wire))
      }),
    part: (wire) =>
      inOrder(async () => {
        try {
          await ('tunnel' in wire ? partTunnel(netlink, wire, known(wire.id)) : part(netlink, wire, known(wire.id)))
        } finally {
          await forget(wire.id)
        }
      }),
    counted: (wire) =>
      'tunnel' in wire ? countTunnel(netlink, wire, known(wire.id)) : within(wire, known(wire.id), (ends) => count(netlink, ends)),
    sweep: () => inOrder(() => sweepTunnels(netlink, joined)),
  }
}

type KeptNamespace = OpenedNamespace & { readonly url: string }

/** The end whose namespace somebody may have sent. */
const ofSender = (wire: Wire): WireEnd => ('tunnel' in wire ? wire.end : wire.client)

async function join(netlink: Netlink, wire: PairWire, ends: Ends): Promise<void> {
  const alias = aliasOf(wire.id)
  for (let round = 0; round < roundsMax; round++) {
    if (await settled(netlink, wire, ends)) return
    for (const { netns, ifname } of ends) await dropWhere(netlink, netns, isInTheWay(alias, ifname))
    await make(netlink, wire, ends)
  }
  throw new LinkRefused({ what: wire.client.ifname, reason: 'somebody else makes and deletes it at the same time' })
}

async function part(netlink: Netlink, { id, client, endpoint }: PairWire, sent: SentPaths): Promise<void> {
  for (const end of [client, endpoint])
    await inPlace(end, sent, ({ netns }) => dropWhere(netlink, netns, ({ alias }) => alias === aliasOf(id))).catch(unlessGone)
}

async function count(netlink: Netlink, ends: Ends): Promise<WireCounters | undefined> {
  const [client, endpoint] = await Promise.all(ends.map((end) => countedBehind(netlink, end)))
  return client && endpoint && { client, endpoint }
}

/** True where both ends are there, are each other's, and now as they are wanted. @throws LinkTaken */
async function settled(netlink: Netlink, { id, mtu }: PairWire, ends: Ends): Promise<boolean> {
  const alias = aliasOf(id)
  const found = await Promise.all(ends.map((end) => readOwn(netlink, end, alias)))
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

async function make(netlink: Netlink, { id, mtu = usualMtu }: PairWire, [client, endpoint]: Ends): Promise<void> {
  const peer = { ifname: endpoint.ifname, netns: endpoint.netns, mtu, group: linkGroup.wire }
  const made = [
    { do: 'addLink', link: { ifname: client.ifname, netns: client.netns, mtu, group: linkGroup.wire, shape: { kind: 'veth', peer } } },
  ] satisfies NetlinkRequest[]
  throwUnless(await netlink.request(made), [])
  for (const end of [client, endpoint]) await finish(netlink, end, aliasOf(id))
}

const within = <T>({ client, endpoint }: PairWire, sent: SentPaths, run: (ends: Ends) => Promise<T>): Promise<T> =>
  inPlace(client, sent, (a) => inPlace(endpoint, sent, (b) => run([a, b])))
