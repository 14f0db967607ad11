// What people call the kinds: all names that the table of kinds gives them.
import type { Kind } from '../../core/kinds/index.ts'
import { suggestion } from '../args.ts'
import { CliError } from '../context.ts'
import type { KindRow, ListedKind } from './row.ts'
import { kindRows } from './table.ts'

export const knownKinds = Object.keys(kindRows) as readonly ListedKind[]
/** A Secret is nobody's to list: it is not in the table. */
export const rowOf = (kind: Kind): KindRow => kindRows[kind as ListedKind]
export const pluralOf = (kind: Kind): string => rowOf(kind).plural
export const isNamespaced = (kind: Kind): boolean => rowOf(kind).scope === 'Namespaced'

const byName = new Map(knownKinds.flatMap((kind) => [rowOf(kind).plural, ...rowOf(kind).names].map((name) => [name, kind] as const)))

/** @throws CliError 2 */
export function kindNamed(word: string): Kind {
  // `ports.megrez.io` too, as kubectl prints it.
  const kind = byName.get(word.toLowerCase().replace(/\.megrez\.io$/, ''))
  if (kind !== undefined) return kind
  throw new CliError(2, `there is no kind ${JSON.stringify(word)}: ${suggestion(word, [...byName.keys()], knownKinds.map(pluralOf))}`)
}

/** `port/a` for messages, as kubectl says it. */
export const nameWithKind = (kind: Kind, name: string): string => `${kind.toLowerCase()}/${name}`
