// A node whose BGP daemon is somebody else's: it is left alone, TCP port 179 too, and its routes in the kernel are read.
import type { SpeakerSpec } from '../../core/bgp/speaker.ts'
import { messageOf } from '../../core/errors.ts'
import { pause, type Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { FollowedLists } from '../netlink/followed-lists.ts'
import { routesOf } from './kernel-view.ts'
import { StatusReports, type SpeakerStatus } from './status.ts'

const pollMs = 5_000

interface Deps {
  readonly kernel: FollowedLists
  /** Of the kernel's, by number and by name or number (rt_protos). */
  readonly table: number
  readonly protocol: string
  readonly report: (status: SpeakerStatus) => void
  readonly clock: Clock
  readonly log: Log
}

export class ForeignDaemon {
  readonly #deps: Deps
  #spec: SpeakerSpec | undefined
  readonly #reports: StatusReports
  #ended: Promise<void> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#reports = new StatusReports(deps.report, deps.clock)
  }

  want(spec: SpeakerSpec | undefined): void {
    this.#spec = spec
  }

  follow(signal: AbortSignal): void {
    const { clock, log } = this.#deps
    const loop = async (): Promise<void> => {
      while (!signal.aborted) {
        await this.observe().catch((err: unknown) => log.warn({ err }, 'routes of the BGP daemon were not read'))
        await pause(pollMs, clock, signal)
      }
    }
    this.#ended = loop()
  }

  ended(): Promise<void> {
    return this.#ended
  }

  async observe(): Promise<void> {
    const { kernel, table, protocol } = this.#deps
    if (this.#spec === undefined) return
    const routes = await routesOf(kernel, { table, protocol }).catch(messageOf)
    this.#reports.take(statusOf(typeof routes === 'string' ? routes : routes.length, { table, protocol }))
  }
}

/** @param routes how many there are, or why they cannot be read */
function statusOf(routes: number | string, { table, protocol }: Pick<Deps, 'table' | 'protocol'>): SpeakerStatus {
  const problem = routes === 0 ? `table ${table} of the kernel has no route of protocol ${protocol}` : routes
  return {
    daemon: {
      program: 'foreign',
      state: routes === 0 || typeof routes === 'string' ? 'absent' : 'running',
      ...(typeof problem === 'string' && { problem }),
    },
    addresses: [],
    sessions: [],
  }
}
