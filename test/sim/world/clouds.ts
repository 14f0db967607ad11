// A cloud as a model: it takes its time, fails before and after it has done what it was asked, and does it also for who is dead by then.
import { CloudUnreachable } from '../../../core/errors.ts'
import type { CloudDriver } from '../../../core/contracts/cloud.ts'
import { cloudProviders, type CloudProvider } from '../../../core/kinds/vpc/providers.ts'
import type { CloudRegistry } from '../../../workers/drivers/cloud/index.ts'
import { memory } from '../../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../../workers/drivers/cloud/memory-cloud.ts'
import { epochMs, type Process } from '../process.ts'
import type { Scheduler } from '../scheduler.ts'

/** Longest that a request is under way. */
const landsWithinMs = 5_000

export class Clouds {
  readonly cloud: MemoryCloud
  /** By ID, what is there of no object of ours: left by ours, or of others. */
  readonly strewn = new Map<string, { readonly whose: 'ours' | 'theirs'; readonly atMs: number }>()
  readonly #scheduler: Scheduler
  /** Until then its ways take up to that long, in virtual milliseconds. */
  slow = { until: 0, ms: 0 }
  /** Until then it refuses with a 5xx whatever it is asked. */
  downUntil = 0
  /** So many of its next answers are lost, once it has done what it was asked. */
  lostAnswers = 0

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.cloud = new MemoryCloud({ now: () => epochMs + scheduler.now, takesMs: 700 })
  }

  /** Whichever cloud is named, it is this one. */
  registryFor(process: Process): CloudRegistry {
    const way = (leg: 'there' | 'back'): Promise<void> => (leg === 'there' ? this.#there(process) : this.#back(process))
    const driver = (): CloudDriver => memory(this.cloud, { landsWithinMs, way })
    return Object.fromEntries(cloudProviders.map((name) => [name, driver])) as Record<CloudProvider, typeof driver>
  }

  calm(): void {
    this.slow = { until: 0, ms: 0 }
    this.downUntil = this.lostAnswers = 0
  }

  /** What has been sent arrives, whatever becomes of its sender. */
  async #there(process: Process): Promise<void> {
    const { now } = this.#scheduler
    const ms = now < this.slow.until ? this.slow.ms * process.dice.next() : process.way()
    await new Promise<void>((resolve) => void this.#scheduler.after(ms, 'a request on its way to the cloud', resolve))
    if (this.#scheduler.now < this.downUntil) throw new CloudUnreachable({ cloud: 'c', reason: '503' })
  }

  async #back(process: Process): Promise<void> {
    await process.pass(process.way(), 'an answer of the cloud')
    if (this.lostAnswers === 0) return
    this.lostAnswers--
    throw new CloudUnreachable({ cloud: 'c', reason: 'the answer is lost' })
  }
}
