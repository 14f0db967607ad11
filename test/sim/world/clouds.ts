// A cloud as a model: it takes its time, fails before and after it has done what it was asked, and does it also for who is dead by then.
import { CloudUnreachable } from '../../../core/errors.ts'
import type { CloudDriver } from '../../../core/contracts/cloud.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { cloudProviders, type CloudProvider } from '../../../core/kinds/vpc/providers.ts'
import type { CloudRegistry } from '../../../workers/drivers/cloud/index.ts'
import type { Process } from '../process.ts'
import type { Scheduler } from '../scheduler.ts'
import { AlcorCloudModel } from './alcor-cloud-model.ts'
import { MemoryCloudModel } from './memory-cloud-model.ts'
import { NeutronCloudModel } from './neutron-cloud-model.ts'
import type { CloudModel } from './cloud-model.ts'

export class Clouds {
  readonly cloud: CloudModel
  /** Where the cloud is one. */
  readonly neutron: NeutronCloudModel | undefined
  readonly alcor: AlcorCloudModel | undefined
  readonly macs: 'cloud' | undefined
  readonly pace: 'slow' | undefined
  /** One after the other: who makes that change at the cloud, of those to come, is ended before it hears that it has. */
  readonly endings: { changes: number; readonly end: (process: string) => void }[] = []
  /** So many have been. */
  ended = 0
  /** By ID, what is there of no object of ours: left by ours, or of others. */
  readonly strewn = new Map<string, { readonly whose: 'ours' | 'theirs'; readonly atMs: number }>()
  readonly #scheduler: Scheduler
  /** Until then its ways take up to that long, in virtual milliseconds. */
  slow = { until: 0, ms: 0 }
  /** Until then it refuses with a 5xx whatever it is asked. */
  downUntil = 0
  /** So many of its next answers are lost, once it has done what it was asked. */
  lostAnswers = 0

  readonly provider: 'memory' | 'neutron' | 'alcor'

  /** @param of a Neutron: whether it lets nobody choose a MAC, and how slow it may be */
  constructor(scheduler: Scheduler, provider: Clouds['provider'], of: { readonly macs?: 'cloud'; readonly pace?: 'slow' } = {}) {
    this.#scheduler = scheduler
    this.provider = provider
    this.macs = of.macs
    this.pace = of.pace
    this.neutron = provider === 'neutron' ? new NeutronCloudModel(scheduler, of) : undefined
    this.alcor = provider === 'alcor' ? new AlcorCloudModel() : undefined
    this.cloud = this.neutron ?? this.alcor ?? new MemoryCloudModel(scheduler)
  }

  /** Whichever cloud is named, it is this one. */
  registryFor(process: Process): CloudRegistry {
    const way = { there: () => this.#there(process), back: (isChange = false) => this.#back(process, isChange) }
    const driver = (cloud: Resource<'Cloud'>): CloudDriver => this.cloud.driver(cloud, process, way)
    return Object.fromEntries(cloudProviders.map((name) => [name, driver])) as Record<CloudProvider, typeof driver>
  }

  calm(): void {
    this.slow = { until: 0, ms: 0 }
    this.downUntil = this.lostAnswers = 0
    this.endings.length = 0
    this.neutron?.calm()
    this.alcor?.calm()
  }

  /** What has been sent arrives, whatever becomes of its sender. */
  async #there(process: Process): Promise<void> {
    const { now } = this.#scheduler
    const ms = now < this.slow.until ? this.slow.ms * process.dice.next() : process.way()
    await new Promise<void>((resolve) => void this.#scheduler.after(ms, 'a request on its way to the cloud', resolve))
    if (this.#scheduler.now < this.downUntil) throw new CloudUnreachable({ cloud: 'c', reason: '503' })
  }

  async #back(process: Process, isChange: boolean): Promise<void> {
    if (isChange && process.alive) this.#maybeEnd(process)
    await process.pass(process.way(), 'an answer of the cloud')
    if (this.lostAnswers === 0) return
    this.lostAnswers--
    throw new CloudUnreachable({ cloud: 'c', reason: 'the answer is lost' })
  }

  #maybeEnd({ name }: Process): void {
    const [next] = this.endings
    if (next === undefined || --next.changes > 0) return
    this.endings.shift()
    this.ended++
    next.end(name)
  }
}
