// An agent writes of its own node's Ports and pods only.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { Invariant } from '../invariant.ts'
import type { Landed } from '../truth.ts'

/** Where what was written is; undefined: nowhere yet, or of no node. */
function nodeOf({ kind, before, after }: Landed): string | undefined {
  const item = before ?? after
  if (kind === 'Port') return (item as Resource<'Port'>).spec.node
  return kind === 'Pod' ? (item as Resource<'Pod'>).spec.nodeName : undefined
}

export const ownNode: Invariant = {
  name: 'own-node',
  begin(_, fail) {
    return {
      landed(landed) {
        const agent = /^agent-(.+)$/.exec(landed.by)?.[1]
        const node = agent === undefined ? undefined : nodeOf(landed)
        if (node !== undefined && node !== agent) fail(`the agent of ${agent} wrote ${landed.kind} ${keyOfItem((landed.after ?? landed.before)!)}, which is on ${node}`)
      },
    }
  },
}
