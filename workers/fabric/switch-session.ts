// The way to one switch: one transaction at a time, changes that wait are sent together, and a switch that does not answer is
// left alone for a while instead of holding anybody up.
import { backoffMs, backoffs } from '../../core/backoff.ts'
import type { FabricDriver, SwitchState, SwitchChange } from '../../core/contracts/fabric-driver.ts'
import { OvsdbRefused, PeerRefused, SwitchRefused, SwitchUnreachable, messageOf, retryOf } from '../../core/errors.ts'
import { breath, limited, type Clock } from '../../platform/clock.ts'

export interface SwitchSessionOptions {
  /** `fabric/switch` */
  readonly key: string
  readonly driver: FabricDriver
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  /** Transactions a second; as many may come at once after a second of rest. */
  readonly rate: number
  /** How long what was observed counts: so often are switches observed whose drivers hear of no drift. */
  readonly freshMs: number
  readonly onDrift: () => void
  /** The end of the session before it: nothing is sent until then, so that a switch has one transaction at a time. */
  readonly after?: Promise<unknown> | undefined
}
interface Waiting {
  readonly changes: readonly SwitchChange[]
  readonly resolve: () => void
  readonly reject: (err: unknown) => void
}

/** A switch of thousands of VLANs takes its time; one that has said nothing for so long is taken for hung, and left alone. */
const answerMs = 60_000
const isRefusal = (err: unknown): boolean => err instanceof SwitchRefused || err instanceof OvsdbRefused || err instanceof PeerRefused

export class SwitchSession {
  readonly #options: SwitchSessionOptions
  #ports: readonly string[] = []
  #seen: { readonly state: Promise<SwitchState>; readonly at: number } | undefined
  #waiting: Waiting[] = []
  /** Until nothing waits any more. */
  #running: Promise<void> | undefined
  /** Transactions that may be sent now, as of when. */
  #allowed: { readonly count: number; readonly at: number } | undefined
  /** Transactions sent. */
  #sent = 0
  #failures = 0
  /** Until when nobody asks it, and why. */
  #cut: { readonly until: number; readonly problem: unknown } | undefined
  readonly #stopDrift: (() => void) | undefined
  readonly #ended = new AbortController()

