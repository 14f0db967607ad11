// How happenings of a case are drawn: when, which, and how.
import type { Dice } from './dice.ts'
import type { Happening, HappeningKind } from './happening.ts'

/** How long things happen, in virtual milliseconds; afterwards nothing goes wrong any more. */
export const stormMs = 90_000

export type Drawable = Pick<HappeningKind, 'name' | 'draw'>
export type Weighted = readonly [kind: Drawable, weight: number]

export const drawTimes = (count: number, dice: Dice): readonly number[] =>
  Array.from({ length: count }, () => Math.round(dice.next() * stormMs)).sort((a, b) => a - b)

/** What happens at each of these times, by the weights of its kinds. */
export const drawHappenings = (times: readonly number[], kinds: readonly Weighted[], dice: Dice): readonly Happening[] =>
  times.map((at, i) => drawn(weighted(kinds, dice), at, dice.fork(`happening ${i}`)))

function weighted(kinds: readonly Weighted[], dice: Dice): Drawable {
  let left = dice.next() * kinds.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [kind, weight] of kinds) if ((left -= weight) < 0) return kind
  return kinds[0]![0]
}

const drawn = (kind: Drawable, at: number, dice: Dice): Happening => ({ at, name: kind.name, args: kind.draw(dice) })
