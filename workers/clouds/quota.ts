// The quota of ports at a Cloud, for all that plan with it: asked once for those who ask together, and told from memory to who only
// tells of it.
import type { CloudDriver, PortQuota } from '../../core/contracts/cloud.ts'
import { CloudRefused, CloudUnreachable } from '../../core/errors.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Caches } from '../../platform/cache/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import { untilAborted } from '../drivers/openstack/until-aborted.ts'
import type { CloudSessions } from './cloud-sessions.ts'

export interface QuotasDeps {
  readonly clouds: Pick<CloudSessions, 'usable'>
  readonly caches: Pick<Caches, 'Port'>
  readonly clock: Pick<Clock, 'elapsed'>
}
interface KeptQuota {
  readonly driver: CloudDriver
  /** What we had there when it was asked. */
  readonly had: string
  /** Milliseconds of the clock's elapsed(). */
  readonly at: number
  /** Undefined where it could not be asked. */
  readonly answer: Promise<PortQuota | undefined>
  isAnswered: boolean
}

const unlimited: PortQuota = { used: 0, limit: Infinity }
/** Who asks may go, and others wait for the answer: it comes within the minute of a driver's calls. */
const whole = new AbortController().signal

export class Quotas {
  readonly #deps: QuotasDeps
  readonly #kept = new Map<string, KeptQuota>()

  constructor(deps: QuotasDeps) {
    this.#deps = deps
  }

  /**
   * Undefined where it cannot be asked.
   *
   * @param withinMs an answer of so long ago is as good. Who makes and deletes ports by it takes none: of ports that are on their way it
   *   would not know, and be off by them
   * @throws what the signal says, and what a driver throws that is no answer of its Cloud
   */
  async of(cloud: Resource<'Cloud'>, signal: AbortSignal, withinMs = 0): Promise<PortQuota | undefined> {
    signal.throwIfAborted()
    const session = this.#deps.clouds.usable(cloud)
    if ('problem' in session) return undefined
    const { driver } = session
    if (driver.quota === undefined) return unlimited
    const had = this.#hadAt(cloud.metadata.name)
    const kept = this.#kept.get(cloud.metadata.name)
    if (kept?.driver === driver && this.#isGood(kept, had, withinMs)) return untilAborted(signal, kept.answer)
    return untilAborted(signal, this.#ask(cloud.metadata.name, driver, had))
  }

  /** One that is asked for just now serves whoever has the same Ports there. */
  #isGood({ isAnswered, had, at }: KeptQuota, hasNow: string, withinMs: number): boolean {
    return isAnswered ? this.#deps.clock.elapsed() - at < withinMs : had === hasNow
  }

  #ask(name: string, driver: CloudDriver, had: string): Promise<PortQuota | undefined> {
    const answer = driver.quota!(whole).then(
      (quota) => {
        kept.isAnswered = true
        return quota
      },
      (err: unknown) => {
        if (this.#kept.get(name) === kept) this.#kept.delete(name)
        if (err instanceof CloudUnreachable || err instanceof CloudRefused) return undefined
        throw err
      },
    )
    const kept: KeptQuota = { driver, had, at: this.#deps.clock.elapsed(), answer, isAnswered: false }
    this.#kept.set(name, kept)
    return answer
  }

  /** How many Ports are asked for there, are made, and are going: by these its quota changes by our doing. */
  #hadAt(cloud: string): string {
    let [asked, made, going] = [0, 0, 0]
    for (const { status, metadata } of this.#deps.caches.Port.by('cloud', cloud)) {
      asked += 1
      if (status?.providerID !== undefined) made += 1
      if (metadata.deletionTimestamp !== undefined) going += 1
    }
    return `${asked} ${made} ${going}`
  }
}
