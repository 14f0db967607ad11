// One pass's writes. A Notice that a pass before a crash has left is replaced: its object has not reached that sequence.
import type { Store, Write } from '../core/contracts/store.ts'
import { AlreadyExists } from '../core/errors.ts'
import type { Resource } from '../core/kinds/index.ts'

/**
 * Commits, unless the key's lock has been lost to another runner.
 *
 * @returns the writes, for whoever keeps account of them
 * @throws  what the store throws
 */
export async function commit(store: Store, writes: readonly Write[], signal: AbortSignal): Promise<readonly Write[]> {
  signal.throwIfAborted()
  if (writes.length === 0) return writes
  try {
    await store.commit(writes)
  } catch (problem) {
    const replaced = problem instanceof AlreadyExists ? await overStanding(store, writes) : undefined
    if (replaced === undefined) throw problem
    await store.commit(replaced)
  }
  return writes
}

/** The same writes with each Notice that is there already updated instead of made; undefined where none is. */
async function overStanding(store: Store, writes: readonly Write[]): Promise<readonly Write[] | undefined> {
  let found = false
  const replaced: Write[] = []
  for (const write of writes) {
    const standing = await standingNotice(store, write)
    found ||= standing !== undefined
    replaced.push(standing === undefined ? write : { do: 'update', item: { ...standing, spec: (write as Extract<Write, { do: 'create' }>).draft.spec } as Resource })
  }
  return found ? replaced : undefined
}

async function standingNotice(store: Store, write: Write): Promise<Resource<'Notice'> | undefined> {
  if (write.do !== 'create' || write.draft.kind !== 'Notice') return undefined
  const { namespace, name } = write.draft.metadata
  return store.get({ kind: 'Notice', ...(namespace !== undefined && { namespace }), name })
}