  constructor(options: SwitchSessionOptions) {
    this.#options = options
    this.#stopDrift = options.driver.onDrift?.(() => {
      this.#seen = undefined
      options.onDrift()
    })
  }

  get sent(): number {
    return this.#sent
  }

  /** Which ports are of interest; another list is looked at anew. */
  set ports(ports: readonly string[]) {
    if (ports === this.#ports) return
    this.#ports = ports
    this.#seen = undefined
  }

  /** What the switch has: one observation serves all callers until something is changed. @throws SwitchUnreachable */
  observe(): Promise<SwitchState> {
    const now = this.#options.clock.elapsed()
    const cut = this.#broken(now)
    if (cut !== undefined) return Promise.reject(cut)
    if (this.#seen === undefined || now - this.#seen.at > this.#options.freshMs) {
      const state = this.#answered((signal) => this.#options.driver.observe({ ports: this.#ports }, signal)).then(
        (seen) => this.#well(seen),
        (err: unknown) => this.#failed(err),
      )
      state.catch(() => undefined)
      this.#seen = { state, at: now }
    }
    return this.#seen.state
  }

  /** What was looked at before then is looked at anew by whoever asks next. @returns whether there was any */
  forget(sinceMs: number): boolean {
    const isOld = this.#seen !== undefined && this.#seen.at < sinceMs
    if (isOld) this.#seen = undefined
    return isOld
  }

  /** Resolves once the switch has taken these changes. @throws SwitchUnreachable, or as the driver */
  submit(changes: readonly SwitchChange[]): Promise<void> {
    const cut = this.#broken(this.#options.clock.elapsed())
    if (cut !== undefined) return Promise.reject(cut)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ changes, resolve, reject })
    this.#running ??= this.#run()
    return promise
  }

  /** Another takes over: what is under way is waited for, and nobody asks this one any more. */
  async retire(): Promise<void> {
    this.#stopDrift?.()
    await Promise.allSettled([this.#running, this.#seen?.state])
    await this.close()
  }

  async close(): Promise<void> {
    this.#stopDrift?.()
    this.#ended.abort()
    for (const { reject } of this.#waiting.splice(0))
      reject(new SwitchUnreachable({ target: this.#options.key, reason: 'it is no longer part of the Fabric' }))
    await this.#options.driver.close()
  }

  async #run(): Promise<void> {
    // Whoever plans in the same turn of the event loop goes into the same transaction.
    await breath(this.#options.clock)
    await this.#options.after
    while (this.#waiting.length > 0) {
      await this.#pace()
      const batch = this.#waiting.splice(0)
      await this.#send(batch)
    }
    this.#running = undefined
  }

  async #pace(): Promise<void> {
    const { clock, rate } = this.#options
    const grown = (): number => {
      const { count, at } = this.#allowed ?? { count: rate, at: clock.elapsed() }
      return Math.min(rate, count + ((clock.elapsed() - at) * rate) / 1_000)
    }
    const short = 1 - grown()
    if (short > 0) await new Promise<void>((resolve) => void clock.after(Math.ceil((short * 1_000) / rate), resolve))
    this.#allowed = { count: Math.max(0, grown() - 1), at: clock.elapsed() }
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    try {
      this.#sent++
      const changes = batch.flatMap((each) => each.changes)
      await this.#answered((signal) => this.#options.driver.apply({ do: 'setVlans', changes }, signal))
      this.#seen = undefined
      this.#well(undefined)
      for (const { resolve } of batch) resolve()
    } catch (err) {
      this.#seen = undefined
      // One change that the switch will not take holds nobody else up.
      if (batch.length > 1 && isRefusal(err)) for (const each of batch) await this.#send([each])
      else for (const { reject } of batch) await this.#failed(err).catch(reject)
    }
  }

  /** Within its time, and not after the end of the session, also where the driver does not heed its signal. */
  #answered<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return limited(answerMs, this.#options.clock, (time) => {
      const signal = AbortSignal.any([time, this.#ended.signal])
      const fallen = new Promise<never>((_, reject) => {
        const reason = (): Error =>
          new Error(time.aborted ? `it has not answered for ${answerMs / 1_000} s` : 'it is no longer part of the Fabric')
        signal.addEventListener('abort', () => reject(reason()), { once: true })
      })
      return Promise.race([ask(signal), fallen])
    })
  }

  #well<T>(value: T): T {
    this.#failures = 0
    this.#cut = undefined
    return value
  }

  /** A rival is no failure of the switch, and a refusal shows that it is there. */
  async #failed(err: unknown): Promise<never> {
    this.#seen = undefined
    if (err instanceof OvsdbRefused || err instanceof PeerRefused)
      throw new SwitchRefused({ target: this.#options.key, reason: err.message, cause: err })
    if (retryOf(err) === 'now' || isRefusal(err)) throw err
    const { clock, random, key } = this.#options
    this.#cut ??= { until: clock.elapsed() + backoffMs(++this.#failures, random(), backoffs.fabricSwitch), problem: err }
    throw new SwitchUnreachable({ target: key, reason: messageOf(err), cause: err })
  }

  /** While the way is cut nobody waits for it; after that the next who asks tries it. */
  #broken(now: number): SwitchUnreachable | undefined {
    if (this.#cut === undefined) return undefined
    if (now < this.#cut.until)
      return new SwitchUnreachable({ target: this.#options.key, reason: messageOf(this.#cut.problem), cause: this.#cut.problem })
    this.#cut = undefined
    return undefined
  }
}

type SwitchUnreachable = InstanceType<typeof SwitchUnreachable>
