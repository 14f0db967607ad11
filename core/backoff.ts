// Attempt → delay; and between which delays each of what may fail is tried again.

export interface Backoff {
  /** Milliseconds after the first failure. */
  readonly firstMs: number
  /** The longest that they become. */
  readonly maxMs: number
}

/** Where it is tried again soon, somebody waits for it; where it is not, whoever fails has a load to come out of. */
export const backoffs = {
  /** A reconcile, and what an agent writes or renders. */
  reconcile: { firstMs: 200, maxMs: 60_000 },
  /** A list or watch of an API server. */
  apiServerWatch: { firstMs: 1_600, maxMs: 30_000 },
  /** What an agent begins with, the watches that it has over REST, and the Redis that we start ourselves. */
  startUp: { firstMs: 200, maxMs: 5_000 },
  /** A switch of the fabric, by whichever protocol. */
  fabricSwitch: { firstMs: 500, maxMs: 30_000 },
  /** A cloud that does not answer, or is broken. */
  cloud: { firstMs: 1_000, maxMs: 30_000 },
  /** An Open vSwitch's database. */
  ovsdb: { firstMs: 100, maxMs: 5_000 },
  /** The OpenFlow connection to the switch of one's own node. */
  openFlow: { firstMs: 20, maxMs: 1_000 },
  /** A receiver of Notices: the first again after half a second, the later ones every five minutes until the horizon. */
  receiver: { firstMs: 500, maxMs: 300_000 },
} as const satisfies Readonly<Record<string, Backoff>>

/**
 * Exponential with full jitter between half and whole, so that rivals part.
 *
 * @param attempt 1 is the first failure
 * @param random  in [0, 1)
 */
export function backoffMs(attempt: number, random: number, { firstMs, maxMs }: Backoff = backoffs.reconcile): number {
  const whole = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(whole / 2 + (whole / 2) * random)
}
