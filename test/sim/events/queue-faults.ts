// The queue loses all it has, or gives a key to two runners.
import { happeningKind } from '../happening.ts'

export const flush = happeningKind({ name: 'flush', fault: true, weight: 2, draw: () => ({}), run: (_, { site }) => site.broker.flush() })

export const twice = happeningKind<{ readonly keys: number }>({
  name: 'twice',
  fault: true,
  weight: 5,
  draw: (dice) => ({ keys: dice.between(1, 6) }),
  run({ keys }, { site }) {
    site.broker.doubled += keys
  },
})
