// The data plane of the kernel itself: a bridge and a VXLAN device for each VNI, told everything, learning nothing.
import type { Capabilities, Dataplane, NodeChange, NodeSeen } from '../../core/contracts/dataplane.ts'
import { InUse, LinkRefused } from '../../core/errors.ts'
import type { LinuxOptions } from '../../core/linux/options.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import { bridgeName, keyOf, textOf, linuxItemOf, type LinuxItem } from '../../core/linux/linux-items.ts'
import type { ItemCount } from '../../core/node/explained.ts'
import type { Item } from '../../core/node/item.ts'
import type { LoggedPacket } from '../../core/node/logged-packet.ts'
import type { RuleDecision } from '../../core/node/rule-decision.ts'
import type { NetlinkAnswer, NetlinkRequest, NetlinkEvent } from '../../core/wire/netlink/netlink.ts'
import type { LinkRef } from '../../core/wire/netlink/link.ts'
import { linkGroup, named } from '../links/pod-namespace.ts'
import { loadAddon, netlinkProtocol, type Addon, type NativeSocket } from '../native/addon.ts'
import { openNetlink } from '../netlink/addon.ts'
import { refusedAs, type Netlink } from '../netlink/netlink.ts'
import {
  deviceName,
  dropForwardingEntry,
  isDevice,
  isEntry,
  linksOf,
  makeDevice,
  refusedBy,
  type ForwardingEntry,
} from './linux/requests.ts'
import { membersLast, missing, putAsks, putAtOnce } from './linux/at-once.ts'
import { Guard, type GuardItem } from './linux/guard.ts'
import { countedOf, seenOf } from './linux/decided.ts'
import { NodeKernel } from './linux/node-kernel.ts'
import { isPolicy, Policies } from './linux/policies.ts'
import { logProbe } from './linux/policy-ruleset.ts'
import { LinuxRuleLog } from './linux/rule-log.ts'
import { isKnownTunnel, KnownTunnels } from './linux/known-tunnels.ts'
import { isAnswering, isRouter, Routes, type Router } from './linux/routes.ts'
import { observedItems } from './linux/observed-items.ts'
import { canTag, canTunnel, whyNoLearning } from './linux-probe.ts'
import { isTraffic, Traffic } from './linux/traffic.ts'
import { isVlanPort, VlanPrograms, type VlanPort } from './linux/vlans.ts'

export interface LinuxDeps extends Omit<LinuxOptions, keyof Lacking> {
  /** Asked for once, by `open`. */
  readonly kernel: () => Promise<Kernel>
}

export interface Kernel {
  readonly netlink: Netlink
  /** Sources are guarded over it: there is no other way that would be fast enough. */
  readonly addon: Addon
  /** The node's namespace, where it is not that of this process. */
  readonly netns?: string
}

/** @throws LinkRefused without the addon */
export async function openKernelOf(netns?: string): Promise<Kernel> {
  const addon = loadAddon()
  if ('missing' in addon) throw new LinkRefused({ what: 'the Linux data plane', reason: addon.missing })
  return { netlink: await openNetlink(addon, netns), addon, ...(netns === undefined ? {} : { netns }) }
}

type Lacking = Pick<LinuxOptions, 'noRoutes' | 'noVlans' | 'noTraffic' | 'noLog' | 'noLearning'>
const lacking = (all: Readonly<Record<keyof Lacking, string | undefined>>): Lacking =>
  Object.fromEntries(Object.entries(all).filter(([, why]) => why !== undefined))

/** Gone already: what a drop is refused with. */
const gone = ['ENODEV', 'ENOENT', 'ESRCH', 'EADDRNOTAVAIL', 'ENOTSUP'] // the last: of an interface that is in no bridge any more
const isGuard = (thing: LinuxItem): thing is GuardItem => ['guarded', 'source', 'option', 'untagged', 'guest'].includes(thing.kind)
const valuesOf = (items: readonly Item<LinuxItem>[]): readonly LinuxItem[] => items.map(({ value }) => value)

export function linux(deps: LinuxDeps): Dataplane<LinuxItem> {
  return new LinuxDataplane(deps)
}

class LinuxDataplane implements Dataplane<LinuxItem> {
  readonly name = 'linux'
  renderer
  readonly #deps: LinuxDeps
  readonly #options: LinuxOptions
  readonly #stops: (() => void)[] = []
  /** Devices that were taken away by us: their end is no news. */
  readonly #going = new Set<string>()
  #kernel: Kernel | undefined
  #sources: NativeSocket | undefined
  #noLog: string | undefined
  #ruleLog: LinuxRuleLog | undefined
  #takeLogged: ((packet: LoggedPacket) => void) | undefined

