// What stands between an interface of ours and a switch that is not, as os-vif makes it (vif_plug_ovs/ovs.py, plug_vif_bridge): a Linux
// bridge, and a pair from there to the switch. The pair's outer end and the bridge are ours by their link group.
import { LinkOvertaken, LinkRefused, LinkTaken } from '../../../core/errors.ts'
import { hybridDevices } from '../../../core/pipeline/items.ts'
import { hybridKey, hybridText, type Hybrid } from '../../../core/pipeline/ovsdb/switch.ts'
import type { Link } from '../../../core/wire/netlink/link.ts'
import type { NetlinkAnswer, NetlinkRequest } from '../../../core/wire/netlink/netlink.ts'
import { aliasOf, linkGroup, named, uidOf } from '../pod-namespace.ts'
import { refusalText, refusedAs, type Netlink } from '../../netlink/netlink.ts'

const isOurs = ({ group }: Link): boolean => group === linkGroup.hybrid

/** What there is of ours, by key; one that is not whole has a text that nobody wants. Pure. */
export function hybridsSeen(links: readonly Link[]): readonly (readonly [string, string])[] {
  const names = new Set(links.filter(isOurs).map(({ ifname }) => `qbr${ifname.slice(3)}`))
  const byName = new Map(links.map((link) => [link.ifname, link]))
  return [...names].map((bridge) => [hybridKey(bridge), seenText(bridge, byName, links) ?? 'not whole'])
}

function seenText(bridge: string, byName: ReadonlyMap<string, Link>, links: readonly Link[]): string | undefined {
  const { inner, outer } = hybridDevices(bridge)
  const [between, within, without] = [bridge, inner, outer].map((name) => byName.get(name))
  const are = [between, within, without].every((link) => link?.up === true)
  if (!are || !isOurs(between!) || !isOurs(without!)) return undefined
  if (within!.master !== between!.index || within!.peer !== without!.index || within!.mtu !== without!.mtu) return undefined
  const [member, ...others] = links.filter(({ master, index }) => master === between!.index && index !== within!.index)
  if (member === undefined || others.length > 0) return undefined
  return hybridText({ inner, outer, member: member.ifname, uid: uidOf(between!.alias) ?? '', mtu: without!.mtu })
}

export class Hybrids {
  readonly #netlink: Netlink
  /** Devices that we have taken away: their end is no news. */
  readonly #going = new Set<string>()
  #stop: (() => void) | undefined

  constructor(netlink: Netlink) {
    this.#netlink = netlink
  }

  async seen(): Promise<readonly (readonly [string, string])[]> {
    return hybridsSeen(await this.#netlink.list('links'))
  }

  /** A device of ours has gone without us. */
  async follow(wake: () => void): Promise<void> {
    const { stop } = await this.#netlink.listen(
      ['links'],
      (events) => {
        const isNews = events?.some((each) => each.kind === 'links' && each.gone && isOurs(each.link) && !this.#going.has(each.link.ifname))
        if (isNews !== false) wake()
      },
      'gone',
    )
    this.#stop = stop
  }

  /**
   * Twice is once, and what is not whole is made so.
   *
   * @returns whether its outer end is another one than a switch may have had
   * @throws LinkTaken where a name is somebody else's, or another Port's; LinkOvertaken where the member is not there
   */
  async put(hybrid: Hybrid): Promise<boolean> {
    const { bridge, inner, outer, member, uid, mtu } = hybrid
    const there = await this.#find([bridge, inner, outer])
    for (const link of there.values()) mustBe(link, hybrid, there)
    for (const name of [bridge, inner, outer]) this.#going.delete(name)
    await this.#ask(
      [
        // The frames of one interface: it learns nothing, as os-vif has it, and the switch behind it knows of groups.
        { do: 'addLink', link: { ifname: bridge, group: linkGroup.hybrid, shape: { kind: 'bridge', ageingSeconds: 0, snooping: false } } },
        { do: 'addLink', link: { ifname: outer, mtu, group: linkGroup.hybrid, shape: { kind: 'veth', peer: { ifname: inner, mtu } } } },
      ],
      ['EEXIST'],
    )
    const now = await this.#find([bridge, inner, outer, member])
    const refOf = (name: string): Link => now.get(name) ?? overtaken(name)
    const master = refOf(bridge).index
    const alias = aliasOf(uid)
    await this.#ask(
      [
        { do: 'setLink', of: refOf(bridge), change: { alias, apart: true } },
        { do: 'setLink', of: refOf(outer), change: { up: true, mtu, alias, apart: true } },
        { do: 'setLink', of: refOf(inner), change: { up: true, mtu, master, apart: true } },
        { do: 'setLink', of: refOf(member), change: { up: true, master } },
        { do: 'setLink', of: refOf(bridge), change: { up: true } },
      ],
      [],
    )
    for (const stranger of await this.#membersBeside(master, [refOf(inner).index, refOf(member).index]))
      await this.#ask([{ do: 'setLink', of: stranger, change: { master: 0 } }], ['ENODEV'])
    return !there.has(outer)
  }

  /** Its member goes on being there, in no bridge. Gone already is done, and what is somebody else's stays. */
  async drop(bridge: string): Promise<void> {
    const { outer } = hybridDevices(bridge)
    for (const link of (await this.#find([outer, bridge])).values()) {
      if (!isOurs(link)) continue
      for (const name of [bridge, outer, hybridDevices(bridge).inner]) this.#going.add(name)
      await this.#ask([{ do: 'dropLink', of: link }], ['ENODEV'])
    }
  }

  async close(): Promise<void> {
    this.#stop?.()
    await this.#netlink.close()
  }

  async #membersBeside(master: number, but: readonly number[]): Promise<readonly Link[]> {
    return (await this.#netlink.list('links')).filter((link) => link.master === master && !but.includes(link.index))
  }

  async #find(names: readonly string[]): Promise<ReadonlyMap<string, Link>> {
    const answers = await this.#netlink.request(names.map((name): NetlinkRequest => ({ do: 'getLink', of: named(name) })))
    return new Map(answers.flatMap(({ link }) => (link === undefined ? [] : [[link.ifname, link] as const])))
  }

  async #ask(requests: readonly NetlinkRequest[], but: readonly string[]): Promise<void> {
    const answers = await this.#netlink.request(requests)
    const refused = (answer: NetlinkAnswer): boolean => answer.refusal !== undefined && !but.includes(refusedAs(answer.refusal))
    const at = answers.findIndex(refused)
    if (at < 0) return
    const { refusal } = answers[at]!
    const request = requests[at]!
    if ('of' in request && refusedAs(refusal!) === 'ENODEV') overtaken(String((request.of as { readonly ifname: string }).ifname))
    throw new LinkRefused({ what: request.do, reason: refusalText(refusal!) })
  }
}

/** The pair's inner end has no mark of its own: it is that of an outer end of ours. */
function mustBe(link: Link, { inner, uid }: Hybrid, there: ReadonlyMap<string, Link>): void {
  const isInner = link.ifname === inner && [...there.values()].some((each) => isOurs(each) && each.index === link.peer)
  const isAnothers = link.alias !== undefined && uidOf(link.alias) !== uid
  if ((isOurs(link) || isInner) && !isAnothers) return
  throw new LinkTaken({ ifname: link.ifname, where: "the node's namespace" })
}

function overtaken(ifname: string): never {
  throw new LinkOvertaken({ ifname })
}
