// The rules of the agents' ClusterRole, from the table of what agents read and write.
import { agentReads, agentWrites } from '../../core/admit/object/agent-access.ts'
import { groupOf, pluralOf, type Kind } from '../../core/kinds/index.ts'
import type { Rule } from './rbac.ts'

const verbsOf = { watch: ['get', 'list', 'watch'], get: ['get'] } as const

/** One rule a kind and right: a few lines that people can compare with the table. */
export const agentRules: readonly Rule[] = [
  ...(Object.entries(agentReads) as [Kind, keyof typeof verbsOf][]).map(([kind, how]) => ({
    apiGroups: [groupOf(kind)],
    resources: [pluralOf(kind)],
    verbs: verbsOf[how],
  })),
  ...(Object.entries(agentWrites) as [Kind, readonly ('object' | 'status')[]][]).map(([kind, parts]) => ({
    apiGroups: [groupOf(kind)],
    resources: parts.map((part) => (part === 'object' ? pluralOf(kind) : `${pluralOf(kind)}/status`)),
    verbs: ['patch'],
  })),
]
