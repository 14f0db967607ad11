// An object that others write at the same time is written only as it was seen: where our word was taken and the answer lost, it may be
// another's to write by the time it is said again.
import { Stale } from '../../core/errors.ts'
import { refOf, type Kind, type Resource } from '../../core/kinds/index.ts'
import type { Store } from '../../core/contracts/store.ts'

const attemptsMax = 4

interface WriteAsSeen<K extends Kind> {
  readonly store: Pick<Store, 'get'>
  /** Whether there is still something to write. */
  readonly isDue: (seen: Resource<K>) => boolean
  /** @throws Stale where it has changed since */
  readonly write: (seen: Resource<K>) => Promise<unknown>
}

/** Reads it anew where somebody was faster. @throws what `write` throws; Stale once it was overtaken four times */
export async function writeAsSeen<K extends Kind>(first: Resource<K>, { store, isDue, write }: WriteAsSeen<K>): Promise<void> {
  let seen: Resource<K> | undefined = first
  for (let attempt = 1; seen?.metadata.uid === first.metadata.uid && isDue(seen); attempt++) {
    try {
      return void (await write(seen))
    } catch (err) {
      if (!(err instanceof Stale) || attempt === attemptsMax) throw err
      seen = await store.get<K>(refOf(first))
    }
  }
}
