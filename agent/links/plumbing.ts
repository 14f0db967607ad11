// Links over netlink. An ADD that meets nothing unexpected is two turns of a thread: one here, one in the pod's namespace.
import { LinkRefused, LinkTaken } from '../../core/errors.ts'
import type { CaptureLimits, Captured, PortCounters } from '../../core/kinds/node/inquiry.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { NetlinkRequest } from '../../core/wire/netlink/netlink.ts'
import type { Link, LinkChange } from '../../core/wire/netlink/link.ts'
import type { Clock } from '../../platform/clock.ts'
import { chained } from '../netlink/chain.ts'
import { refusalText, refusedAs, type Chained, type Netlink } from '../netlink/netlink.ts'
import { adopt, adoptedInto, giveBack, isAdopted } from './vif/adopted.ts'
import { announcements } from './announce.ts'
import { refuseRouterAdvertisements } from './refuse-router-advertisements.ts'
import { differences, insideRequests, settleRequests, stripRequests } from './inside.ts'
import type { Inside, Links, OurLink, Plumbed } from './links.ts'
import { aliasOf, applyInside, findLink, linkGroup, named, readInside, throwUnless, uidOf } from './pod-namespace.ts'
import { macvlan, removeMacvlan } from './macvlan.ts'
import { dropOwnNamespace, hasOwnNamespace, makeOwnNamespace } from './own-namespace.ts'
import { captureFrom } from './capture.ts'
import { Reaper } from './reaper.ts'
import { ensureTap, isTap, tapDifferences } from './vif/tap.ts'

/** Each round of `ensure` takes one thing out of the way; more are a rival's doing. */
const roundsMax = 6

export interface LinksOptions {
  readonly clock: Clock
  readonly netlink: Netlink
  /** Path of the node's namespace; absent: that of this process. */
  readonly home?: string | undefined
  /** A socket of its own for deleting, which waits for the kernel's grace periods. `close` closes both. */
  readonly reaper: Netlink
  /** What goes wrong where nobody waits for an answer. */
  readonly onProblem: (err: unknown) => void
}

export function makeLinks(options: LinksOptions): Links {
  return new NetlinkLinks(options)
}

/**
 * Before the other end is up: until then the kernel gives it no address. With one the pod would have the node itself as a neighbour, past
 * every guard of a data plane in user space.
 */
const hostEnd = ({ uid }: LocalPort): LinkChange => ({ alias: aliasOf(uid), apart: true })

class NetlinkLinks implements Links {
  readonly #clock: Clock
  readonly #netlink: Netlink
  readonly #reaper: Reaper
  readonly #home: string

  constructor({ clock, netlink, home = '/proc/self/ns/net', reaper, onProblem }: LinksOptions) {
    this.#clock = clock
    this.#home = home
    this.#netlink = netlink
    this.#reaper = new Reaper({ netlink: reaper, group: linkGroup.removed, clock, onProblem })
  }

