// What people call the kinds: all names that the table of kinds gives them.
import { allKinds, definitionOf, isOwnKind, pluralOf, type Kind } from '../core/kinds/index.ts'
import { nearest } from '../core/admit/nearest.ts'
import { CliError } from './context.ts'

/** As kubectl has them. */
const foreignNames: Readonly<Record<string, readonly string[]>> = { Pod: ['po'], Node: ['no'], Namespace: ['ns'], Event: ['ev'] }
const namesOf = (kind: Kind): string[] => {
  const more = isOwnKind(kind)
    ? [definitionOf(kind).singular, ...definitionOf(kind).shortNames]
    : [kind.toLowerCase(), ...(foreignNames[kind] ?? [])]
  return [pluralOf(kind), ...more]
}
const byName = new Map(allKinds.flatMap((kind) => namesOf(kind).map((name) => [name, kind] as const)))

/** @throws CliError 2 */
export function kindNamed(word: string): Kind {
  const kind = byName.get(word.toLowerCase())
  if (kind !== undefined) return kind
  const plurals = allKinds.map(pluralOf)
  const meant = nearest(word, [...byName.keys()])
  throw new CliError(
    2,
    `there is no kind ${JSON.stringify(word)}: ${meant === undefined ? `there are ${plurals.join(', ')}` : `did you mean ${meant}?`}`,
  )
}

/** `port/a` for messages, as kubectl says it. */
export const said = (kind: Kind, name: string): string => `${kind.toLowerCase()}/${name}`
