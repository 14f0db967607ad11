// Our bridges: their rows, and a way to the flows of each.
import { InUse } from '../../core/errors.ts'
import { flowKey, type Flow } from '../../core/pipeline/flow.ts'
import type { Bridge } from '../../core/pipeline/switch.ts'
import type { Operation } from '../../core/wire/ovsdb/ovsdb.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Ovsdb } from '../../platform/ovsdb/database.ts'
import { applied } from '../../platform/ovsdb/vswitch.ts'
import { FlowChannel } from './flow-channel.ts'
import { FlowDrift } from './flow-drift.ts'
import { deleteBridge, insertBridge, updateBridge } from './port-operations.ts'
import { bridgeRows } from './rows.ts'

export interface BridgesOptions {
  readonly db: Ovsdb
  readonly clock: Clock
  readonly random: () => number
  /** Flows may be gone, or others. */
  readonly wake: () => void
  readonly pathOf: (bridge: string) => string
}

export interface FlowChange {
  readonly drops: readonly Flow[]
  readonly puts: readonly Flow[]
  /** What some of `puts` take the place of. */
  readonly replaced: readonly Flow[]
}

export class Bridges {
  readonly #options: BridgesOptions
  readonly #channels = new Map<string, FlowChannel>()
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
    if (rows.length > 0) await applied(this.#options.db, rows.map(({ id }) => deleteBridge(id)), signal)
  }

  channel(name: string): FlowChannel {
    const there = this.#channels.get(name)
    if (there !== undefined) return there
    const { clock, random, wake, pathOf } = this.#options
    const channel = new FlowChannel({ bridge: name, path: pathOf(name), clock, random, onChange: wake })
    this.#channels.set(name, channel)
    return channel
  }

  async changeFlows(name: string, { drops, puts, replaced }: FlowChange, signal: AbortSignal): Promise<void> {
    const channel = this.channel(name)
    const instead = new Set(replaced.map(flowKey))
    const fresh = instead.size === 0 ? puts : puts.filter((flow) => !instead.has(flowKey(flow)))
    await this.#drift.ourOwn(channel, { fresh, gone: drops }, () => channel.change(drops, puts, signal))
  }

  close(): void {
    this.#drift.close()
    for (const channel of this.#channels.values()) channel.close()
    this.#channels.clear()
  }

  #forget(name: string): void {
    const channel = this.#channels.get(name)
    if (channel === undefined) return
    this.#drift.forget(channel)
    channel.close()
    this.#channels.delete(name)
  }
}
