// What the server finds, among all that this caller may see.
import { useEffect, useState } from 'preact/hooks'
import { client, taken } from '../contract/api.ts'
import { isKind, type Kind } from '../contract/kinds.ts'
import { place } from './place.ts'

export interface SearchResult {
  readonly kind: Kind
  readonly namespace: string | undefined
  readonly name: string
  /** What of it has the words, where that is not its name. */
  readonly because: string | undefined
}
export interface SearchState {
  readonly results: readonly SearchResult[]
  readonly asking: boolean
}

const behind: ReadonlySet<Kind> = new Set(['IPLock', 'SegmentLock', 'Notice', 'Event', 'Subnet', 'Pod'])
const [most, waitMs] = [12, 120]

/** Asked once nobody has typed for a moment; a later question overtakes an earlier one. */
export function useFound(text: string): SearchState {
  const wanted = text.trim()
  const namespace = place.value['namespace']
  const [state, setState] = useState<SearchState>({ results: [], asking: false })
  useEffect(() => {
    if (wanted === '') return setState({ results: [], asking: false })
    const late = new AbortController()
    setState(({ results }) => ({ results, asking: true }))
    const timer = setTimeout(() => {
      const show = (results: readonly SearchResult[]): void => {
        if (!late.signal.aborted) setState({ results, asking: false })
      }
      void search(wanted, namespace, late.signal).then(show, () => show([]))
    }, waitMs)
    return () => {
      clearTimeout(timer)
      late.abort()
    }
  }, [wanted, namespace])
  return state
}

async function search(q: string, namespace: string | undefined, signal: AbortSignal): Promise<readonly SearchResult[]> {
  const query = { q, limit: most, ...(namespace !== undefined && { namespace }) }
  const { items } = taken(await client.GET('/v1/search', { params: { query }, signal }))
  const found = items.flatMap(({ kind, namespace: of, name, at, value }) =>
    isKind(kind) ? [{ kind, namespace: of, name, because: at === '/metadata/name' ? undefined : value }] : [],
  )
  // Who looks for an address means its Port, not the lock that stands for it.
  return found.sort((a, b) => Number(behind.has(a.kind)) - Number(behind.has(b.kind)))
}
