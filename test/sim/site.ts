// What is simulated: one store, one queue, and the processes of a cluster, started, killed and started anew.
import type { Store } from '../../core/contracts/store.ts'
import { DiskFull, InUse } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { openCaches, type Caches } from '../../platform/cache/caches.ts'
import { readConfig, type Config } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { Dice } from './dice.ts'
import { podEnded } from './kube-api/controllers.ts'
import type { SimulatedApi } from './kube-api/server.ts'
import { apiOn, kubeStoreOf } from './kube-way.ts'
import { Process, epochMs } from './process.ts'
import { Broker } from './queue.ts'
import { Receivers } from './receivers.ts'
import { Scheduler } from './scheduler.ts'
import { storeOf, type Mode } from './store.ts'
import { Truth } from './truth.ts'
import { WatchSignals } from './watch.ts'

export interface SiteOptions {
  readonly seed: number
  readonly mode: Mode
  readonly traces?: boolean
  /** Nodes have BGP daemons. */
  readonly bgp?: boolean
}

/** What a process of a role does, once it is started. */
export interface Role {
  readonly name: string
  start(process: Process, site: Site): Promise<unknown>
}

/** A role's process, of this life or the last. */
interface Started {
  readonly process: Process
  readonly role: Role
}

/** Longest that a process that was killed stays away. */
const awayMs = 3_000
const skewMost = 30_000
/** As long as a kubelet waits for a container that it has told to end. */
const graceMs = 10_000

export class Site {
  readonly scheduler: Scheduler
  readonly dice: Dice
  readonly mode: Mode
  readonly truth: Truth
  readonly signals: WatchSignals
  readonly broker: Broker
  readonly receivers = new Receivers()
  readonly config: Config
  readonly log = silentLog()
  /** Faults that code threw where nothing may be thrown. */
  readonly crashes: string[] = []
  readonly #running = new Map<string, Started>()
  readonly #lives = new Map<string, number>()
  readonly #uids: Dice
  /** Where the mode is `api`. */
  readonly #api: SimulatedApi | undefined
  /** Name of a process → how many versions old its next life's first lists are. */
  readonly #behind = new Map<string, number>()
  /** Name of a process → until when its lives are cut off. */
  readonly #cuts = new Map<string, number>()
  readonly #roles = new Map<string, Role>()
  readonly #ended = new Set<string>()
  /** Name → those in whose place another runs already. */
  readonly #leaving = new Map<string, readonly Process[]>()
  #begun = false
  readonly #onMachine: ((name: string, up: boolean) => void)[] = []
  /** Faults have stopped. */
  calm = false

