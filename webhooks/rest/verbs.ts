// What may be done with a kind over REST.
import { definitionOf, isOwnKind, type Kind } from '../../core/kinds/index.ts'

export type Verb = 'get' | 'list' | 'create' | 'replace' | 'patch' | 'delete' | 'patchStatus'

const reading: readonly Verb[] = ['get', 'list']
const writing: readonly Verb[] = [...reading, 'create', 'replace', 'patch', 'delete']

/** @param standalone there is no API server whose own affair pods' statuses, Nodes and Namespaces would be */
export function verbsOf(kind: Kind, standalone: boolean): ReadonlySet<Verb> {
  if (isOwnKind(kind)) return new Set(definitionOf(kind).internal ? reading : writing)
  if (kind === 'Event') return new Set(reading)
  if (standalone) return new Set(['Namespace', 'NetworkAttachmentDefinition'].includes(kind) ? writing : [...writing, 'patchStatus'])
  return new Set(kind === 'Pod' ? [...reading, 'create', 'delete'] : reading)
}

/** The methods of an object's address (`one`) and of its collection's. */
export const methodsOf = (verbs: ReadonlySet<Verb>, at: 'all' | 'one' | 'status'): readonly string[] =>
  (Object.entries(methods[at]) as [Verb, readonly string[]][]).filter(([verb]) => verbs.has(verb)).flatMap(([, each]) => each)

const methods: Readonly<Record<'all' | 'one' | 'status', Partial<Readonly<Record<Verb, readonly string[]>>>>> = {
  all: { list: ['GET', 'HEAD'], create: ['POST'] },
  one: { get: ['GET', 'HEAD'], replace: ['PUT'], patch: ['PATCH'], delete: ['DELETE'] },
  status: { patchStatus: ['PATCH'] },
}
