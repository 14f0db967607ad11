// The handlers of operations that go over many kinds.
import { explainHandlers } from './explain.ts'
import { meHandlers } from './me.ts'
import { searchHandlers } from './search.ts'
import { topologyHandlers } from './topology.ts'
import { usesHandlers } from './uses.ts'
import { watchHandlers } from './watch.ts'

/** By the id of the operation. */
export const acrossHandlers = {
  ...meHandlers,
  ...topologyHandlers,
  ...watchHandlers,
  ...usesHandlers,
  ...searchHandlers,
  ...explainHandlers,
}
