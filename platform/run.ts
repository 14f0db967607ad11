// One process: its parts are started in order and stopped in reverse, and a signal ends it gently.
import { MegrezError } from '../core/errors.ts'

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

/**
 * Runs a process until SIGTERM, SIGINT or SIGHUP: then what was started is stopped, and the exit code is 0. It is 1, with a
 * sentence on standard error, where starting or stopping fails.
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
      (problem: unknown) => {
        process.stderr.write(`megrez: stopping: ${String(problem)}\n`)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(0))
  try {
    await start(stops)
  } catch (problem) {
    // Stopping cuts short what is still being started: that is no failure.
    if (ending !== undefined) return
    process.stderr.write(`megrez: ${problem instanceof MegrezError ? problem.message : String((problem as Error).stack)}\n`)
    end(1)
  }
}
