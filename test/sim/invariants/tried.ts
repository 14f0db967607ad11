// A pod that was only tried leaves nothing behind, not even for a moment.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { Invariant } from '../invariant.ts'

/** The pod for which something is kept. */
function keptFor(item: Resource): string | undefined {
  if (item.kind === 'IPLock') return (item as Resource<'IPLock'>).spec.reservation?.podUID
  return item.kind === 'Port' ? (item as Resource<'Port'>).spec.claim?.podUID : undefined
}

export const tried: Invariant = {
  name: 'tried',
  begin({ outside }, fail) {
    return {
      landed({ kind, after, by }) {
        const uid = after && keptFor(after)
        if (uid !== undefined && outside.tried.has(uid)) fail(`${by} keeps ${kind} ${keyOfItem(after!)} for a pod that was only tried`)
      },
    }
  },
}
