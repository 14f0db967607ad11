// REST, as the page uses it: openapi-fetch over the contract's types. The cookie says who asks.
import createClient from 'openapi-fetch'
import type { paths } from '../../openapi/types.ts'
import { noteServerTime } from './clock.ts'
import { addressOf, type Item, type Kind } from './kinds.ts'
import { session, type Problem } from './session.ts'

/** What a server refuses something with, in its words. */
export class Refusal extends Error {
  readonly status: number
  readonly problem: Problem | undefined

  constructor(status: number, problem: Problem | undefined) {
    super(problem === undefined ? `the server answers ${status}` : wordsOf(problem))
    this.status = status
    this.problem = problem
  }
}

/** An answer that this page can make nothing of: it is of another version than its server. */
export class NotUnderstood extends Error {
  constructor(cause: unknown) {
    super('the server says what this page does not understand: load the page anew', { cause })
  }
}

function wordsOf({ errors = [], detail, title }: Problem): string {
  if (errors.length === 0) return detail ?? title
  return errors.map(({ pointer, parameter, detail: why }) => `${pointer ?? parameter ?? ''} ${why}`.trim()).join('; ')
}

/** Below whatever path the page is served. */
export const base = new URL('.', document.baseURI).href.replace(/\/$/, '')
export const client = createClient<paths>({
  baseUrl: base,
  fetch: async (request) => {
    const answer = await fetch(request)
    noteServerTime(answer)
    if (answer.status === 401) session.lost()
    return answer
  },
})

interface Answered {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}
/** @throws Refusal */
export function taken<T>({ data, error, response }: Answered & { readonly data?: T }): T {
  if (!response.ok) throw new Refusal(response.status, error as Problem | undefined)
  return data as T
}

// A kind's own addresses differ in their last word alone: those of Ports stand for all.
type One = '/v1/namespaces/{namespace}/ports/{name}'
type All = '/v1/namespaces/{namespace}/ports'
const one = (kind: Kind, where: Where): One => addressOf(kind, where) as One
const nowhere = { path: { namespace: '', name: '' } }

export interface Where {
  readonly namespace?: string | undefined
  readonly name: string
}
export interface Versioned {
  readonly item: Item
  readonly etag: string
}

export async function read(kind: Kind, where: Where): Promise<Versioned> {
  const answer = await client.GET(one(kind, where), { params: nowhere })
  return { item: taken(answer) as Item, etag: answer.response.headers.get('etag') ?? '' }
}

export interface Page {
  readonly items: readonly Item[]
  readonly more: string | undefined
}

export async function list(
  kind: Kind,
  {
    namespace,
    ...query
  }: { readonly namespace?: string | undefined; readonly limit?: number; readonly fieldSelector?: string; readonly labelSelector?: string },
): Promise<Page> {
  const answer = taken(await client.GET(addressOf(kind, { namespace }) as All, { params: { path: { namespace: '' }, query } })) as unknown
  const { items, metadata } = answer as { readonly items: readonly Item[]; readonly metadata: { readonly continue?: string } }
  return { items, more: metadata.continue }
}

export interface WriteAnswer {
  readonly item: Item | undefined
  readonly warnings: readonly string[]
}
const madeOf = (answer: Answered): WriteAnswer => ({ item: taken(answer) as Item | undefined, warnings: warningsOf(answer.response) })

export const create = async (kind: Kind, namespace: string | undefined, body: object, dryRun = false): Promise<WriteAnswer> =>
  madeOf(
    await client.POST(addressOf(kind, { namespace }) as All, {
      params: { path: { namespace: '' }, query: { dryRun } },
      body: body as never,
    }),
  )

export const remove = async (kind: Kind, where: Where, dryRun = false): Promise<WriteAnswer> =>
  madeOf(await client.DELETE(one(kind, where), { params: { ...nowhere, query: { dryRun }, header: { 'If-Match': '*' } } }))

/** A merge patch (RFC 7396). */
export const patch = async (
  kind: Kind,
  { etag, ...where }: Where & { readonly etag: string },
  body: object,
  dryRun = false,
): Promise<WriteAnswer> =>
  madeOf(
    await client.PATCH(one(kind, where), {
      params: { ...nowhere, query: { dryRun }, header: { 'If-Match': etag } },
      headers: { 'content-type': 'application/merge-patch+json' },
      body: body as never,
    }),
  )

/** As quoted strings have it (RFC 9110, 5.6.4): a backslash stands before what means itself. */
const warningsOf = ({ headers }: Response): string[] =>
  ((headers.get('warning') ?? '').match(/(?<=299 \S+ ")(?:[^"\\]|\\.)*(?=")/g) ?? []).map((text) => text.replace(/\\(.)/g, '$1'))
