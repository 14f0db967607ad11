// A process is killed between two awaits, and another begins in its place.
import { happeningKind } from '../happening.ts'
import { processNames } from '../roles/index.ts'

export const kill = happeningKind<{ readonly process: string }>({
  name: 'kill',
  fault: true,
  weight: 6,
  draw: (dice) => ({ process: dice.pick(processNames) }),
  run: ({ process }, { site }) => site.kill(process),
})