  /** The host end has received what the Port has sent. */
  async counters(ifcName: string): Promise<PortCounters | undefined> {
    const found = (await this.#netlink.request([{ do: 'getLink', of: named(ifcName), counted: true }]))[0]?.link?.counters
    return (
      found && {
        sentPackets: found.receivedPackets,
        sentBytes: found.receivedBytes,
        receivedPackets: found.sentPackets,
        receivedBytes: found.sentBytes,
        dropped: found.dropped,
      }
    )
  }

  async capture(ifcName: string, limits: CaptureLimits, signal: AbortSignal): Promise<Captured> {
    const reader = await this.#netlink.sniff?.(ifcName)
    if (reader === undefined) throw new LinkRefused({ what: `a capture of ${ifcName}`, reason: 'the native addon is missing' })
    return captureFrom(reader, limits, this.#clock, signal)
  }

  async hear(ifcName: string, filter: Uint8Array, onFrame: (frame: Uint8Array | undefined) => void): Promise<{ stop(): void }> {
    if (this.#netlink.hear === undefined)
      throw new LinkRefused({ what: `what the guest at ${ifcName} asks`, reason: 'the native addon is missing' })
    return this.#netlink.hear(ifcName, filter, onFrame)
  }

  tell(ifcName: string, frame: Uint8Array): Promise<void> {
    return this.#netlink.frame(ifcName, frame)
  }

  async ensure(port: LocalPort, inside: Inside, joinable: () => void = () => undefined, signal?: AbortSignal): Promise<Plumbed> {
    if (inside.own === true) await makeOwnNamespace(port.ifcName)
    if (isAdopted(port)) return adopt(this.#netlink, port, inside, signal)
    for (let round = 0; round < roundsMax; round++) {
      const made = await this.#round(port, inside, joinable)
      if (made !== undefined) return made
    }
    throw new LinkRefused({ what: `${port.ifcName}`, reason: `somebody else makes and deletes it at the same time` })
  }

  /** Undefined: something was taken out of the way, look again. */
  #round(port: LocalPort, inside: Inside, joinable: () => void): Promise<Plumbed | undefined> {
    if (isTap(port)) return ensureTap(this.#netlink, this.#reaper, port)
    const { macvlanOn } = inside
    return macvlanOn === undefined ? this.#pair(port, inside, joinable) : macvlan(this.#netlink, port, { ...inside, macvlanOn })
  }

  async #pair(port: LocalPort, inside: Inside, joinable: () => void): Promise<Plumbed | undefined> {
    const mtu = inside.mtu ?? port.mtu
    const { first: [made, found] = [], then = [] } = await this.#make(port, inside, mtu)
    const host = found?.link
    if (made?.refusal !== undefined) {
      if (refusedAs(made.refusal) !== 'EEXIST') throw new LinkRefused({ what: port.ifcName, reason: refusalText(made.refusal) })
      return host === undefined ? this.#clearInside(inside) : this.#again(port, inside, host)
    }
    if (host === undefined) return undefined
    throwUnless(then, [])
    const entered = this.#open(inside, host.peer)
    joinable()
    await entered
    return plumbed(host, { index: host.peer, mac: port.mac, mtu, fresh: true })
  }

  #make(port: LocalPort, { ifname, netns }: Inside, mtu: number): Promise<Chained> {
    const peer = { ifname, mac: port.mac, mtu, ...(netns === undefined ? {} : { netns }) }
    return chained(this.#netlink, {
      first: [
        { do: 'addLink', link: { ifname: port.ifcName, up: true, mtu, group: linkGroup.ours, shape: { kind: 'veth', peer } } },
        { do: 'getLink', of: named(port.ifcName) },
      ],
      then: (answers) => answers.map((host): NetlinkRequest => ({ do: 'setLink', of: host, change: hostEnd(port) })),
    })
  }

  async #open(inside: Inside, index: number): Promise<void> {
    if (inside.netns === undefined) await refuseRouterAdvertisements(inside.ifname)
    await applyInside(this.#netlink, inside, insideRequests(inside, { index, ifname: inside.ifname }))
  }

  /** A host end of that name is there already. */
  async #again(port: LocalPort, inside: Inside, host: Link): Promise<Plumbed | undefined> {
    if (host.group === linkGroup.removed) {
      await this.#reaper.reap()
      return undefined
    }
    if (host.group !== linkGroup.ours || host.kind !== 'veth') throw new LinkTaken({ ifname: port.ifcName, where: "the node's namespace" })
    const within = await readInside(this.#netlink, inside)
    const mtu = inside.mtu ?? port.mtu
    if (within === undefined || within.link.peer !== host.index || within.link.index !== host.peer) {
      throwUnless(await this.#netlink.request([{ do: 'dropLink', of: host }]), ['ENODEV'])
      return undefined
    }
    await Promise.all([
      applyInside(this.#netlink, inside, settleRequests(inside, within, port.mac, mtu)),
      this.#name(host, port, { up: true, mtu }),
    ])
    return plumbed(host, { index: within.link.index, mac: port.mac, mtu, fresh: false })
  }

  /** Inside, the name is taken: by one of ours that was removed and waits to be deleted, or by somebody else. */
  async #clearInside(inside: Inside): Promise<undefined> {
    // In this order: what is deleted in between is then missed inside, not here.
    const links = await this.#netlink.list('links')
    const taken = await readInside(this.#netlink, inside)
    if (taken === undefined) return undefined
    const removed = links.some(
      ({ index, group, peer }) => group === linkGroup.removed && index === taken.link.peer && peer === taken.link.index,
    )
    if (!removed) throw new LinkTaken({ ifname: inside.ifname, where: inside.netns ?? "the node's namespace" })
    await this.#reaper.reap()
  }

  async #name(host: Link, port: LocalPort, more: { readonly up: true; readonly mtu: number }): Promise<void> {
    throwUnless(await this.#netlink.request([{ do: 'setLink', of: host, change: { ...more, ...hostEnd(port) } }]), [])
  }

  async remove(ifcName: string, within?: { readonly netns: string; readonly ifname: string }): Promise<void> {
    if (within !== undefined) return removeMacvlan(this.#netlink, this.#reaper, within)
    const found = await findLink(this.#netlink, ifcName)
    if (found === undefined) return dropOwnNamespace(ifcName)
    if (found.group !== linkGroup.ours) return
    // Group first in meaning: from here on it is rubbish, whoever is killed when. Down, no bridge passes its frames on; taking it out of
    // its bridge is the data plane's, and would wait for a second grace period of the kernel here.
    throwUnless(await this.#netlink.request([{ do: 'setLink', of: found, change: { up: false, group: linkGroup.removed } }]), ['ENODEV'])
    this.#reaper.soon()
    await dropOwnNamespace(ifcName)
  }

  async strip(inside: Inside): Promise<void> {
    const within = await readInside(this.#netlink, inside)
    if (within === undefined) return
    const requests = stripRequests(inside, within)
    throwUnless(await this.#netlink.request(requests, inside.netns), [], requests)
  }

  hasOwn(ifcName: string): Promise<boolean> {
    return hasOwnNamespace(ifcName)
  }

  giveBack(port: LocalPort, netns: string): Promise<void> {
    return giveBack(this.#netlink, port, { netns, home: this.#home })
  }

  async check(port: LocalPort, inside: Inside): Promise<readonly string[]> {
    if (isTap(port)) return tapDifferences(this.#netlink, port)
    if (isAdopted(port) && adoptedInto(port, inside) === undefined) return []
    const within = await readInside(this.#netlink, inside)
    return differences(port, inside, within)
  }

  async list(): Promise<readonly OurLink[]> {
    const ours = (await this.#netlink.list('links')).filter(
      ({ group, kind }) => group === linkGroup.ours && (kind === 'veth' || kind === 'tun'),
    )
    return ours.map(({ ifname, index, alias, up, mtu }) => {
      const uid = uidOf(alias)
      return { ifcName: ifname, index, up, mtu, ...(uid === undefined ? {} : { uid }) }
    })
  }

  async announce(port: LocalPort, inside: Inside): Promise<void> {
    // A machine announces its addresses itself, and what stays on the node is its maker's.
    if (isTap(port) || (isAdopted(port) && adoptedInto(port, inside) === undefined)) return
    for (const frame of announcements(port.mac, inside.addresses)) await this.#netlink.frame(inside.ifname, frame, inside.netns)
  }

  reap(): Promise<void> {
    return this.#reaper.reap()
  }

  async close(): Promise<void> {
    await this.#reaper.close()
    await this.#netlink.close()
  }
}

const plumbed = (host: Link, of: Pick<Plumbed, 'index' | 'mac' | 'mtu' | 'fresh'>): Plumbed => ({
  ifcName: host.ifname,
  hostIndex: host.index,
  hostMac: host.mac ?? '',
  ...of,
})
