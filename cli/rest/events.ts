// A watch of REST as a stream of changes (WHATWG HTML, 9.2): it comes back by itself, from where it was.
import { setTimeout as wait } from 'node:timers/promises'
import type { Kind } from '../../core/kinds/index.ts'
import type { Selection } from '../args.ts'
import { CliError } from '../context.ts'
import { isNamespaced, pluralOf } from '../kinds/names.ts'
import { inWords, reasonOf, type Api, type Problem } from './api.ts'
import type { Item } from '../kinds/columns.ts'

export type WatchedChange =
  { readonly event: 'all'; readonly items: readonly Item[] } | { readonly event: 'put' | 'gone'; readonly item: Item }

const againMs = 1000

/** Of the objects of a kind. @param namespace undefined: all */
export function watchPath(kind: Kind, namespace: string | undefined, selection: Selection): string {
  const where = namespace === undefined || !isNamespaced(kind) ? '' : `namespaces/${encodeURIComponent(namespace)}/`
  return `/v1/${where}${pluralOf(kind)}?${new URLSearchParams({ watch: 'true', ...selection })}`
}

/** Until `signal` falls. @throws CliError when the server refuses, or was never there */
export async function* follow(api: Api, path: string, signal: AbortSignal): AsyncGenerator<WatchedChange> {
  const seen: PollState = { last: undefined, times: 0 }
  while (!signal.aborted) {
    yield* once(api, path, seen, signal)
    seen.times++
    await wait(againMs, undefined, { signal }).catch(() => undefined)
  }
}

interface PollState {
  last: string | undefined
  times: number
}

/** One connection, to its end. */
async function* once(api: Api, path: string, seen: PollState, signal: AbortSignal): AsyncGenerator<WatchedChange> {
  try {
    for await (const { id, change } of read(await open(api, path, seen.last, signal))) {
      seen.last = id ?? seen.last
      if (change !== undefined) yield change
    }
  } catch (err) {
    if (!signal.aborted) giveUp(err, seen.times, api)
  }
}

async function open(api: Api, path: string, last: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const headers = { ...api.headers(), accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) }
  const answer = await fetch(api.target.url + path, { headers, signal })
  if (answer.ok && answer.body !== null) return answer.body
  throw new CliError(1, inWords((await answer.json()) as Problem))
}

/** A connection that breaks is made again; one that never was is told. */
function giveUp(err: unknown, times: number, api: Api): void {
  if (err instanceof CliError) throw err
  if (times === 0) throw new CliError(3, `${api.target.url} does not answer: ${reasonOf(err)}`)
}

async function* read(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly id: string | undefined; readonly change: WatchedChange | undefined }> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body) {
    // What was looked through before holds no end but one that its last character may begin.
    const from = Math.max(0, text.length - 1)
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n', from); end >= 0; end = text.indexOf('\n\n')) {
      yield parse(text.slice(0, end))
      text = text.slice(end + 2)
    }
  }
}

/** Others, such as why a stream ends, are no changes. */
const changeWords = ['all', 'put', 'gone']

function parse(block: string): { readonly id: string | undefined; readonly change: WatchedChange | undefined } {
  const field = (name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
  const [event, data] = [field('event'), field('data')]
  if (event === undefined || data === undefined || !changeWords.includes(event)) return { id: field('id'), change: undefined }
  const value = JSON.parse(data) as { readonly items: readonly Item[] } & Item
  return { id: field('id'), change: event === 'all' ? { event, items: value.items } : { event: event as 'put' | 'gone', item: value } }
}
