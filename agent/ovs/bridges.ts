// Our bridges: their rows, and a way to the flows, groups and meters of each.
import { InUse } from '../../core/errors.ts'
import { flowKey, type Flow } from '../../core/pipeline/openflow/flow.ts'
import type { Group } from '../../core/pipeline/openflow/group.ts'
import type { Meter } from '../../core/pipeline/openflow/meter.ts'
import type { Bridge } from '../../core/pipeline/ovsdb/switch.ts'
import type { PacketIn } from '../../core/wire/openflow/packet-in.ts'
import type { Operation } from '../../core/wire/ovsdb/ovsdb.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Ovsdb } from '../../platform/ovsdb/database.ts'
import { applied } from '../../platform/ovsdb/vswitch.ts'
import type { ChannelOptions } from './openflow/channel.ts'
import { FlowChannel } from './openflow/flow-channel.ts'
import { FlowDrift } from './openflow/flow-drift.ts'
import { zonesOf } from './openflow/fresh-zones.ts'
import { GroupChannel } from './openflow/group-channel.ts'
import { deleteBridge, insertBridge, updateBridge } from './ovsdb/port-operations.ts'
import { bridgeRows } from './ovsdb/rows.ts'

export interface BridgesOptions {
  readonly db: Ovsdb
  readonly clock: Clock
  readonly random: () => number
  /** Flows may be gone, or others. */
  readonly wake: () => void
  readonly pathOf: (bridge: string) => string
  /** That a flow has sent here. */
  readonly onPacket: (packet: PacketIn) => void
}

interface Dropping<Value> {
  readonly drops: readonly Value[]
  readonly puts: readonly Value[]
}

/** What a bridge is to have and not to have any more, beside ports. */
export interface BridgeChange extends Dropping<Flow> {
  /** Flows that some of `puts` take the place of. */
  readonly replaced: readonly Flow[]
  readonly groups: Dropping<Group>
  readonly meters: Dropping<Meter>
}

export class Bridges {
  readonly #options: BridgesOptions
  readonly #channels = new Map<string, FlowChannel>()
  readonly #groups = new Map<string, GroupChannel>()
  readonly #drift: FlowDrift

  constructor(options: BridgesOptions) {
    this.#options = options
    this.#drift = new FlowDrift(options.clock, options.wake)
  }

  /** @throws InUse where one is somebody else's */
  async put(bridges: readonly Bridge[], signal: AbortSignal): Promise<void> {
    if (bridges.length === 0) return
    const rows = new Map(bridgeRows(this.#options.db).map((row) => [row.name, row]))
    const theirs = bridges.find(({ name }) => rows.get(name)?.ours === false)
    if (theirs !== undefined) throw new InUse({ what: `the bridge ${theirs.name}`, owner: 'somebody else' })
    const operations = bridges.flatMap((bridge, nth): readonly Operation[] => {
      const row = rows.get(bridge.name)
      return row === undefined ? insertBridge(bridge, nth) : [updateBridge(bridge, row.id)]
    })
    await applied(this.#options.db, operations, signal)
  }

  async drop(names: readonly string[], signal: AbortSignal): Promise<void> {
    const rows = bridgeRows(this.#options.db).filter(({ name, ours }) => ours && names.includes(name))
    for (const { name } of rows) this.#forget(name)
    if (rows.length > 0)
      await applied(
        this.#options.db,
        rows.map(({ id }) => deleteBridge(id)),
        signal,
      )
  }

  channel(name: string): FlowChannel {
    return made(this.#channels, name, () => new FlowChannel(this.#way(name, this.#options.wake), this.#options.onPacket))
  }

  groupChannel(name: string): GroupChannel {
    // The other way is there and gone at the same time, and wakes.
    return made(this.#groups, name, () => new GroupChannel(this.#way(name, () => undefined)))
  }

  /** Flows find the groups and meters that they use, and none of these goes while a flow uses it: the switch would take the flow along. */
  async change(name: string, { drops, puts, replaced, groups, meters }: BridgeChange, signal: AbortSignal): Promise<void> {
    await this.#changeMeters(name, 'put', meters.puts, signal)
    if (groups.puts.length > 0)
      await this.groupChannel(name).change(
        groups.puts.map((group) => ({ command: 'put', group })),
        signal,
      )
    if (puts.length + drops.length > 0) await this.#changeFlows(name, { drops, puts, replaced }, signal)
    if (groups.drops.length > 0)
      await this.groupChannel(name).change(
        groups.drops.map((group) => ({ command: 'drop', group })),
        signal,
      )
    await this.#changeMeters(name, 'drop', meters.drops, signal)
  }

  close(): void {
    this.#drift.close()
    for (const channel of [...this.#channels.values(), ...this.#groups.values()]) channel.close()
    this.#channels.clear()
    this.#groups.clear()
  }

  #way(bridge: string, onChange: () => void): ChannelOptions {
    const { clock, random, pathOf } = this.#options
    return { bridge, path: pathOf(bridge), clock, random, onChange }
  }

  async #changeMeters(name: string, command: 'put' | 'drop', meters: readonly Meter[], signal: AbortSignal): Promise<void> {
    for (const meter of meters) await this.channel(name).changeMeter(command, meter, signal)
  }

  async #changeFlows(
    name: string,
    { drops, puts, replaced }: Pick<BridgeChange, 'drops' | 'puts' | 'replaced'>,
    signal: AbortSignal,
  ): Promise<void> {
    const channel = this.channel(name)
    const instead = new Set(replaced.map(flowKey))
    const fresh = instead.size === 0 ? puts : puts.filter((flow) => !instead.has(flowKey(flow)))
    const known = zonesOf(replaced)
    await channel.flushZones(
      [...zonesOf(fresh)].filter((zone) => !known.has(zone)),
      signal,
    )
    await this.#drift.ourOwn(channel, { fresh, gone: drops }, () => channel.change(drops, puts, signal))
  }

  #forget(name: string): void {
    this.#groups.get(name)?.close()
    this.#groups.delete(name)
    const channel = this.#channels.get(name)
    if (channel === undefined) return
    this.#drift.forget(channel)
    channel.close()
    this.#channels.delete(name)
  }
}

function made<Value>(by: Map<string, Value>, name: string, make: () => Value): Value {
  const there = by.get(name)
  if (there !== undefined) return there
  const value = make()
  by.set(name, value)
  return value
}
