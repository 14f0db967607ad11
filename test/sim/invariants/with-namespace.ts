// A Namespace that is being deleted takes along what is in it, whatever time each has left.
import type { Resource } from '../../../core/kinds/index.ts'
import type { Truth } from '../truth.ts'

/** Also where it is gone already. */
export function goesWithNamespace({ metadata: { namespace = '' } }: Resource, truth: Truth): boolean {
  const home = truth.at('Namespace', namespace)
  return home === undefined || home.metadata.deletionTimestamp !== undefined
}
