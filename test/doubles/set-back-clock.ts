// A clock whose time of day can be set back, as an administrator or a time server does; what has passed goes on.
import { TurnedClock, type Clock } from '../../platform/clock.ts'

export interface SetBackClock extends Clock {
  advance(ms: number): void
  setBack(ms: number): void
}

export function setBackClock(): SetBackClock {
  const turned = new TurnedClock()
  let backMs = 0
  return {
    now: () => turned.now() - backMs,
    elapsed: () => turned.elapsed(),
    after: (ms, call) => turned.after(ms, call),
    soon: (call) => turned.soon(call),
    advance: (ms) => turned.advance(ms),
    setBack: (ms) => void (backMs += ms),
  }
}
