import type { Clock } from '../clock.ts'

/** Calls `strike` once `overdueIn` says 0 or less; asks again when it says how many milliseconds are left. */
export function watchdog(clock: Clock, overdueIn: () => number, strike: () => void): () => void {
  let cancel: () => void
  const check = () => {
    const left = overdueIn()
    if (left <= 0) strike()
    else cancel = clock.after(left, check)
  }
  cancel = clock.after(Math.max(1, overdueIn()), check)
  return () => cancel()
}
