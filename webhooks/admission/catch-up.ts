// Waiting a little for what is on its way. A watch lags behind the write that it tells of, and a Subnet is validated a moment
// after it is made: who applies a Vpc, a Subnet and a pod in one file should not be refused for being fast.
import type { Caches } from '../../platform/cache/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import { networkViewKinds } from '../../platform/cache/network-view.ts'

export interface CatchUp {
  /** Asks again after every change that may matter, until the answer is no longer `later` or the time is over. */
  until<T>(ask: () => T, isLater: (answer: T) => boolean): T | Promise<T>
}

/** Less than the API server's timeout for us, with room for the rest of the work. */
const patienceMs = 1_000
/** More waiting at once would be somebody's mistake many times over: they are answered at once. */
const waitingMax = 256

/** Changes that come together are looked at together: Ports change by the thousand. */
const gatherMs = 10

export function catchUpOf(caches: Pick<Caches, (typeof networkViewKinds)[number]>, clock: Clock, withinMs = patienceMs): CatchUp {
  const waiting = new Set<() => void>()
  let gathering = false
  const wake = (): void => {
    gathering = false
    for (const each of [...waiting]) each()
  }
  const onChange = (): void => {
    if (gathering || waiting.size === 0) return
    gathering = true
    clock.after(gatherMs, wake)
  }
  for (const kind of networkViewKinds) caches[kind].on(onChange)
  return {
    until(ask, isLater) {
      const first = ask()
      return isLater(first) && waiting.size < waitingMax ? wait(ask, isLater, { waiting, clock, withinMs }) : first
    },
  }
}

function wait<T>(
  ask: () => T,
  isLater: (answer: T) => boolean,
  { waiting, clock, withinMs }: { waiting: Set<() => void>; clock: Clock; withinMs: number },
): Promise<T> {
  return new Promise((done) => {
    const settle = (answer: T): void => {
      waiting.delete(again)
      cancel()
      done(answer)
    }
    const again = (): void => {
      const answer = ask()
      if (!isLater(answer)) settle(answer)
    }
    const cancel = clock.after(withinMs, () => settle(ask()))
    waiting.add(again)
  })
}
