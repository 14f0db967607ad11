// Open vSwitch as a data plane: bridges and ports through the OVSDB, flows, groups and meters through each bridge's management socket.
import { join } from 'node:path'
import type { Capabilities, Dataplane, NodeChange, NodeSeen } from '../../core/contracts/dataplane.ts'
import type { ItemCount } from '../../core/node/explained.ts'
import type { LoggedPacket } from '../../core/node/logged-packet.ts'
import type { RuleDecision } from '../../core/node/rule-decision.ts'
import type { Item } from '../../core/node/item.ts'
import type { TracedFrame, TracedWay } from '../../core/node/traced.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import { decisionOf } from '../../core/pipeline/rule-owner.ts'
import { loggedPacketOf } from '../../core/wire/openflow/logged-packet.ts'
import type { PacketIn } from '../../core/wire/openflow/packet-in.ts'
import type { SeenFlow } from '../../core/wire/openflow/openflow.ts'
import { flowKey, flowText } from '../../core/pipeline/openflow/flow.ts'
import { groupText } from '../../core/pipeline/openflow/group.ts'
import { namedItem } from '../../core/pipeline/items.ts'
import { meterText } from '../../core/pipeline/openflow/meter.ts'
import type { PipelineSettings } from '../../core/pipeline/settings.ts'
import { sortedChange, withoutUncorrected, type SortedChange } from '../../core/pipeline/sorted-change.ts'
import {
  flowKeyOf,
  groupKey,
  isPortKey,
  meterKey,
  numberIn,
  type Hybrid,
  type SwitchPort,
  type SwitchValue,
} from '../../core/pipeline/ovsdb/switch.ts'
import { timeLimit, type Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { Ovsdb } from '../../platform/ovsdb/database.ts'
import type { Netlink } from '../netlink/netlink.ts'
import { Bridges } from '../ovs/bridges.ts'
import { forgetPaths } from '../ovs/cached-paths.ts'
import { probe, refuseOld, refuseTaken, removeProbeBridges, type Datapath } from '../ovs/probe.ts'
import { Hybrids } from '../links/vif/hybrids.ts'
import { PortQueues } from '../ovs/ovsdb/port-queues.ts'
import { everythingSeen } from '../ovs/ovsdb/qos-rows.ts'
import { RowDrift } from '../ovs/ovsdb/row-drift.ts'
import { bridgeRows, portRows, switchTables } from '../ovs/ovsdb/rows.ts'
import { traced } from '../ovs/trace.ts'
import { SwitchPorts, usualTimes, type SwitchPortTimes } from '../ovs/ovsdb/switch-ports.ts'

export interface OvsOptions {
  readonly node: string
  /** `unix:/var/run/openvswitch/db.sock` or another of ovsdb(7)'s. */
  readonly db: string
  /** Where the bridges' management sockets are. */
  readonly runDir: string
  /** Name of the overlay's bridge: 15 characters at most. */
  readonly bridge: string
  /** `auto`: asked of the switch. */
  readonly datapath: Datapath | 'auto'
  readonly tunnelAddress: string
  readonly tunnelL4Port: number
  /** Absent: none. */
  readonly tunnelDscp?: 'none' | 'inherit'
  /** Interface by physical network. Each is moved to a bridge of ours: being named here is being asked for. */
  readonly uplinks: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly times?: Partial<SwitchPortTimes>
  /** For Linux bridges in between, where a cloud wants them; absent: none are made. */
  readonly netlink?: () => Promise<Netlink>
  /** Whether inspectors can be made on this node; absent: they cannot. */
  readonly inspects?: () => Promise<boolean>
  /** Passed on each way to the switch and back; tests let rivals in here. */
  readonly way?: () => Promise<void>
}

export function ovs(options: OvsOptions): Dataplane<SwitchValue> {
  return new OvsDataplane(options)
}

class OvsDataplane implements Dataplane<SwitchValue> {
  readonly name = 'ovs'
  readonly renderer
  readonly #options: OvsOptions
  readonly #db: Ovsdb
  readonly #ports: SwitchPorts
  readonly #bridges: Bridges
  readonly #queues: PortQueues
  readonly #rowDrift: RowDrift
  readonly #wakes = new Set<() => void>()
  /** How long one question to the switch may take: a dump of 200,000 flows is a second. */
  readonly #askMs: number
  readonly #pathOf = (bridge: string): string => join(this.#options.runDir, `${bridge}.mgmt`)
  #settings: PipelineSettings
  #hybrids: Hybrids | undefined
  #logged: ((packet: LoggedPacket) => void) | undefined
  #cancelSweep: () => void = () => undefined

  constructor(options: OvsOptions) {
    const { clock, random, log, node, bridge, datapath, tunnelAddress, tunnelL4Port, tunnelDscp, uplinks } = options
    const wake = (): void => this.#wake()
    this.#options = options
    const marks = tunnelDscp === 'inherit'
    this.#settings = { node, bridge, datapath: datapath === 'auto' ? 'netdev' : datapath, tunnelAddress, tunnelL4Port, uplinks, marks }
    this.renderer = switchRenderer(() => this.#settings)
    this.#db = new Ovsdb({ address: options.db, database: 'Open_vSwitch', tables: switchTables, log, clock, random })
    const times = { ...usualTimes, ...options.times }
    this.#askMs = times.applyMs
    this.#ports = new SwitchPorts(this.#db, clock, times)
    this.#queues = new PortQueues(this.#db)
    this.#bridges = new Bridges({
      db: this.#db,
      clock,
      random,
      wake,
      pathOf: this.#pathOf,
      onPacket: (packet) => this.#log(packet),
    })
    this.#rowDrift = new RowDrift(this.#db, clock, wake)
  }

  #log(packet: PacketIn): void {
    const logged = this.#logged && loggedPacketOf(packet)
    if (logged !== undefined) this.#logged?.(logged)
  }

  #wake(): void {
    for (const each of this.#wakes) each()
  }

  async open(signal: AbortSignal): Promise<Capabilities> {
    const { bridge, tunnelL4Port, datapath, uplinks, log, random, clock } = this.#options
    await this.#db.ready(signal)
    await refuseTaken(this.#db, { bridge, tunnelL4Port })
    const { datapath: found, capabilities } = await probe(
      this.#db,
      { bridge, configured: datapath, uplinks, random, clock, pathOf: this.#pathOf },
      signal,
    )
    this.#cancelSweep = removeProbeBridges(this.#db, clock)
    refuseOld(String(capabilities['version'] ?? ''))
    this.#settings = {
      ...this.#settings,
      datapath: found,
      meters: Number(capabilities['meters']) > 0,
      ...(this.#options.netlink && { links: true }),
      inspectors: (await this.#options.inspects?.()) === true,
    }
    if (this.#options.netlink && this.#hybrids === undefined) {
      this.#hybrids = new Hybrids(await this.#options.netlink())
      await this.#hybrids.follow(() => this.#wake())
    }
    log.info({ capabilities }, 'Open vSwitch has been asked what it can do')
    this.#ports.reapSoon()
    return capabilities
  }

  async observe(_: void, signal: AbortSignal): Promise<NodeSeen> {
    const seen = new Map<string, string>()
    await this.walk((key, text) => void seen.set(key, text), signal)
    return seen
  }

  async walk(see: (key: string, text: string) => void, signal: AbortSignal): Promise<void> {
    const within = AbortSignal.any([signal, timeLimit(this.#askMs, this.#options.clock)])
    await this.#options.way?.()
    await this.#db.ready(within)
    this.#rowDrift.seen()
    for (const [key, text] of everythingSeen(this.#db)) see(key, text)
    for (const [key, text] of (await this.#hybrids?.seen()) ?? []) see(key, text)
    for (const { name, ours: mine } of bridgeRows(this.#db)) if (mine) await this.#walkBridge(name, see, within)
  }

  async #walkBridge(name: string, see: (key: string, text: string) => void, signal: AbortSignal): Promise<void> {
    const read = (text: string, unreadable: string | undefined): string => (unreadable === undefined ? text : `${text} and ${unreadable}`)
    const channel = this.#bridges.channel(name)
    for (const meter of await channel.meters(signal)) see(meterKey(name, meter.id), meterText(meter))
    for (const { group, unreadable } of await this.#bridges.groupChannel(name).groups(signal)) {
      see(groupKey(name, group.id), read(groupText(group), unreadable))
    }
    await channel.each(({ flow, unreadable }) => see(flowKeyOf(name, flowKey(flow)), read(flowText(flow), unreadable)), signal)
  }

  async counts(keys: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, ItemCount>> {
    const counted = new Map<string, ItemCount>()
    for (const { name, ours: mine } of bridgeRows(this.#db)) {
      if (!mine) continue
      await this.#bridges.channel(name).each(({ flow, packets, bytes }) => {
        const key = flowKeyOf(name, flowKey(flow))
        if (keys.has(key)) counted.set(key, { packets, bytes })
      }, signal)
    }
    return counted
  }

  async decisions(signal: AbortSignal): Promise<readonly RuleDecision[]> {
    const all: RuleDecision[] = []
    const { bridge } = this.#settings
    if (!bridgeRows(this.#db).some(({ name, ours: mine }) => mine && name === bridge)) return all
    const see = ({ flow, packets }: SeenFlow): void => {
      const decision = decisionOf(flow)
      if (decision !== undefined) all.push({ ...decision, key: flowKeyOf(bridge, flowKey(flow)), packets })
    }
    await this.#bridges.channel(bridge).each(see, signal, 'rule')
    return all
  }

  onLogged(take: (packet: LoggedPacket) => void): void {
    this.#logged = take
  }

  trace(port: LocalPort, frame: TracedFrame, signal: AbortSignal): Promise<TracedWay> {
    const { runDir, clock } = this.#options
    const known = [...this.renderer.base(), ...this.renderer.render(portPiece, port)]
    return traced({ row: portRows(this.#db).get(port.ifcName), runDir, clock, known }, { port, frame }, signal)
  }

  /**
   * Bridges first, as all else needs them, and what stands before others' bridges; then ports to be corrected; then ports, their queues
   * after them, and flows at once.
   */
  async apply(change: NodeChange<SwitchValue>, signal: AbortSignal): Promise<void> {
    // Made when it is needed: two hundred changes at once, each of a port alone, would spend a tenth of their time on it.
    let made: AbortSignal | undefined
    const within = (): AbortSignal => (made ??= AbortSignal.any([signal, timeLimit(this.#askMs, this.#options.clock)]))
    await this.#options.way?.()
    if (this.#db.problem() !== undefined) await this.#db.ready(within())
    const sorted = sortedChange(change)
    const { put, drop, corrected } = sorted
    await this.#rowDrift.ourOwn(async () => {
      if (put.bridges.length > 0) await this.#bridges.put(put.bridges, within())
      await this.#putHybrids(put.hybrids)
      const wrong =
        corrected.length === 0
          ? undefined
          : await this.#ports.put(corrected).then(
              () => undefined,
              (err: unknown) => ({ problem: err }),
            )
      await together([
        this.#putPorts(sorted, within),
        this.#ports.drop(drop.ports.map(({ name }) => name)),
        this.#queues.drop({ qos: drop.qos, queues: drop.queues }, within),
        ...this.#changeBridges(wrong === undefined ? sorted : withoutUncorrected(sorted), within),
      ])
      for (const { bridge } of drop.hybrids) await this.#hybrids?.drop(bridge)
      if (drop.bridges.length > 0)
        await this.#bridges.drop(
          drop.bridges.map(({ name }) => name),
          within(),
        )
      if (wrong !== undefined) throw wrong.problem
    })
    if (corrected.length > 0) await this.#forgetPaths(within())
    await this.#options.way?.()
  }

  /** Of ports that have moved: what cannot be forgotten is as old as the last packet. */
  async #forgetPaths(signal: AbortSignal): Promise<void> {
    const { log } = this.#options
    if (this.#settings.datapath !== 'netdev') return
    await forgetPaths(this.#options, signal).catch((err: unknown) =>
      log.warn({ err }, 'Open vSwitch may go on with paths that it remembers of ports which have moved'),
    )
  }

  isOwn(key: string): boolean {
    return isPortKey(key)
  }

  itemOf(key: string, text: string): Item<SwitchValue> {
    const because = { rule: 'it was here', of: { kind: 'Node', name: this.#options.node } } as const
    const named = namedItem(key, because)
    if (named !== undefined) return { key, text, because, value: named.value }
    const [kind = '', name = ''] = key.split('/')
    if (kind === 'bridge') return { key, text, because, value: { kind: 'bridge', bridge: { name, datapath: this.#settings.datapath } } }
    return {
      key,
      text,
      because,
      value: { kind: 'port', port: namedPort(name, portRows(this.#db).get(name)?.bridge ?? '', numberIn(text)) },
    }
  }

  onDrift(wake: () => void): void {
    this.#wakes.add(wake)
  }

  async close(): Promise<void> {
    this.#wakes.clear()
    this.#cancelSweep()
    this.#rowDrift.close()
    this.#ports.close()
    this.#bridges.close()
    this.#db.close()
    await this.#hybrids?.close()
  }

  async #putHybrids(hybrids: readonly Hybrid[]): Promise<void> {
    const made: string[] = []
    for (const hybrid of hybrids) if ((await this.#hybrids?.put(hybrid)) === true) made.push(hybrid.outer)
    await this.#ports.renew(made)
  }

  async #putPorts({ put, corrected }: SortedChange, within: () => AbortSignal): Promise<void> {
    const ports = corrected.length === 0 ? put.ports : put.ports.filter((port) => !corrected.includes(port))
    await this.#ports.put(ports)
    await this.#queues.put({ qos: put.qos, queues: put.queues, ports: put.ports.map(({ name }) => name) }, within)
  }

  #changeBridges({ drop, put, replaced }: SortedChange, within: () => AbortSignal): Promise<void>[] {
    const dropped = new Set([...drop.flows.keys(), ...drop.groups.keys(), ...drop.meters.keys()])
    const wanted = new Set([...put.flows.keys(), ...put.groups.keys(), ...put.meters.keys()])
    if (dropped.size + wanted.size === 0) return []
    const mine = new Set(
      bridgeRows(this.#db)
        .filter((each) => each.ours)
        .map(({ name }) => name),
    )
    // A bridge that is gone has taken its flows along.
    const names = [...new Set([...dropped, ...wanted])].filter((name) => mine.has(name) || wanted.has(name))
    return names.map((name) => {
      const of = <Value>(by: ReadonlyMap<string, readonly Value[]>): readonly Value[] => by.get(name) ?? []
      const groups = { drops: of(drop.groups), puts: of(put.groups) }
      const meters = { drops: of(drop.meters), puts: of(put.meters) }
      return this.#bridges.change(
        name,
        { drops: of(drop.flows), puts: of(put.flows), replaced: of(replaced.flows), groups, meters },
        within(),
      )
    })
  }
}

const namedPort = (name: string, bridge: string, number: number): SwitchPort => ({
  bridge,
  name,
  type: '',
  options: {},
  number,
  vlan: undefined,
  uid: '',
})

/** All are seen to their end, so that none goes on behind our back; then the first that failed is told. */
async function together(tasks: readonly Promise<void>[]): Promise<void> {
  for (const each of await Promise.allSettled(tasks)) if (each.status === 'rejected') throw each.reason
}
