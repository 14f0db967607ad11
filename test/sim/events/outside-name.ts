// Names outside have other addresses, or nobody says which.
import { happeningKind } from '../happening.ts'
import { outsideAddresses, outsideNames } from '../layout.ts'

export const rename = happeningKind<{ readonly name: string; readonly addresses: readonly string[] }>({
  name: 'name-outside',
  fault: false,
  weight: 3,
  draw: (dice) => ({ name: dice.pick(outsideNames), addresses: outsideAddresses.filter(() => dice.chance(0.5)) }),
  run: ({ name, addresses }, { resolvers }) => resolvers.rename(name, addresses),
})

export const resolversDown = happeningKind<{ readonly forMs: number }>({
  name: 'resolvers-down',
  fault: true,
  weight: 1,
  draw: (dice) => ({ forMs: dice.between(1_000, 60_000) }),
  run({ forMs }, { site, resolvers }) {
    resolvers.downUntil = site.scheduler.now + forMs
  },
})
