// Finalizers on and off, as changes of the list that stands.
import type { Resource } from '../../../core/kinds/index.ts'
import type { Operation } from './guarded.ts'

const list = '/metadata/finalizers'

export function withFinalizer(finalizer: string): (item: Resource | undefined) => readonly Operation[] | undefined {
  return (item) => {
    const there = item?.metadata.finalizers ?? []
    if (there.includes(finalizer)) return undefined
    // To a test an absent list is null; to `add` a list is replaced whole.
    return [
      { op: 'test', path: list, value: there.length === 0 ? null : there },
      { op: 'add', path: list, value: [...there, finalizer] },
    ]
  }
}

/** Where the object is not known the finalizer is taken to be the first of its list: most objects have one. */
export function withoutFinalizer(finalizer: string): (item: Resource | undefined) => readonly Operation[] | undefined {
  return (item) => {
    const at = item === undefined ? 0 : (item.metadata.finalizers ?? []).indexOf(finalizer)
    if (at < 0) return undefined
    return [
      { op: 'test', path: `${list}/${at}`, value: finalizer },
      { op: 'remove', path: `${list}/${at}` },
    ]
  }
}
