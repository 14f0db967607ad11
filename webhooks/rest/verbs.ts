// What may be done with a kind over REST.
import { foreignPolicies } from '../../core/kinds/foreign-policies.ts'
import { isNsmKind } from '../../core/kinds/foreign-network-services.ts'
import { definitionOf, isOwnKind, type Kind } from '../../core/kinds/index.ts'

export type Verb = 'get' | 'list' | 'create' | 'replace' | 'patch' | 'delete' | 'patchStatus'

const reading: readonly Verb[] = ['get', 'list']
const writing: readonly Verb[] = [...reading, 'create', 'replace', 'patch', 'delete']

const withoutStatus: readonly string[] = ['Namespace', 'NetworkAttachmentDefinition', ...foreignPolicies]

/** @param standalone there is no API server whose own affair pods' statuses, Nodes and Namespaces would be */
export function verbsOf(kind: Kind, standalone: boolean): ReadonlySet<Verb> {
  if (isOwnKind(kind)) return new Set(definitionOf(kind).internal ? reading : writing)
  if (isNsmKind(kind)) return new Set(writing)
  if (kind === 'Event') return new Set(reading)
  if (standalone) return new Set(withoutStatus.includes(kind) ? writing : [...writing, 'patchStatus'])
  return new Set(kind === 'Pod' ? [...reading, 'create', 'delete'] : reading)
}
