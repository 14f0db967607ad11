// What a search finds among what is shown.
import { allKinds, type Item, type Kind } from '../contract/kinds.ts'
import { objects } from '../live/objects.ts'

export interface SearchResult {
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string
  /** What of it has the words. */
  readonly because: string | undefined
}

const most = 12

/** Each with what people look for it by. */
function wordsOf(item: Item): readonly string[] {
  const { spec = {}, status = {} } = item as {
    readonly spec?: Readonly<Record<string, unknown>>
    readonly status?: Readonly<Record<string, unknown>>
  }
  const values = [status['addresses'], status['mac'], status['portID'], status['vni'], spec['vni'], spec['vlan'], item.metadata.uid]
  return values
    .flat()
    .filter((each) => each !== undefined)
    .map(String)
}

export function found(text: string): { readonly results: readonly SearchResult[]; readonly asking: boolean } {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return { results: [], asking: false }
  const results: RankedResult[] = []
  for (const kind of allKinds)
    for (const item of objects.of(kind).values()) {
      const result = resultOf(item, kind, wanted)
      if (result !== undefined) results.push(result)
    }
  return { results: results.sort((a, b) => a.rank - b.rank).slice(0, most), asking: false }
}

interface RankedResult extends SearchResult {
  /** What is meant exactly comes first. */
  readonly rank: number
}

function resultOf(item: Item, kind: Kind, wanted: string): RankedResult | undefined {
  const { name, namespace } = item.metadata
  if (name.includes(wanted))
    return { kind, namespace, name, because: undefined, rank: name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2 }
  const because = wordsOf(item).find((word) => word.toLowerCase().includes(wanted))
  return because === undefined ? undefined : { kind, namespace, name, because, rank: because.toLowerCase() === wanted ? 0 : 3 }
}
