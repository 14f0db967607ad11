// The objects that a command line asks for, and of a name that is nobody's whose it may be.
import { nearest } from '../../core/admit/nearest.ts'
import type { Kind } from '../../core/kinds/index.ts'
import type { Selection } from '../args.ts'
import type { AskedObjects } from '../kinds/requested-objects.ts'
import type { Item } from '../kinds/columns.ts'
import { inWords, refusal, type Api } from './api.ts'

export interface FoundObjects {
  readonly items: readonly Item[]
  /** Of each name that is nobody's, in words. */
  readonly missing: readonly string[]
}
export interface Within {
  /** Undefined: all. */
  readonly namespace: string | undefined
  readonly selection: Selection
}

/** @throws CliError for what the server refuses */
export async function foundOf(api: Api, { kind, names }: AskedObjects, { namespace, selection }: Within): Promise<FoundObjects> {
  if (names.length === 0) return { items: await api.all(kind, namespace, selection), missing: [] }
  const items: Item[] = []
  const missing: string[] = []
  for (const name of names) {
    const { item, problem, status } = await api.get(kind, namespace ?? '', name)
    if (problem === undefined) items.push(...(item === undefined ? [] : [item]))
    else if (status === 404) missing.push(inWords(problem) + (await whoMayBeMeant(api, kind, { namespace, name })))
    else throw refusal(problem)
  }
  return { items, missing }
}

/** So many names are looked through. */
const namesMax = 5_000

/** `; did you mean web?`, or nothing: where no name is near, or the caller may not list. */
async function whoMayBeMeant(
  api: Api,
  kind: Kind,
  { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
): Promise<string> {
  const all = await api.all(kind, namespace, {}, namesMax).catch(() => [])
  const meant = nearest(
    name,
    all.map(({ metadata }) => metadata.name),
  )
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
