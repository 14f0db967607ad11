// A Namespace that is being deleted, where we keep it ourselves: everything in it goes, and then it does. In a cluster its
// own controller does this, and the finalizer that stands for the work is not in metadata.
import { refOf, type Resource } from '../kinds/index.ts'
import type { Plan, Step } from './plan.ts'

export interface NamespaceDesired {
  readonly namespace: Resource<'Namespace'>
  /** Objects in it that a worker of their own kind releases before they go: at most as many as one pass reads. */
  readonly items: readonly Resource[]
  /** What is deleted with the namespace once those are gone, as no worker does it: locks, Events. */
  readonly rest: readonly Resource[]
}
export type NamespaceAction =
  { readonly do: 'deleteItem'; readonly item: Resource } | { readonly do: 'letGo'; readonly namespace: Resource<'Namespace'> }

export function planNamespace({ namespace, items, rest }: NamespaceDesired): Plan<NamespaceAction> {
  const of = refOf(namespace)
  const step = (item: Resource): Step<NamespaceAction> => ({
    action: { do: 'deleteItem', item },
    because: { rule: 'a namespace that is being deleted', of },
  })
  const next = items.length > 0 ? items : rest
  const steps = next.filter((item) => item.metadata.deletionTimestamp === undefined).map(step)
  const [first] = next
  if (first !== undefined)
    return { steps, phase: 'terminating', reason: 'NotEmpty', message: `${first.kind} ${first.metadata.name} is still in it` }
  return {
    steps: [{ action: { do: 'letGo', namespace }, because: { rule: 'a namespace with nothing left in it', of } }],
    phase: 'deleted',
    reason: 'Empty',
    message: 'nothing is left in it',
  }
}
