// The rules that a schema cannot say: the twins of the CEL expressions in the CRDs, and what may never change.
import { definitionOf, type OwnKind } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'
import { withDefaults } from './schema.ts'
import type { Problem } from '../problem.ts'

type Fields = Readonly<Record<string, unknown>>
interface Judgeable {
  readonly spec: unknown
}

/**
 * The faults of an object that its schema (check) has passed.
 *
 * @param stored the object as it is stored; absent for a new one. It is read with defaults, as an API server reads it: one that was stored
 * before a field had its default has not changed when it comes back with that
 */
export function judge(kind: OwnKind, object: Judgeable, stored?: Judgeable): readonly Problem[] {
  const { rules, immutable } = definitionOf(kind)
  const old = stored && withDefaults(kind, stored)
  // The API server does not ask again about a spec that has not changed (ratcheting), and no rule here looks elsewhere.
  if (old !== undefined && sameJson(old.spec, object.spec)) return []
  const broken = rules.filter((rule) => !rule.holds(object.spec as never, old?.spec as never))
  const changed = old === undefined ? [] : immutable.filter((path) => !sameJson(valueAt(object.spec, path), valueAt(old.spec, path)))
  return [
    ...broken.flatMap(({ at, within, message }) =>
      (within?.(object.spec as never) ?? [at]).map((place) => ({ at: pointerOf(place), message })),
    ),
    ...changed.map((path) => ({ at: pointerOf(`spec.${path}`), message: 'cannot be changed once the object is made' })),
  ]
}

const pointerOf = (path: string): string => `/${path.replaceAll('.', '/')}`

function valueAt(spec: unknown, path: string): unknown {
  let found = spec
  for (const step of path.split('.')) found = typeof found === 'object' && found !== null ? (found as Fields)[step] : undefined
  return found
}
