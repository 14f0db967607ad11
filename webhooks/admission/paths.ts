// Which paths open the door: those that are registered with the API server, and those that were a while ago. A path that is not
// known is looked up before it is refused, so that no order of rollout, rollback, restart and turning has an API server refused:
// it calls what is registered.
import { messageOf } from '../../core/errors.ts'
import { answeredAfter, type Registration } from '../../core/plan/registration.ts'
import type { Clock } from '../../platform/clock.ts'
import { RbacDenied } from '../../platform/kube/answers.ts'
import type { Log } from '../../platform/log.ts'

export interface AdmissionPaths {
  /** @param before what stands before `/mutate-pods` and its like @throws what looking throws */
  opens(before: string): boolean | Promise<boolean>
}

/** There is no registration to go by: admission is where anybody can guess. */
export const openPaths: AdmissionPaths = { opens: (before) => before === '' }

export interface RegisteredPathsOptions {
  readonly read: () => Promise<readonly Registration[]>
  readonly clock: Clock
  readonly log: Log
}

/** What has changed is known within so long where nobody calls. */
const pollMs = 10_000
/** However many come with paths that are none, the API server is asked so often at most. */
const leastMs = 200

export class RegisteredPaths implements AdmissionPaths {
  #options: RegisteredPathsOptions
  /** Until when each is answered at; undefined until the registration was first read. */
  #open: ReadonlyMap<string, number> | undefined
  #reading: Promise<void> = Promise.resolve()
  /** A read that has not begun: a request that comes now may wait for it. */
  #next: Promise<void> | undefined
  #lookedAt = -Infinity
  #warned = ''
  #cancel = (): void => undefined
  #closed = false

  constructor(options: RegisteredPathsOptions) {
    this.#options = options
    void this.#again()
  }

  opens(before: string): boolean | Promise<boolean> {
    return this.#isOpen(before) || this.#read().then(() => this.#isOpen(before))
  }

  /** What keeps it from knowing. */
  problem(): string | undefined {
    return this.#open === undefined
      ? `where admission is registered is not known${this.#warned === '' ? ' yet' : `: ${this.#warned}`}`
      : undefined
  }

  close(): void {
    this.#closed = true
    this.#cancel()
  }

  #isOpen(before: string): boolean {
    return (this.#open?.get(before) ?? 0) > this.#options.clock.now()
  }

  async #again(): Promise<void> {
    await this.#read().catch(() => undefined)
    if (!this.#closed) this.#cancel = this.#options.clock.after(pollMs, () => void this.#again())
  }

  /** A read that begins from here on: one under way may have been answered before the change that is asked about. */
  #read(): Promise<void> {
    this.#next ??= this.#reading
      .catch(() => undefined)
      .then(() => this.#pause())
      .then(() => {
        this.#reading = this.#readNow()
        this.#next = undefined
        return this.#reading
      })
    return this.#next
  }

  #pause(): Promise<void> {
    const { clock } = this.#options
    const waitMs = this.#lookedAt + leastMs - clock.elapsed()
    return waitMs <= 0 ? Promise.resolve() : new Promise((resolve) => void clock.after(waitMs, resolve))
  }

  async #readNow(): Promise<void> {
    const { read, clock, log } = this.#options
    this.#lookedAt = clock.elapsed()
    try {
      const registrations = await read()
      this.#open = answeredAfter(this.#open ?? new Map(), registrations, clock.now())
      this.#warned = ''
    } catch (err) {
      if (messageOf(err) !== this.#warned) log.warn({ err }, 'where admission is registered could not be read')
      this.#warned = messageOf(err)
      // The right was there and is not: a chart is being rolled back to one that knows no paths, and has registered the plain one.
      if (err instanceof RbacDenied && this.#open !== undefined) this.#open = new Map([...this.#open, ['', Infinity]])
      else throw err
    }
  }
}
