// The inspectors of a node: each a network namespace with HAProxy in it. What is there is read back from the machine, so that an agent that
// starts takes over what it finds, and replaces what is not as it should be.
import { backoffMs, backoffs } from '../../core/backoff.ts'
import { LinkRefused } from '../../core/errors.ts'
import { inspectorKey, type InspectorThing } from '../../core/node/inspectors/item.ts'
import type { InspectedDirection } from '../../core/node/inspectors/names.ts'
import type { InspectorCounts } from '../../core/contracts/dataplane.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'

/** On one node: at 15 MiB each without connections they are a gigabyte. */
export const inspectorsMost = 64
/** How often their processes are looked for. */
const watchMs = 1_000
/** Whoever has run for so long has not failed at its start. */
const stableMs = 60_000

export interface InspectorName {
  readonly vni: number
  readonly direction: InspectedDirection
}

export interface FoundInspector extends InspectorName {
  /** What it was made from; undefined: its proxy or its network is not there, or not whole. */
  readonly text: string | undefined
}

/** Where inspectors are: the machine, or memory. All of it may be done twice. */
export interface InspectorHost {
  /** Why none can be made here, in words; undefined: they can. */
  missing(): Promise<string | undefined>
  list(): Promise<readonly FoundInspector[]>
  /** A link into a namespace with what leads connections to the proxy. @throws LinkRefused */
  makeNetwork(thing: InspectorThing): Promise<void>
  /**
   * The proxy, which takes over from the one before: that goes on with the connections that it has. One that runs, and has nothing new but
   * addresses, is told of these. @throws LinkRefused
   */
  start(thing: InspectorThing): Promise<'started' | 'told'>
  /** Whether the proxy that was started last runs. */
  runs(name: InspectorName): Promise<boolean>
  /** Processes, link, namespace and files. */
  remove(name: InspectorName): Promise<void>
  close(): Promise<void>
}

interface Running extends InspectorName {
  readonly since: number
  readonly failures: number
  readonly told: boolean
}

export interface InspectorsOptions {
  readonly host: InspectorHost
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
}

export class Inspectors {
  readonly #options: InspectorsOptions
  readonly #running = new Map<string, Running>()
  readonly #wakes: (() => void)[] = []
  #cancel: (() => void) | undefined
  #restarts = 0
  #missing: Promise<string | undefined> | undefined

  constructor(options: InspectorsOptions) {
    this.#options = options
  }

  /** How many there are, and how often this process has started one again whose proxy had ended. */
  get counts(): InspectorCounts {
    return { inspectors: this.#running.size, restarts: this.#restarts }
  }

  /** Asked once: what is installed later counts from the agent's next start on. */
  missing(): Promise<string | undefined> {
    return (this.#missing ??= this.#options.host.missing())
  }

  /** @param wake called when a proxy has ended: sooner the first time, later each time that it does not stay */
  follow(wake: () => void): void {
    this.#wakes.push(wake)
    this.#watchSoon()
  }

  async seen(): Promise<readonly (readonly [key: string, text: string])[]> {
    const found = await this.#options.host.list()
    for (const each of found) if (each.text !== undefined) this.#take(each)
    return found.map(({ vni, direction, text }) => [inspectorKey(vni, direction), text ?? 'not running'])
  }

  /** Before the data plane has its port: so that it finds the interface. */
  async makeNetworks(things: readonly InspectorThing[]): Promise<void> {
    const { host } = this.#options
    for (const thing of things) {
      if (!this.#running.has(keyOf(thing)) && this.#running.size >= inspectorsMost)
        throw new LinkRefused({ what: inspectorKey(thing.vni, thing.direction), reason: `there are ${inspectorsMost} inspectors here` })
      await host.makeNetwork(thing)
    }
  }

  async start(things: readonly InspectorThing[]): Promise<void> {
    const { host, log } = this.#options
    for (const thing of things) {
      const before = this.#running.get(keyOf(thing))
      const what = await host.start(thing)
      if (before?.told === true) this.#restarts++
      this.#take(thing, before)
      log.info(
        { inspector: inspectorKey(thing.vni, thing.direction), again: before !== undefined },
        what === 'started' ? 'an inspector is started' : 'an inspector is told of other addresses',
      )
    }
  }

  async remove(names: readonly InspectorName[]): Promise<void> {
    for (const name of names) {
      this.#running.delete(keyOf(name))
      await this.#options.host.remove(name)
    }
  }

  /** Those that run go on. */
  async close(): Promise<void> {
    this.#cancel?.()
    this.#wakes.length = 0
    await this.#options.host.close()
  }

  #take({ vni, direction }: InspectorName, before = this.#running.get(keyOf({ vni, direction }))): void {
    const since = this.#options.clock.elapsed()
    if (before !== undefined && !before.told) return
    this.#running.set(keyOf({ vni, direction }), { vni, direction, since, failures: before?.failures ?? 0, told: false })
    this.#watchSoon()
  }

  #watchSoon(): void {
    if (this.#cancel !== undefined || this.#wakes.length === 0 || this.#running.size === 0) return
    this.#cancel = this.#options.clock.after(watchMs, () => void this.#watch().then(() => this.#watchAgain()))
  }

  #watchAgain(): void {
    this.#cancel = undefined
    this.#watchSoon()
  }

  async #watch(): Promise<void> {
    const { host, log } = this.#options
    for (const each of [...this.#running.values()].filter(({ told }) => !told)) {
      if (await host.runs(each).catch(() => true)) continue
      log.warn(
        { inspector: inspectorKey(each.vni, each.direction) },
        'an inspector has ended: what it inspects is refused until it is back',
      )
      this.#ended(each)
    }
  }

  #ended(each: Running): void {
    const { clock, random } = this.#options
    // Removed meanwhile, or started anew.
    if (this.#running.get(keyOf(each)) !== each) return
    const failures = clock.elapsed() - each.since > stableMs ? 1 : each.failures + 1
    this.#running.set(keyOf(each), { ...each, failures, told: true })
    clock.after(failures === 1 ? 0 : backoffMs(failures - 1, random(), backoffs.startUp), () => this.#wakes.forEach((wake) => wake()))
  }
}

const keyOf = ({ vni, direction }: InspectorName): string => inspectorKey(vni, direction)
