// What whoever follows a Find is told when its candidates change: as little as says it.
import type { Resource } from '../kinds/index.ts'

type Endpoint = Resource<'NetworkServiceEndpoint'>
export type FoundChange =
  { readonly event: 'all'; readonly items: readonly Endpoint[] } | { readonly event: 'put' | 'gone'; readonly item: Endpoint }

const uidOf = ({ metadata }: Endpoint): string => metadata.uid

/** `gone` and `put` where the rest keeps its order; else `all` anew, since an order cannot be told of one alone. */
export function foundChanges(before: readonly Endpoint[], after: readonly Endpoint[]): readonly FoundChange[] {
  const now = new Map(after.map((each) => [uidOf(each), each]))
  const left = before.filter((each) => now.has(uidOf(each)))
  if (left.length !== after.length || left.some((each, i) => uidOf(each) !== uidOf(after[i]!))) return [{ event: 'all', items: after }]
  return [...new Map(before.map((each) => [uidOf(each), each])).values()].flatMap((was): FoundChange[] => {
    const is = now.get(uidOf(was))
    if (is === undefined) return [{ event: 'gone', item: was }]
    return is.metadata.resourceVersion === was.metadata.resourceVersion ? [] : [{ event: 'put', item: is }]
  })
}
