// What a write to the store is about, as it was before.
import type { Write } from '../contracts/store.ts'
import type { Dated } from '../kinds/hops.ts'
import type { Resource } from '../kinds/index.ts'

/** @param item what the writes were planned from @returns also one that the same commit creates */
export function beforeWrite(uid: string, writes: readonly Write[], item: Resource | undefined): Dated | undefined {
  if (item?.metadata.uid === uid) return item
  for (const write of writes) if (write.do === 'create' && write.draft.metadata.uid === uid) return write.draft
  return undefined
}
