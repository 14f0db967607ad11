// A process begins anew and is told of a past: a list that an API server answers from a cache of its own.
import { happeningKind } from '../happening.ts'
import { processNames } from '../roles/index.ts'

export const backInTime = happeningKind<{ readonly process: string; readonly versions: number }>({
  name: 'back-in-time',
  fault: true,
  weight: 3,
  draw: (dice) => ({ process: dice.pick(processNames), versions: dice.between(1, 40) }),
  run({ process, versions }, { site }) {
    site.restartBehind(process, versions)
  },
})
