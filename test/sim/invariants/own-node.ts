// An agent writes of its own node's Ports and pods, of Inquiries that ask it, and of what it is about Events, and nothing else: not even a
// Port that is nowhere yet.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { Invariant } from '../invariant.ts'
import type { Landed } from '../truth.ts'

/** Where what was written was; undefined: nowhere, or of no node. */
function nodeOf({ kind, before }: Landed): string | undefined {
  if (kind === 'Port') return (before as Resource<'Port'> | undefined)?.spec.node
  if (kind === 'Inquiry') return (before as Resource<'Inquiry'> | undefined)?.status?.node
  return kind === 'Pod' ? (before as Resource<'Pod'> | undefined)?.spec.nodeName : undefined
}

export const ownNode: Invariant = {
  name: 'own-node',
  begin(_, fail) {
    return {
      landed(landed) {
        const agent = /^agent-(.+)$/.exec(landed.by)?.[1]
        if (agent === undefined || landed.kind === 'Event') return
        const node = nodeOf(landed)
        if (node !== agent)
          fail(
            `the agent of ${agent} wrote ${landed.kind} ${keyOfItem((landed.after ?? landed.before)!)}, which is on ${node ?? 'no node'}`,
          )
      },
    }
  },
}
