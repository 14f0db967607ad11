// Which kinds and which namespace a question over many kinds is about.
import { isLabelName, labelMessage } from '../../../core/admit/object/metadata.ts'
import { nearest } from '../../../core/admit/nearest.ts'
import { allKinds, pluralOf, type Kind } from '../../../core/kinds/index.ts'
import { BadParameter } from '../invalid-object.ts'
import type { Parameters } from '../query.ts'

const byName = new Map(allKinds.flatMap((kind) => [kind, pluralOf(kind)].map((name) => [name, kind] as const)))

/** By its name or its plural; undefined where there is none. */
export const kindNamed = (name: string): Kind | undefined => byName.get(name)

/** `kinds=Port,subnets`, each once. @throws BadParameter */
export function kindsIn(parameters: Parameters): readonly Kind[] {
  const given = parameters['kinds'] ?? ''
  if (given === '') throw new BadParameter('kinds', 'is missing: write kinds=Port,Subnet')
  const names = given.split(',', allKinds.length * 2 + 1)
  return [...new Set(names.map((name) => kindNamed(name) ?? refuse(name)))]
}

function refuse(name: string): never {
  const meant = nearest(name, [...byName.keys()])
  throw new BadParameter('kinds', `${meant === undefined ? `are among ${allKinds.join(', ')}` : `names none: did you mean ${meant}?`}`)
}

/** Undefined: wherever one may. @throws BadParameter */
export function namespaceIn({ namespace }: Parameters): string | undefined {
  if (namespace === undefined || isLabelName(namespace)) return namespace
  throw new BadParameter('namespace', labelMessage)
}
