// What must hold after every step, and what must hold once nothing goes wrong any more. Each is told of every write as it lands, and
// keeps what it needs: none looks at the whole store at each step.
import type { Kind, Resource } from '../../core/kinds/index.ts'
import type { Landed, Truth } from './truth.ts'
import type { World } from './happening.ts'

export interface Invariant<Of = World> {
  readonly name: string
  /** Follows a world from its beginning. */
  begin(world: Of, fail: (what: string) => void): Following
}
/** What asks nothing but what is stored: of a real API server too, by its watches. */
export type InvariantOfStore = Invariant<{ readonly site: { readonly truth: Truth; time(): string } }>
export interface Following {
  /** A write has landed. */
  landed?(landed: Landed): void
  /** Faults have stopped, and all has come to rest. */
  atRest?(): void
  /** It has stayed so for a while, in which nothing was done but that nodes were asked. */
  atEnd?(): void
}

type PerKind = { readonly [K in Kind]?: (before: Resource<K> | undefined, after: Resource<K> | undefined) => void }

/** Each kind's writes to who looks at that kind. */
export const perKind =
  (of: PerKind) =>
  ({ kind, before, after }: Landed): void =>
    (of[kind] as PerKind['Port'])?.(before as Resource<'Port'> | undefined, after as Resource<'Port'> | undefined)
