import type { Ref } from '../kinds/index.ts'

/** Why a step is taken, or a thing is there. */
export interface Because {
  /** A few words that a person can search for: "a Nic without a Port". */
  readonly rule: string
  /** The object that caused it. */
  readonly of: Ref
}