  constructor({ seed, mode, traces = true, bgp = false }: SiteOptions) {
    this.scheduler = new Scheduler({ traces })
    this.dice = new Dice(seed)
    this.mode = mode
    this.#uids = this.dice.fork('uids')
    this.#api = mode === 'api' ? apiOn(this.scheduler, () => this.uid()) : undefined
    this.truth = new Truth({ uid: () => this.uid(), now: () => this.time() }, this.#api?.etcd)
    this.signals = new WatchSignals(this.truth)
    this.broker = new Broker(this.scheduler, this.dice.fork('queue'))
    this.config = readConfig(
      {},
      {
        agents: true,
        namespace: 'megrez',
        vniMin: 5_000,
        vniMax: 5_011,
        callbackHttp: true,
        callbackAllow: ['0.0.0.0/0'],
        nicLimits: { default: 4, flavors: {} },
        blockerWaitMs: 60_000,
        bgp: bgp ? 'bird' : 'off',
      },
    )
  }

  /** UIDs look like those of an API server. */
  uid(): string {
    const hex = (digits: number): string => Array.from({ length: digits }, () => this.#uids.int(16).toString(16)).join('')
    return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
  }

  /** The API server's own time, in whole seconds as it writes it. */
  time(): string {
    return new Date(epochMs + this.scheduler.now).toISOString().replace(/\.\d+Z$/, 'Z')
  }

  storeFor(process: Process): Store {
    const { truth, signals, mode } = this
    return this.#api !== undefined ? kubeStoreOf(this.#api, process) : storeOf({ truth, signals, process, mode, uid: () => this.uid() })
  }

  /** A kubelet's last word on a pod that was deleted through an API server, which keeps it for its grace. */
  graceIsOver({ metadata: { namespace = '', name } }: Resource<'Pod'>): void {
    if (this.#api !== undefined) void podEnded(this.#api, namespace, name)
  }

  /** The caches of a process, seen whole. */
  async cachesFor(process: Process, store: Store): Promise<Caches> {
    const caches = openCaches(store, { onProblem: (err, key) => this.crash(process.name, `a listener threw at ${key}`, err) })
    await caches.start(new AbortController().signal)
    return caches
  }

  /** A role that has a process from `startAll` on. */
  add(role: Role): void {
    this.#roles.set(role.name, role)
  }

  startAll(): void {
    for (const role of this.#roles.values()) if (this.processOf(role.name) === undefined) this.#start(role)
    this.#begun = true
  }

  /** The machine that it runs on is on again. */
  begin(name: string): void {
    const role = this.#roles.get(name)
    this.#ended.delete(name)
    if (this.#begun && role !== undefined && this.processOf(name) === undefined) this.#start(role)
  }

  /** It ends with its machine, and nothing begins in its place. */
  end(name: string): void {
    this.#ended.add(name)
    for (const each of [...(this.#leaving.get(name) ?? []), this.#running.get(name)?.process]) each?.kill()
  }

  #start(role: Role): Process {
    const life = (this.#lives.get(role.name) ?? 0) + 1
    this.#lives.set(role.name, life)
    const dice = this.dice.fork(`${role.name} ${life}`)
    const skewMs = this.calm ? 0 : dice.between(-skewMost, skewMost)
    const process = new Process(role.name, { scheduler: this.scheduler, dice, skewMs })
    process.behind = this.#behind.get(role.name) ?? 0
    this.#behind.delete(role.name)
    process.cutUntil = this.#cuts.get(role.name) ?? 0
    process.trouble(process.cutUntil)
    this.#running.set(role.name, { process, role })
    this.scheduler.say(role.name, `starts (life ${life})`)
    role.start(process, this).catch((err: unknown) => process.alive && this.#gaveUp(role.name, 'did not start', err))
    return process
  }

  /** Ends it as kill -9 does; another begins soon. */
  kill(name: string): void {
    const there = this.#running.get(name)
    if (there === undefined || !there.process.alive) return
    this.scheduler.say(name, 'is killed')
    there.process.kill()
    this.scheduler.after(this.dice.fork(`away ${name} ${this.scheduler.steps}`).next() * awayMs, `${name} begins anew`, () => {
      if (!this.#ended.has(name) && this.processOf(name) === undefined) this.#start(there.role)
    })
  }

  /** A full disk ends a process that can do nothing without it, and so does another agent; it is started anew. Nothing else may. */
  #gaveUp(name: string, what: string, err: unknown): void {
    if (!(err instanceof DiskFull || err instanceof InUse)) return this.crash(name, what, err)
    this.scheduler.say(name, `${what}: ${err.message}`)
    this.kill(name)
  }

  /** Another takes its place, once it has ended as a signal ends it. */
  replace(name: string): void {
    const process = this.processOf(name)
    if (process !== undefined) this.#tellToEnd(name, process, () => this.kill(name))
  }

  #tellToEnd(name: string, process: Process, kill: () => void): void {
    this.scheduler.say(name, 'is told to end')
    const over = (): void => {
      if (process.alive) kill()
    }
    process.trouble()
    process.gently?.().then(over, (err: unknown) => this.#gaveUp(name, 'did not end', err))
    this.scheduler.after(graceMs, `${name} has no time left`, over)
  }

  /** Another begins at once, and the one before is told to end a while later. */
  overlap(name: string, ms: number): void {
    const there = this.#running.get(name)
    if (there === undefined || !there.process.alive) return
    this.#leaving.set(name, [...(this.#leaving.get(name) ?? []), there.process])
    this.scheduler.after(ms, `${name} is the one too many`, () => {
      if (there.process.alive) this.#tellToEnd(name, there.process, () => there.process.kill())
    })
    this.#start(there.role)
  }

  /** Nothing comes to the store from it, nor from it to us, whoever is started in its place. */
  cutOff(name: string, until: number): void {
    const most = Math.max(until, this.#cuts.get(name) ?? 0)
    this.#cuts.set(name, most)
    const process = this.processOf(name)
    this.scheduler.say(name, `is cut off until ${most.toFixed(3)}`)
    if (process === undefined) return
    process.cutUntil = most
    process.trouble(most)
  }

  /** Whoever waits for the way to be there again waits it out. */
  reconnect(): void {
    this.#cuts.clear()
    for (const process of this.processes) process.cutUntil = 0
  }

  /** Ends it, and begins another whose first lists are of a past. */
  restartBehind(name: string, versions: number): void {
    const there = this.#running.get(name)
    if (there === undefined) return
    this.kill(name)
    this.#behind.set(name, versions)
  }

  /** A node's machine is on: its kubelet and agent run. */
  machineUp(name: string): void {
    for (const listener of this.#onMachine) listener(name, true)
  }

  machineDown(name: string): void {
    for (const listener of this.#onMachine) listener(name, false)
  }

  onMachine(listener: (name: string, up: boolean) => void): void {
    this.#onMachine.push(listener)
  }

  processOf(name: string): Process | undefined {
    const process = this.#running.get(name)?.process
    return process?.alive === true ? process : undefined
  }

  get processes(): readonly Process[] {
    return [...this.#running.values()].map(({ process }) => process).filter(({ alive }) => alive)
  }

  crash(who: string, what: string, err: unknown): void {
    this.crashes.push(`${who}: ${what}: ${err instanceof Error ? (err.stack ?? err.message) : String(err)}`)
  }
}
