// Steps for whoever is not a process of the simulation: the laws that the simulated store and queue are held to run in real time.
import type { Scheduler } from './scheduler.ts'
import { real } from './real.ts'

/** Virtual time goes with the real one until it is stopped. */
export function pump(scheduler: Scheduler): () => void {
  let stopped = false
  const began = real.now() - scheduler.now
  void (async () => {
    while (!stopped) {
      // Whatever runs late runs now: nothing that is counted from here on comes too early.
      scheduler.now = real.now() - began
      if (scheduler.next === undefined || scheduler.next > scheduler.now) await new Promise((done) => real.setImmediate(done))
      else await scheduler.step()
    }
  })()
  return () => {
    stopped = true
  }
}
