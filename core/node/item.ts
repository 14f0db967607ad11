// One thing in a data plane: a flow, a switch port, a module, a neighbour entry.
import type { Because } from './because.ts'

/** Equal key and text: the same thing, as it should be. Equal key, other text: it is to be replaced. */
export interface Item<Value = unknown> {
  /** Unique in one data plane, and a function of what it stands for alone: `flow/20/100/reg0=7,…`, `port/mgz0…`. */
  readonly key: string
  /** All that matters of it, in one canonical spelling: what `observe` reads back compares equal to what was rendered. */
  readonly text: string
  /** What the data plane itself works with. */
  readonly value: Value
  readonly because: Because
}
