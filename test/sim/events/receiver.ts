// A receiver is down, slow or forgetful for a while, or says that it is gone for good.
import { happeningKind } from '../happening.ts'
import { hosts } from '../layout.ts'
import type { Manner } from '../receivers.ts'

const manners: readonly Manner[] = ['down', 'slow', 'forgetful', 'gone']
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
