// One process: its parts are started in order and stopped in reverse, and a signal ends it gently.
import { flushCompileCache } from 'node:module'
import { MegrezError } from '../core/errors.ts'
import { unhandledErrors } from './unhandled-errors.ts'

type Stop = () => Promise<unknown> | void

/** What is to be stopped, last started first. */
export class Stops {
  #stops: Stop[] = []

  add(stop: Stop): void {
    this.#stops.unshift(stop)
  }

  async run(): Promise<void> {
    for (const stop of this.#stops.splice(0)) await stop()
  }
}

/** Longest that a process at fault may take to stop what it has started. */
const fatalMs = 10_000

/**
 * Runs a process until SIGTERM, SIGINT or SIGHUP: then what was started is stopped, and the exit code is 0. It is 1, with a
 * sentence on standard error, where starting or stopping fails, and where something is thrown or rejected that nobody hears: it cannot be
 * known what was left undone then, and whoever runs the process starts it anew.
 *
 * @param start puts into `stops` what is to be stopped, each part as soon as it runs
 */
export async function runProcess(start: (stops: Stops) => Promise<void>): Promise<void> {
  const stops = new Stops()
  let ending: Promise<void> | undefined
  /** Once: the second signal is the first one's. */
  const end = (code: number): void => {
    ending ??= stops.run().then(
      () => process.exit(code),
      (err: unknown) => {
        process.stderr.write(`megrez: stopping: ${String(err)}\n`)
        process.exit(1)
      },
    )
  }
  const fatal = (err: unknown): void => {
    unhandledErrors.count++
    process.stderr.write(`megrez: nobody hears of this, and the process ends: ${err instanceof Error ? String(err.stack) : String(err)}\n`)
    setTimeout(() => process.exit(1), fatalMs).unref()
    end(1)
  }
  process.on('unhandledRejection', fatal)
  process.on('uncaughtException', fatal)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(0))
  try {
    await start(stops)
    // Else only a process that ends by itself leaves what it has compiled to the next.
    flushCompileCache()
  } catch (err) {
    // Stopping cuts short what is still being started: that is no failure.
    if (ending !== undefined) return
    process.stderr.write(`megrez: ${messageOf(err)}\n`)
    end(1)
  }
}

/** The system's refusals (of a TCP port, of a file) are for an operator to mend, and say what they are about: a stack does not help. */
function messageOf(err: unknown): string {
  const { message, stack, syscall } = err as NodeJS.ErrnoException
  return err instanceof MegrezError || syscall !== undefined ? message : String(stack)
}
