// One run: a Vpc with a Subnet for each network, Ports made and deleted by schedule, one watch that follows them all.
import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '../rest/api.ts'
import type { Item } from '../kinds/columns.ts'
import { CliError } from '../context.ts'
import { follow } from '../rest/events.ts'
import { Figures } from './figures.ts'
import type { LoadOptions } from './options.ts'
import { follows, type Attachment } from './progress.ts'
import type { Operation } from './schedule.ts'
import { prefixFor } from './sizes.ts'

/** When an operation was due, when it began and how long it took. */
export interface OperationTimes extends Operation {
  readonly beganMs: number
  readonly tookMs: number
}
export interface Outcome {
  readonly operations: readonly OperationTimes[]
  readonly tookMs: number
  /** Sentences, the worst first; none: all went well. */
  readonly wrong: readonly string[]
}

const apiVersion = 'megrez.io/v1alpha1'
const setUpMs = 60_000
const pollMs = 5

const phaseOf = (item: Item | undefined): string | undefined => (item?.['status'] as { readonly phase?: string } | undefined)?.phase

export class Drive {
  readonly figures: Figures
  readonly namespace: string
  #api: Api
  #options: LoadOptions
  #operations: readonly Operation[]
  #attachments = new Map<string, Attachment>()
  #times: OperationTimes[] = []
  #wrong: string[] = []
  #began = 0
  #stop = new AbortController()

  constructor(api: Api, options: LoadOptions, operations: readonly Operation[], figures: Figures) {
    this.#api = api
    this.#options = options
    this.#operations = operations
    this.figures = figures
    this.namespace = `load-${options.runid}`
  }

  async run(): Promise<Outcome> {
    const watching = new AbortController()
    const watched = this.#watch(watching.signal).catch((err: Error) => this.#giveUp(`the watch ended: ${err.message}`))
    try {
      await this.#setUp()
      this.#began = performance.now()
      const { threads } = this.#options
      await Promise.all(
        Array.from({ length: threads }, (_, thread) =>
          this.#runThread(this.#operations.filter(({ attachment }) => attachment % threads === thread)),
        ),
      )
      const tookMs = performance.now() - this.#began
      await this.#gone()
      return { operations: this.#times, tookMs, wrong: this.#wrong }
    } finally {
      await this.#takeBack()
      watching.abort()
      await watched
    }
  }

  /** No more is created; what there is is deleted. */
  #giveUp(why: string): void {
    this.#wrong.push(why)
    this.#stop.abort()
  }

  async #watch(signal: AbortSignal): Promise<void> {
    for await (const change of follow(this.#api, `/v1/namespaces/${this.namespace}/ports?watch=true`, signal)) {
      for (const item of change.event === 'all' ? change.items : [change.item]) {
        const attachment = this.#attachments.get(item.metadata.name)
        if (attachment === undefined) continue
        if (change.event === 'gone') attachment.gone = true
        else this.#follow(attachment, item)
      }
    }
  }

