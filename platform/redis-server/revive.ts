// A redis-server of our own that ends by itself, as by the kernel's want of memory, is started anew, ever more seldom. What cannot be
// kept running is given up.
import { backoffMs, backoffs } from '../../core/backoff.ts'
import { pause, type Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { RedisServer } from '../redis-server.ts'

export interface ReviveOptions {
  readonly start: () => Promise<RedisServer | { readonly missing: string }>
  /** Called once, with the reason: it is not started again. */
  readonly giveUp: (reason: string) => void
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly log: Log
}

/** One that has run for so long has begun well, however it ended. */
const steadyMs = 30_000
/** Ends and failed starts, each soon after the other. */
const failuresMax = 5

/** @returns what ends the server that runs, or is being started, for good */
export function revive(first: RedisServer, options: ReviveOptions): { stop(): Promise<void> } {
  const { clock, random, log } = options
  const stopping = new AbortController()
  let server: RedisServer | undefined = first
  let failures = 0

  async function keepRunning(): Promise<void> {
    let reason = ''
    while (!stopping.signal.aborted) {
      if (server !== undefined) reason = await outlived(server)
      if (stopping.signal.aborted) return
      failures += 1
      if (failures > failuresMax) return options.giveUp(reason)
      await pause(backoffMs(failures, random(), backoffs.startUp), clock, stopping.signal)
      if (!stopping.signal.aborted) reason = (await begin()) ?? reason
    }
  }

  /** Until it has ended. */
  async function outlived(running: RedisServer): Promise<string> {
    const began = clock.elapsed()
    const code = await running.ended.catch(() => 1)
    server = undefined
    if (clock.elapsed() - began >= steadyMs) failures = 0
    if (!stopping.signal.aborted) log.error({ code, pid: running.pid }, 'our redis-server has ended: it is started anew')
    return `it ended with ${code}`
  }

  /** @returns why there is none */
  async function begin(): Promise<string | undefined> {
    const answer = await options.start().catch((err: unknown) => ({ missing: String(err) }))
    if ('socket' in answer) {
      server = answer
      log.warn({ pid: answer.pid }, 'our redis-server runs again')
      return undefined
    }
    log.warn({ reason: answer.missing }, 'our redis-server could not be started')
    return answer.missing
  }

  const over = keepRunning()
  return {
    async stop() {
      stopping.abort()
      await server?.stop()
      await over
      await server?.stop()
    },
  }
}
