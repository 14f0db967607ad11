// Where a connection is in its inspection: not asked yet, with an inspector, or let go on, which a packet says of itself on its node alone.
import { load, resubmit, type Action, type Bits } from '../openflow/actions.ts'
import type { Term } from '../openflow/flow.ts'
import type { flowsOf, SwitchItem } from '../items.ts'
import type { InspectedDirection } from '../../node/inspectors/names.ts'
import { isBit } from '../match.ts'
import { owners } from '../registers.ts'
import { tables } from '../tables.ts'

export const directions: readonly InspectedDirection[] = ['egress', 'ingress']

const bitOf = (direction: InspectedDirection): Bits => ({
  ...owners.inspected,
  from: owners.inspected.from + directions.indexOf(direction),
  count: 1,
})
export const isAsked = (direction: InspectedDirection): Term => isBit(bitOf(direction), 0)
export const putInspected = (direction: InspectedDirection): Action => load(bitOf(direction), 1)

/** Of connections of this direction, as the port sees them that is judged. */
export const isOf = (direction: InspectedDirection): Term => isBit(owners.ingress, direction === 'ingress' ? 1 : 0)

/** Nothing is asked (any more): it goes on where it was. Whoever else uses the register finds nothing in it. */
export const passes = (direction: InspectedDirection): readonly Action[] => [
  load(owners.part, 0),
  putInspected(direction),
  resubmit(tables.policyVerdict.number),
]

/** What no entry is about. */
export const inspectionBase = (flow: ReturnType<typeof flowsOf>): readonly SwitchItem[] =>
  directions.map((direction) => flow('inspect', 1, [isOf(direction)], passes(direction)))