  #follow(attachment: Attachment, item: Item): void {
    const before = { ...attachment }
    follows(attachment, item, { nowMs: performance.now(), figures: this.figures })
    if (attachment.pingFailed !== before.pingFailed)
      this.#failed(`${item.metadata.name}: its test failed: ${attachment.pingFailed}`, this.#options.stopOnPingFail)
    if (attachment.brokenMs !== before.brokenMs) this.#failed(`${item.metadata.name}: ended in error`, this.#options.stopOnBreak)
  }

  #failed(why: string, stop: boolean): void {
    if (stop) this.#giveUp(why)
    else this.#wrong.push(why)
  }

  /** A network is a Vpc of its own: all may have the same addresses. */
  async #setUp(): Promise<void> {
    const { schedule, sizeFactor, baseAddress } = this.#options
    await Promise.all(
      schedule.sizes.map(async (size, i) => {
        const name = `net-${i}`
        await this.#mustCreate('Vpc', name, {})
        await this.#mustCreate('Subnet', name, { vpc: name, ipv4: { cidr: `${baseAddress}/${prefixFor(Math.ceil(size * sizeFactor))}` } })
        await this.#until(
          `Subnet ${name} is ready`,
          async () => phaseOf((await this.#api.get('Subnet', this.namespace, name)).item) === 'ready',
          setUpMs,
        )
      }),
    )
  }

  async #mustCreate(kind: 'Vpc' | 'Subnet', name: string, spec: object): Promise<void> {
    const { problem } = await this.#api.create(kind, this.namespace, { apiVersion, kind, metadata: { name }, spec }, false)
    if (problem !== undefined) throw new CliError(1, `${kind} ${name}: ${problem.detail ?? problem.title}`)
  }

  async #runThread(operations: readonly Operation[]): Promise<void> {
    for (const operation of operations) {
      const waitMs = this.#began + operation.atMs - performance.now()
      if (waitMs > 0 && !this.#stop.signal.aborted) await pause(waitMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
      const begin = performance.now()
      await (operation.do === 'create' ? this.#create(operation) : this.#delete(operation))
      this.#times.push({ ...operation, beganMs: begin - this.#began, tookMs: performance.now() - begin })
    }
  }

  async #create({ attachment: i, network, node, tested }: Operation): Promise<void> {
    if (this.#stop.signal.aborted) return
    const name = `a-${i}`
    const peer = tested ? this.#peerIn(network) : undefined
    const attachment: Attachment = { bound: node !== undefined, tested, peer, createdMs: performance.now(), gone: false }
    this.#attachments.set(name, attachment)
    const spec = { subnet: `net-${network}`, ...(node !== undefined && { node }), ...(tested && this.#execs(name, network, peer)) }
    const labels = { network: String(network) }
    const { problem } = await this.#api.create(
      'Port',
      this.namespace,
      { apiVersion, kind: 'Port', metadata: { name, labels }, spec },
      false,
    )
    if (problem === undefined) {
      this.figures.took('create', performance.now() - attachment.createdMs)
      this.figures.add('successful_creates')
      return
    }
    this.figures.add('failed_creates')
    this.#attachments.delete(name)
    this.#wrong.push(`${name}: ${problem.detail ?? problem.title}`)
  }

  #execs(name: string, network: number, peer: string | undefined): object {
    const { testProgram, pingCount, schedule, sizeFactor, runid } = this.#options
    const namespace = `${runid}-${name}`
    const prefix = prefixFor(Math.ceil(schedule.sizes[network]! * sizeFactor))
    return {
      postCreateExec: [testProgram, 'add', namespace, '${ifname}', '${mac}', `\${ipv4}/${prefix}`, peer ?? 'none', String(pingCount)],
      postDeleteExec: [testProgram, 'remove', namespace],
    }
  }

  /** The address of a tested Port of the same network that is there to answer. */
  #peerIn(network: number): string | undefined {
    const peers = this.#operations.filter((each) => each.do === 'create' && each.network === network && each.tested)
    return peers
      .map(({ attachment }) => this.#attachments.get(`a-${attachment}`))
      .find((each) => each?.testedMs !== undefined && each.pingFailed === undefined && !each.gone)?.address
  }

  async #delete({ attachment: i }: Operation): Promise<void> {
    const name = `a-${i}`
    const attachment = this.#attachments.get(name)
    if (attachment === undefined) return
    await this.#settled(name, attachment)
    const begin = performance.now()
    const { problem, status } = await this.#api.delete('Port', this.namespace, name, false)
    if (problem !== undefined && status !== 404) {
      this.figures.add('failed_deletes')
      return void this.#wrong.push(`${name}: ${problem.detail ?? problem.title}`)
    }
    this.figures.took('delete', performance.now() - begin)
    this.figures.add('successful_deletes')
  }

  /** A Port is deleted once it has been what it was made for, or after the time that it may take. */
  async #settled(name: string, attachment: Attachment): Promise<void> {
    const done = (): boolean =>
      attachment.brokenMs !== undefined || (attachment.readyMs !== undefined && (!attachment.tested || attachment.testedMs !== undefined))
    const deadline = attachment.createdMs + this.#options.pendingWaitMs
    while (!done() && !this.#stop.signal.aborted && performance.now() < deadline) await pause(pollMs)
    if (done() || this.#stop.signal.aborted) return
    this.#failed(
      `${name}: was not ${attachment.readyMs === undefined ? 'ready' : 'tested'} within ${this.#options.pendingWaitMs / 1000} s`,
      this.#options.stopOnBreak,
    )
  }

  async #gone(): Promise<void> {
    const left = (): string[] => [...this.#attachments].filter(([, { gone }]) => !gone).map(([name]) => name)
    const deadline = performance.now() + this.#options.waitAfterDeleteMs
    while (left().length > 0 && performance.now() < deadline) await pause(pollMs)
    if (left().length > 0)
      this.#wrong.push(`${left().length} Ports were not gone ${this.#options.waitAfterDeleteMs / 1000} s after the last deletion`)
  }

  async #takeBack(): Promise<void> {
    for (const kind of ['Port', 'Subnet', 'Vpc'] as const) {
      for await (const { metadata } of this.#api.list(kind, this.namespace, {}))
        await this.#api.delete(kind, this.namespace, metadata.name, false)
    }
  }

  async #until(what: string, holds: () => Promise<boolean>, withinMs: number): Promise<void> {
    const deadline = performance.now() + withinMs
    while (!(await holds())) {
      if (performance.now() > deadline) throw new CliError(1, `not within ${withinMs / 1000} s: ${what}`)
      await pause(pollMs)
    }
  }
}
