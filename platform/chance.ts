// What is drawn and not computed, as something handed in, so that a simulation draws the same again.
import { randomUUID } from 'node:crypto'

/** In [0, 1). */
export type Random = () => number
/** A UUID that nobody else has. */
export type Uids = () => string

export const realRandom: Random = () => Math.random()
export const realUids: Uids = () => randomUUID()

/** UUIDs of version 4 (RFC 9562 section 5.4) out of such numbers. */
export function uidsOf(random: Random): Uids {
  const hex = (digits: number): string =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  const variant = (): string => '89ab'[Math.floor(random() * 4)]!
  return () => `${hex(8)}-${hex(4)}-4${hex(3)}-${variant()}${hex(3)}-${hex(8)}${hex(4)}`
}