  constructor(deps: LinuxDeps) {
    const { tunnelAddress, l4Port, uplinks = {} } = deps
    this.#deps = deps
    this.#options = { tunnelAddress, l4Port, uplinks }
    this.renderer = linuxRenderer(this.#options)
  }

  get #netlink(): Netlink {
    return this.#opened.netlink
  }

  get #guard(): Guard {
    return new Guard(this.#home)
  }

  get #known(): KnownTunnels {
    return new KnownTunnels(this.#home, this.#options.l4Port)
  }

  get #policies(): Policies {
    return new Policies(this.#home, this.#noLog === undefined)
  }

  get #traffic(): Traffic {
    return new Traffic(this.#home)
  }

  get #routes(): Routes {
    return new Routes(this.#home)
  }

  get #vlans(): VlanPrograms {
    return new VlanPrograms(this.#home)
  }

  get #home(): NodeKernel {
    return new NodeKernel(this.#opened.addon, this.#opened.netns)
  }

  get #opened(): Kernel {
    if (this.#kernel === undefined) throw new LinkRefused({ what: 'the Linux data plane', reason: 'it has not been opened' })
    return this.#kernel
  }

  async open(): Promise<Capabilities> {
    this.#kernel ??= await this.#deps.kernel()
    this.#sources ??= await this.#kernel.addon.open(this.#kernel.netns, netlinkProtocol.netfilter, [])
    const links = await this.#netlink.list('links')
    const other = links.find(({ vxlan, group }) => vxlan?.l4Port === this.#options.l4Port && group !== linkGroup.ours)
    if (other !== undefined) throw new InUse({ what: `UDP port ${this.#options.l4Port} of VXLAN`, owner: `interface ${other.ifname}` })
    await this.#guard.makeTable()
    await this.#known.makeTable(() => this.#knownHosts())
    const unlogged = await this.#home.tried(logProbe)
    this.#noLog = unlogged && `nftables refuses to log (${unlogged})`
    await this.#policies.makeTable()
    const noTraffic = await this.#traffic.makeTable()
    const noRoutes = await this.#routes.makeTable()
    const uplinks = Object.fromEntries(
      Object.entries(this.#options.uplinks ?? {}).filter(([, ifname]) => links.some((link) => link.ifname === ifname)),
    )
    const noVlans = Object.keys(uplinks).length === 0 ? undefined : await canTag(this.#netlink, this.#vlans)
    const options = {
      ...this.#options,
      uplinks,
      ...lacking({ noRoutes, noVlans, noTraffic, noLog: this.#noLog, noLearning: await whyNoLearning(this.#netlink) }),
    }
    this.renderer = linuxRenderer(options)
    await this.#hearLogged()
    const vlans = noVlans === undefined ? Object.keys(uplinks).map((name) => [`vlan:${name}`, true] as const) : []
    return {
      vxlan: await canTunnel(this.#netlink),
      routing: noRoutes === undefined,
      vlan: vlans.length > 0,
      ...Object.fromEntries(vlans),
      userspace: false,
    }
  }

  async #hearLogged(): Promise<void> {
    if (this.#noLog !== undefined) return
    this.#ruleLog ??= new LinuxRuleLog(
      { home: this.#home, judged: () => this.#policies.judged(), links: () => this.#netlink.list('links') },
      (packet) => this.#takeLogged?.(packet),
    )
    await this.#ruleLog.open()
  }

  /** The nodes that this one tunnels to. */
  async #knownHosts(): Promise<readonly { readonly vni: number; readonly host: string }[]> {
    const [links, fdb] = await Promise.all([this.#netlink.list('links'), this.#netlink.list('fdb')])
    const known = observedItems({ links, fdb, neighbours: [] }).flatMap((thing) =>
      thing.kind === 'vtep' || thing.kind === 'flood'
        ? [[`${thing.vni} ${thing.host}`, { vni: thing.vni, host: thing.host }] as const]
        : [],
    )
    return [...new Map(known).values()]
  }

  async observe(): Promise<NodeSeen> {
    const [links, fdb, neighbours, guard] = await Promise.all([
      this.#netlink.list('links'),
      this.#netlink.list('fdb'),
      this.#netlink.list('neighbours'),
      this.#guard.list(),
    ])
    const [routers, vlans, known, policies, traffic] = await Promise.all([
      this.#routes.list(links),
      this.#vlans.list(links),
      this.#known.list(),
      this.#policies.list(),
      this.#traffic.list(),
    ])
    const things: readonly LinuxItem[] = [
      ...(guard === undefined ? [] : [{ kind: 'table' } as const, ...guard]),
      ...(known === undefined ? [] : [{ kind: 'tunnels' } as const, ...known]),
      ...(policies === undefined ? [] : [{ kind: 'policies' } as const, ...policies]),
      ...(traffic === undefined ? [] : [{ kind: 'traffic' } as const, ...traffic]),
      ...(routers === undefined ? [] : [{ kind: 'routes' } as const, ...routers]),
      ...observedItems({ links, fdb, neighbours }),
      ...vlans,
    ]
    return new Map(things.map((thing) => [keyOf(thing), textOf(thing)]))
  }

  async parts(): Promise<NodeSeen> {
    return seenOf(await this.#policies.decided())
  }

  async counts(keys: ReadonlySet<string>): Promise<ReadonlyMap<string, ItemCount>> {
    return new Map([...countedOf(await this.#policies.decided())].filter(([key]) => keys.has(key)))
  }

  async decisions(): Promise<readonly RuleDecision[]> {
    await this.#hearLogged()
    return this.#policies.decided()
  }

  onLogged(take: (packet: LoggedPacket) => void): void {
    this.#takeLogged = take
  }

  /**
   * Out of bridges before sources are let go, into bridges after they are guarded and judged: no frame passes unguarded. Devices are made
   * first and go last.
   */
  async apply({ drop, put }: NodeChange<LinuxItem>): Promise<void> {
    const [drops, puts] = [valuesOf(drop), valuesOf(put)]
    if (drops.length === 0 && (await this.#putAtOnce(puts))) return
    const again = new Set(puts.map(keyOf))
    // What is put again is replaced where it is: a moved MAC is never nowhere.
    await this.#dropEntries(drops.filter(isEntry).filter((thing) => !again.has(keyOf(thing))))
    for (const router of drops.filter(isRouter)) await this.#routes.drop(router)
    await this.#routes.dropAnswering(drops.filter(isAnswering))
    await this.#changeTables(drops, puts)
    await this.#known.change(drops.filter(isKnownTunnel), puts.filter(isKnownTunnel))
    const [devices, entries] = [puts.filter(isDevice), puts.filter(isEntry)]
    // Where no device comes or goes, what entries speak of is there already.
    const [routers, names] = [
      puts.filter(isRouter),
      [...entries.flatMap(linksOf), ...puts.filter(isRouter).map(({ vni }) => bridgeName(vni))],
    ]
    const known = devices.length + drops.filter(isDevice).length === 0 ? this.#refs(names) : undefined
    known?.catch(() => undefined)
    await this.#guard.change(drops.filter(isGuard), puts.filter(isGuard))
    // A limit is there before what is judged comes to it, and as long as that does.
    await this.#traffic.change([], puts.filter(isTraffic))
    await this.#policies.change(drops.filter(isPolicy), puts.filter(isPolicy))
    await this.#traffic.change(
      drops.filter(isTraffic).filter((thing) => !again.has(keyOf(thing))),
      [],
    )
    // A door that was closed is opened again: without it, all that hangs on it would be gone.
    const isKept = (thing: LinuxItem): boolean => thing.kind === 'door' && again.has(keyOf(thing))
    await this.#dropDevices(drops.filter(isDevice).flatMap((thing) => (isKept(thing) ? [] : [deviceName(thing)])))
    for (const device of devices) this.#going.delete(deviceName(device))
    await this.#request(devices.flatMap(makeDevice), ['EEXIST'])
    const refs = await (known ?? this.#refs(names))
    for (const port of entries.filter(isVlanPort)) await this.#putPrograms(port, refs)
    await this.#putEntries(entries, refs)
    for (const router of routers) await this.#putRouter(router, refs)
    await this.#routes.putAnswering(puts.filter(isAnswering))
  }

  async #putAtOnce(puts: readonly LinuxItem[]): Promise<boolean> {
    const [guards, entries] = [puts.filter(isGuard), puts.filter(isEntry)]
    if (this.#sources === undefined || guards.length + entries.length < puts.length || entries.some(isVlanPort)) return false
    return putAtOnce(this.#netlink, this.#sources, guards, entries)
  }

  async #putPrograms({ ifname, mode, vlans }: VlanPort, refs: ReadonlyMap<string, LinkRef>): Promise<void> {
    const { index } = refs.get(ifname) ?? missing(ifname)
    await this.#vlans.put({ mode, vlans }, index)
  }

  async #changeTables(drops: readonly LinuxItem[], puts: readonly LinuxItem[]): Promise<void> {
    const has = (things: readonly LinuxItem[], wanted: LinuxItem['kind']): boolean => things.some(({ kind: is }) => is === wanted)
    const tables = [
      { of: 'table', table: this.#guard, make: () => this.#guard.makeTable() },
      { of: 'tunnels', table: this.#known, make: () => this.#known.makeTable(() => this.#knownHosts()) },
      { of: 'policies', table: this.#policies, make: () => this.#policies.makeTable() },
      { of: 'traffic', table: this.#traffic, make: () => this.#traffic.makeTable() },
      { of: 'routes', table: this.#routes, make: () => this.#routes.makeTable() },
    ] as const
    for (const { of, table, make } of tables) {
      if (has(drops, of)) await table.dropTable()
      if (has(puts, of)) await make()
    }
  }

  /**
   * Nobody is asked for an address that the bridge was not told of: a pod that tries them all would fill the node's tables of neighbours.
   */
  async #putRouter(router: Router, refs: ReadonlyMap<string, LinkRef>): Promise<void> {
    const name = bridgeName(router.vni)
    const on = refs.get(name) ?? missing(name)
    await this.#request(
      (['arp_cache', 'ndisc_cache'] as const).map((of): NetlinkRequest => ({ do: 'setProbes', on, of, probes: 0 })),
      gone,
    )
    await this.#routes.put(router, on.index)
  }

  itemOf(key: string, text: string): Item<LinuxItem> {
    return { key, text, value: linuxItemOf(key, text), because: { rule: 'it was here', of: { kind: 'Node', name: 'here' } } }
  }

  onDrift(wake: () => void): void {
    const observe = (events?: readonly NetlinkEvent[]): void => {
      if (events === undefined || events.some((event) => this.#isMeddling(event))) wake()
    }
    this.#netlink.listen(['links'], observe, 'gone').then(({ stop }) => this.#stops.push(stop), wake)
  }

  /** A device of ours has gone that we did not take away. All else that others do is found by the next audit. */
  #isMeddling(event: NetlinkEvent): boolean {
    if (!event.gone || event.kind !== 'links') return false
    const { kind, group, ifname } = event.link
    const device = group === linkGroup.door || (group === linkGroup.ours && (kind === 'bridge' || kind === 'vxlan'))
    return device && !this.#going.has(ifname)
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    this.#ruleLog?.close()
    await this.#kernel?.netlink.close()
    if (this.#sources !== undefined) this.#kernel?.addon.close(this.#sources)
  }

  async #dropDevices(names: readonly string[]): Promise<void> {
    for (const name of names) this.#going.add(name)
    await this.#request(
      names.map((name): NetlinkRequest => ({ do: 'dropLink', of: named(name) })),
      gone,
    )
  }

  async #dropEntries(entries: readonly ForwardingEntry[]): Promise<void> {
    const refs = await this.#refs(entries.flatMap(linksOf))
    const requests = membersLast(entries).flatMap((thing) => {
      const on = refs.get(linksOf(thing)[0]!)
      return on === undefined ? [] : dropForwardingEntry(thing, on)
    })
    await this.#request(requests, gone)
    for (const { ifname } of entries.filter(isVlanPort)) {
      const on = refs.get(ifname)
      if (on !== undefined) await this.#vlans.drop(on.index)
    }
  }

  async #putEntries(entries: readonly ForwardingEntry[], refs: ReadonlyMap<string, LinkRef>): Promise<void> {
    await this.#request(putAsks(entries, refs), ['EEXIST'])
  }

  /** Interfaces by name, those that are there. */
  async #refs(all: readonly string[]): Promise<ReadonlyMap<string, LinkRef>> {
    const names = [...new Set(all)]
    const answers =
      names.length === 0 ? [] : await this.#netlink.request(names.map((ifname): NetlinkRequest => ({ do: 'getLink', of: named(ifname) })))
    return new Map(answers.flatMap(({ link }) => (link === undefined ? [] : [[link.ifname, link]])))
  }

  async #request(requests: readonly NetlinkRequest[], but: readonly string[]): Promise<readonly NetlinkAnswer[]> {
    const answers = requests.length === 0 ? [] : await this.#netlink.request(requests)
    const at = answers.findIndex(({ refusal }) => refusal !== undefined && !but.includes(refusedAs(refusal)))
    if (at >= 0) throw refusedBy(requests[at]!, answers[at]!.refusal!)
    return answers
  }
}
