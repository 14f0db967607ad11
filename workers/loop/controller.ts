// What a row brings: how one key of its queue is gathered, planned and driven. Fences, commits and reports are the loop's.
import type { Driver } from '../../core/contracts/driver.ts'
import type { Write } from '../../core/contracts/store.ts'
import type { Ref, Resource } from '../../core/kinds/index.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { Reporting } from '../../core/plan/status.ts'
import type { LiveKind } from './live-reads.ts'

export interface Controller<Desired, Scope, State, Action, P extends Plan<Action>> {
  /**
   * Undefined: there is nothing of that key to look after.
   *
   * @param made the object of the key as it will be stored, where a pass that makes it asks before it stores it
   */
  gather(key: string, made?: Resource): Promise<Desired | undefined> | Desired | undefined
  driver(desired: Desired): Driver<Scope, State, Action>
  scope(desired: Desired): Scope
  /** The object of the key, as it was gathered. */
  item(desired: Desired): Resource | undefined
  /**
   * What else the plan decides by, as it was gathered, or by its name: read live before it draws or lets go, and after a rival was faster.
   */
  basis?(desired: Desired): readonly (Ref | Resource)[]
  plan(desired: Desired, observed: State, now: number): P
  /**
   * Where the plan does or tells something beside the store that others go by, what it is decided by is read live first: its basis, and all
   * of these kinds.
   */
  needsLive?(desired: Desired, plan: P): readonly LiveKind[] | undefined
  /**
   * What was looked at beside the store before that is looked at anew, where `needsLive` says so: others may have changed it.
   * @returns whether there was any
   */
  forget?(desired: Desired, sinceMs: number): boolean
  /** The pass is over: what was set aside for it is used or given back. `err` is undefined where it went well. */
  settle?(desired: Desired, tried: readonly Write[], err: unknown): void
  /** What is reported where the store will not take what was planned, and would not another time. */
  refusal?(message: string): P
  /** What is reported where a step has failed that is tried again; undefined: nothing yet. */
  setback?(desired: Desired, err: unknown, now: number): P | undefined
  /** A kind whose report is no status of ours: a pod's is an annotation. */
  reporter?(desired: Desired, plan: P, reporting: Reporting): readonly Write[]
  /** Of an object that is not of our kinds: whether it is to have our finalizers. */
  guards?(desired: Desired): boolean
  /** What it reports was learned outside, and stays true when the spec changes. */
  readonly outlivesSpec?: boolean
  /** What is observed of an object that is not stored yet: given, a pass that makes one may plan it in the same commit. */
  readonly unmade?: State
  /** The same, with the objects that the plan has named `next` as they will be. */
  withMade?(desired: Desired, made: ReadonlyMap<string, Resource>): Desired
}
export type AnyController = Controller<unknown, unknown, unknown, unknown, Plan<unknown>>
