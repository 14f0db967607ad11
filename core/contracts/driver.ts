// The one shape of every edge.
import type { Write } from './store.ts'

/**
 * Promises, tested by test/laws/driver.ts:
 * 1 converges: after a plan is applied, planning again gives no steps;
 * 2 repeatable: applying a step twice is applying it once;
 * 3 crash-anywhere: stopped after any number of steps and started over, 1 holds;
 * 4 only its own: what another owner made is still there;
 * 5 tells the truth: a second instance on the same world observes the same state;
 * 6 rivals: two instances applying the same plan at once, interleaved at every await, end with one of each thing.
 */
export interface Driver<Scope, State, Action> {
  /** Its name in the registry, in specs, logs and metrics. */
  readonly name: string
  /** Changes nothing. */
  observe(scope: Scope, signal: AbortSignal): Promise<State>
  /** Twice is once. */
  apply(action: Action, signal: AbortSignal): Promise<void>
  /** An action that is nothing but writes to the store says so; the loop joins them with the report into one commit. */
  asWrites?(action: Action): readonly Write[] | undefined
}
