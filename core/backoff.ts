// Attempt → delay.

/**
 * Exponential with full jitter between half and whole, so that rivals part.
 *
 * @param attempt 1 is the first failure
 * @param random  in [0, 1)
 */
export function backoffMs(attempt: number, random: number, { firstMs = 200, maxMs = 60_000 } = {}): number {
  const whole = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(whole / 2 + (whole / 2) * random)
}
