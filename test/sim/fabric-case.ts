// A case of Fabrics: a world of its own kind, so that the other does not carry switches about that hardly anything happens to.
import { modes } from './case.ts'
import { drawHappenings, drawTimes, type Weighted } from './drawing.ts'
import { Dice } from './dice.ts'
import { happeningKinds } from './events/index.ts'
import { besideFabrics, ofFabrics } from './events/fabric.ts'
import type { Case } from './happening.ts'

/** Of workers and of whom tenants ask. */
const others = ['kill', 'call-fault', 'flush', 'twice', 'back-in-time'] as const

export function fabricCaseOf(seed: number): Case {
  const dice = new Dice(seed).fork('fabric case')
  const kinds: Weighted[] = [
    ...[...ofFabrics, ...besideFabrics].map((kind) => [kind, kind.weight] as const),
    ...others.map((name) => [happeningKinds.get(name)!, 3] as const),
  ]
  const times = drawTimes(dice.between(25, 80), dice)
  return { seed, mode: dice.pick(modes), fabrics: true, happenings: drawHappenings(times, kinds, dice) }
}
