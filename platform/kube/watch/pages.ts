// Everything there is of a collection, in pages.
import { StoreUnavailable, type MegrezError } from '../../../core/errors.ts'
import { isStatus, ok } from '../answers.ts'
import type { KubeResponse } from '../client.ts'
import type { RawObject } from './watch-stream.ts'

export interface Listing<Item> {
  readonly items: readonly Item[]
  readonly resourceVersion: string
}

/** Sends one list with this query. */
export type ListPage = (query: Readonly<Record<string, string | undefined>>) => Promise<KubeResponse>

export interface ListOptions {
  /** 0: all in one page. */
  readonly pageSize: number
  /** No older state than this one; absent: the latest. */
  readonly notOlderThan?: string | undefined
}

/** A list that was answered by no list. */
export class ListRefused extends Error {
  readonly answer: KubeResponse
  constructor(answer: KubeResponse) {
    super(`the server answers ${answer.status}: ${isStatus(answer.body) ? answer.body.message : 'with no list'}`)
    this.name = 'ListRefused'
    this.answer = answer
  }
  /** The pages' past, or the state asked for, is not to be had: ask for the latest, in one page. */
  get lost(): boolean {
    return this.answer.status === 410 || (this.answer.status === 504 && /too large resource version/i.test(this.message))
  }
}

/**
 * @param read what becomes of each object, page by page: a page that was read is let go
 * @throws ListRefused, StoreUnavailable
 */
export async function listWhole<Item>(page: ListPage, options: ListOptions, read: (raw: RawObject) => Item): Promise<Listing<Item>> {
  const items: Item[] = []
  let resourceVersion = ''
  for await (const each of listPages(page, options, read)) {
    items.push(...each.items)
    resourceVersion = each.resourceVersion
  }
  return { items, resourceVersion }
}

/**
 * One page after the other, at least one; all of them are of one state.
 *
 * @throws ListRefused, StoreUnavailable
 */
export async function* listPages<Item>(
  page: ListPage,
  { pageSize, notOlderThan }: ListOptions,
  read: (raw: RawObject) => Item,
): AsyncGenerator<Listing<Item>, void, undefined> {
  const limit = pageSize === 0 ? undefined : String(pageSize)
  let query: Readonly<Record<string, string | undefined>> = {
    limit,
    resourceVersion: notOlderThan,
    resourceVersionMatch: notOlderThan === undefined ? undefined : 'NotOlderThan',
  }
  while (true) {
    const list = listOf(await page(query))
    const { continue: next, resourceVersion } = list.metadata
    yield { items: list.items.map(read), resourceVersion }
    if (next === undefined || next === '') return
    query = { limit, continue: next }
  }
}

export interface RawList {
  readonly items: readonly RawObject[]
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string }
}

/** @throws ListRefused; StoreUnavailable for a 200 that is no list: cut off, or not from an API server */
export function listOf(answer: KubeResponse): RawList {
  if (!ok(answer)) throw new ListRefused(answer)
  const list = answer.body as Partial<RawList> | null
  if (typeof list !== 'object' || !Array.isArray(list?.items ?? []) || typeof list?.metadata?.resourceVersion !== 'string') throw notAList()
  // Go's nil list is null.
  return { items: list.items ?? [], metadata: list.metadata }
}

const notAList = (): MegrezError => new StoreUnavailable({ reason: 'what came is no list' })
