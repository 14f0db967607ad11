// What service chains need on every node. Ports cannot say that their packets come of a chain: what says so and has just been sent by one
// is dropped, guarded or not. Of what comes by a tunnel it is believed, and nothing is asked again.
import { backToSender, bits, move, output, resubmit } from '../openflow/actions.ts'
import { ethSrc, tunId } from '../openflow/fields.ts'
import { is } from '../openflow/flow.ts'
import type { flowsOf, SwitchItem } from '../items.ts'
import { nd, ndTypes, ofAny, to } from '../match.ts'
import { owners, vniBits } from '../registers.ts'
import { numbers } from '../settings.ts'
import { tables } from '../tables.ts'
import { inOrder } from '../policy/clauses.ts'
import { decided, isMarked, isStage, markedMac, onWay, putStage } from './stage.ts'

/** As whose frame it comes by a tunnel, and what has been decided of it. */
const arrivals = [
  ['handed', 'brought'],
  ['out', 'out'],
] as const
const askForward = resubmit(tables.forward.number)

export function chainBase(flow: ReturnType<typeof flowsOf>): readonly SwitchItem[] {
  const neighbours = Object.keys(ndTypes) as (keyof typeof ndTypes)[]
  return [
    flow('chain', 65_000, inOrder([isStage(decided.none), isMarked]), []),
    // Without these nobody finds anybody.
    ...neighbours.flatMap((type) => [
      flow('chain', 60_000, inOrder([onWay('from'), ...nd(type)]), [putStage(decided.none), to('learn')]),
      flow('chain', 60_000, inOrder([onWay('to'), ...nd(type)]), [putStage(decided.out), to('forward')]),
    ]),
    flow('learn', 110, inOrder([ofAny('tunnel'), isMarked]), [to('forward')]),
    ...arrivals.map(([as, stage]) =>
      flow('forward', 300, inOrder([isStage(decided.none), is(ethSrc, markedMac[as])]), [putStage(decided[stage]), askForward]),
    ),
    // A switch sends nothing back by where it came from, unless it is told to. Of what was brought here nothing goes on to another node:
    // two that take each other's for where a function is would send it to and fro.
    flow('output', 110, inOrder([is(owners.out.field, numbers.tunnel), ofAny('tunnel'), isStage(decided.handed)]), [
      move(vniBits, bits(tunId, 24)),
      output(backToSender),
    ]),
  ]
}
