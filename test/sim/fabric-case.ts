// A case of Fabrics: a world of its own kind, so that the other does not carry switches about that hardly anything happens to.
import { stormMs } from './case.ts'
import { Dice } from './dice.ts'
import { happeningKinds } from './events/index.ts'
import { besideFabrics, ofFabrics } from './events/fabric.ts'
import type { Case, Happening } from './happening.ts'
import type { Mode } from './store.ts'

const modes: readonly Mode[] = ['kube', 'kube', 'sqlite', 'api']
/** Of workers and of whom tenants ask. */
const others = ['kill', 'call-fault', 'flush', 'twice', 'back-in-time'] as const

export function fabricCaseOf(seed: number): Case {
  const dice = new Dice(seed).fork('fabric case')
  const kinds = [...ofFabrics, ...besideFabrics, ...others.map((name) => ({ ...happeningKinds.get(name)!, weight: 3 }))]
  const whole = kinds.reduce((sum, { weight }) => sum + weight, 0)
  const drawn = (at: number, of: Dice): Happening => {
    let left = dice.next() * whole
    const { name, draw } = kinds.find(({ weight }) => (left -= weight) < 0) ?? kinds[0]!
    return { at, name, args: draw(of) }
  }
  const times = Array.from({ length: dice.between(25, 80) }, () => Math.round(dice.next() * stormMs)).sort((a, b) => a - b)
  return { seed, mode: dice.pick(modes), fabrics: true, happenings: times.map((at, i) => drawn(at, dice.fork(`happening ${i}`))) }
}
