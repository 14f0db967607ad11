// A patch that holds only on an object as it was read. The first try tests just that, so that it costs no read and no other writer is
// in its way. What the tests of a patch cannot tell apart (a text that the API server spells otherwise) is told apart here: the object
// is read, judged as it is, and changed at that version.
import { Stale } from '../../../core/errors.ts'
import { keyOf, type Kind, type Ref, type Resource } from '../../../core/kinds/index.ts'
import type { Guarded, Operation } from './guarded.ts'

type Change<K extends Kind> = Guarded<K>['change']

export interface Fencing<K extends Kind> {
  readonly ref: Ref<K>
  readonly resourceVersion?: string | undefined
  /** Whether an object is still what was planned from. */
  readonly holds: (there: Resource<K>) => boolean
  /** The same as tests of a patch. */
  readonly tests: (believed: Resource<K> | undefined) => readonly Operation[]
}

const versionTest = (resourceVersion: string): Operation => ({ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion })

/** For one write: it counts its tries. `change` throws Stale where what was read again is no longer what was planned from. */
export function fencedChange<K extends Kind>(
  { ref, resourceVersion, holds, tests }: Fencing<K>,
  change: (there: Resource<K> | undefined) => readonly Operation[],
): Change<K> {
  let tries = 0
  return (there) => {
    const version = resourceVersion === undefined ? [] : [versionTest(resourceVersion)]
    if (tries++ === 0) return [...version, ...tests(there), ...change(there)]
    if (there === undefined || !holds(there) || (resourceVersion !== undefined && there.metadata.resourceVersion !== resourceVersion))
      throw new Stale({ kind: ref.kind, key: keyOf(ref) })
    return [versionTest(there.metadata.resourceVersion), ...change(there)]
  }
}

/** A change of the object at one version of it, where one is given. */
export function atVersion(
  change: (item: Resource | undefined) => readonly Operation[] | undefined,
  { ref, resourceVersion }: { readonly ref: Ref; readonly resourceVersion: string | undefined },
): Change<Kind> {
  if (resourceVersion === undefined) return change
  return (item) => {
    const operations = change(item)
    if (operations === undefined) return undefined
    if (item !== undefined && item.metadata.resourceVersion !== resourceVersion) throw new Stale({ kind: ref.kind, key: keyOf(ref) })
    return [versionTest(resourceVersion), ...operations]
  }
}
