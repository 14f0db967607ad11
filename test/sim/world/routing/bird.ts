// BIRD of one machine as a model: it reads the text that our renderer writes, tells its neighbours of what its filters let out, and puts
// into the kernel what they let in. Killed, it leaves its routes there; started again, it waits for its neighbours before it takes any
// away.
import { BGPRefused, messageOf } from '../../../../core/errors.ts'
import { readConfig, type BirdConfig, type BirdSession } from './bird-config.ts'
import { kernelWishes, own, toldTo, type RibSources } from './bird-rib.ts'
import type { ToldRoute } from './bird-route.ts'
import { routeKey } from './netlink.ts'
import type { KernelNet } from './kernel.ts'

/** One end of a session. */
export interface SessionEnd {
  isUp: boolean
  /** Since when it is in this state, in virtual milliseconds. */
  since: number
  /** What the neighbour has told, by prefix; it stays while the neighbour restarts. */
  told: ReadonlyMap<string, ToldRoute>
  /** The neighbour has told all since the session came up. */
  isWhole: boolean
}

export class BirdModel {
  readonly address: string
  readonly kernel: KernelNet
  /** What it was told last, as its file has it. */
  text: string | undefined
  running = false
  /** Its machine has lost its power: nobody is told that it is gone. */
  isSilent = false
  /** How often it was started. */
  starts = 0
  /** When it stops to wait for neighbours; before that it takes nothing from the kernel and tells nobody anything. */
  recoversUntil = 0
  readonly ends = new Map<string, SessionEnd>()
  /** How often BFD sends to those with whom it is up, in milliseconds, by their addresses. */
  readonly bfdIntervals = new Map<string, number>()
  /** Called where sessions may come or go. */
  onConfig: () => void = () => undefined
  #config: BirdConfig | undefined
  readonly #now: () => number

  constructor(address: string, kernel: KernelNet, now: () => number) {
    this.address = address
    this.kernel = kernel
    this.#now = now
  }

  get config(): BirdConfig | undefined {
    return this.running ? this.#config : undefined
  }

  sessionTo(address: string): BirdSession | undefined {
    return this.config?.sessions.find(({ neighbour }) => neighbour === address)
  }

  /** @throws BGPRefused */
  configure(text: string): void {
    const read = readOf(text)
    this.text = text
    if (this.running) this.#take(read)
  }

  /** @throws BGPRefused where there is no configuration */
  start(): void {
    if (this.running) return
    const read = readOf(this.text ?? '')
    this.running = true
    this.isSilent = false
    this.starts++
    this.recoversUntil = this.#now() + read.restartWaitMs
    this.#take(read)
  }

  /** Its routes stay in the kernel. */
  kill(): void {
    this.running = false
    this.ends.clear()
    this.bfdIntervals.clear()
    this.onConfig()
  }

  /** Its file is in memory. */
  powerOff(): void {
    this.text = undefined
    this.isSilent = true
    this.kill()
  }

  /** Whether it still waits for a neighbour that may have routes for it. */
  get isRecovering(): boolean {
    if (this.#now() >= this.recoversUntil) return false
    return (this.config?.sessions ?? []).some(({ name, restartMs }) => restartMs !== undefined && this.ends.get(name)?.isWhole !== true)
  }

  #take(read: BirdConfig): void {
    this.#config = read
    for (const name of this.ends.keys()) if (!read.sessions.some((session) => session.name === name)) this.ends.delete(name)
    this.onConfig()
  }

  /** What it tells a neighbour of, by prefix. */
  toldTo(session: BirdSession): ReadonlyMap<string, ToldRoute> {
    return this.#config === undefined ? new Map() : toldTo(session, this.#known(this.#config))
  }

  /** What others have told goes into the kernel, and what nobody tells any more leaves it. */
  writeKernel(): void {
    if (this.config === undefined || this.isRecovering) return
    const { routes } = this.kernel
    const wanted = new Map(kernelWishes(this.#known(this.config)).map((wish) => [routeKey({ ...wish, metric: own.metric }), wish]))
    for (const [key, { protocol }] of [...routes]) if (protocol === own.protocol && !wanted.has(key)) this.kernel.drop(routes, key)
    for (const [key, wish] of wanted) if (routes.get(key)?.via !== wish.via) this.kernel.put(routes, key, { ...wish, ...own })
  }

  #known(config: BirdConfig): RibSources {
    return { config, kernel: this.kernel, told: (session) => this.ends.get(session)?.told.values() ?? [] }
  }
}

/** @throws BGPRefused */
function readOf(text: string): BirdConfig {
  try {
    return readConfig(text)
  } catch (err) {
    if (!(err instanceof SyntaxError)) throw err
    throw new BGPRefused({ program: 'BIRD', reason: messageOf(err) })
  }
}
