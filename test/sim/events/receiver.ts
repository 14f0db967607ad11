// A receiver is down, slow, forgetful or gone for a while.
import { happeningKind } from '../happening.ts'
import { hosts } from '../layout.ts'
import type { Manner } from '../receivers.ts'

const manners: readonly Manner[] = ['down', 'slow', 'forgetful']
const whileMost = 20_000

export const receiver = happeningKind<{ readonly host: string; readonly manner: Manner; readonly ms: number }>({
  name: 'receiver',
  fault: true,
  weight: 4,
  draw: (dice) => ({ host: dice.pick(hosts), manner: dice.pick(manners), ms: Math.round(dice.next() * whileMost) }),
  run({ host, manner, ms }, { site }) {
    site.receivers.behave(host, manner)
    site.scheduler.after(ms, `${host} is up again`, () => site.receivers.behave(host, 'up'))
  },
})
