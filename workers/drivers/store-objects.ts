// Objects of ours, as a driver like any other: its actions are nothing but writes.
import type { Driver } from '../../core/contracts/driver.ts'
import type { Store, Write } from '../../core/contracts/store.ts'

/** Of a kind of which nothing but its status is written. */
export const nothing = (store: Store): Driver<undefined, undefined, never> =>
  objects<undefined, undefined, never>(store, 'objects', { observe: () => undefined, writesOf: () => [] })

export function objects<Scope, State, Action>(
  store: Store,
  name: string,
  {
    observe,
    writesOf,
  }: { readonly observe: (scope: Scope) => State | Promise<State>; readonly writesOf: (action: Action) => readonly Write[] },
): Driver<Scope, State, Action> {
  return {
    name,
    observe: async (scope) => observe(scope),
    apply: (action) => store.commit(writesOf(action)),
    asWrites: writesOf,
  }
}
