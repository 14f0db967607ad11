// One stream of some kinds, to its end.
import { base, NotUnderstood, Refusal } from '../contract/api.ts'
import { noteServerTime } from '../contract/clock.ts'
import type { Item, Kind } from '../contract/kinds.ts'
import type { Problem } from '../contract/session.ts'
import { changes, type Changed } from './changes.ts'
import { eventsIn, type ServerEvent } from './events.ts'
import { objects } from './objects.ts'

/** Where a stream of these kinds is; kept over its connections. */
export interface StreamPlace {
  last: string | undefined
}
interface Watching {
  readonly kinds: readonly Kind[]
  readonly namespace: string | undefined
  /** Only which objects change is followed: none is held. */
  readonly names: boolean
  readonly place: StreamPlace
  readonly signal: AbortSignal
  /** All there is was told, or the stream goes on from where it was. */
  readonly onLive: () => void
}
interface StreamPart {
  readonly kind: Kind
  readonly namespace?: string
}

/** @returns why it has ended: the server's word, or what has happened to the connection */
export async function watchOnce(watching: Watching): Promise<Error> {
  try {
    const answer = await open(watching)
    let waiting = 0
    for await (const event of eventsIn(answer)) {
      if (watching.signal.aborted) break
      if (event.event === 'end') return endOf(event, watching)
      waiting = understood(event, watching, waiting)
      if (event.id !== undefined) watching.place.last = event.id
    }
    return new Error('the server has ended the stream')
  } catch (err) {
    return err as Error
  }
}

async function open({ kinds, namespace, names, place, signal }: Watching): Promise<ReadableStream<Uint8Array>> {
  const query = new URLSearchParams({
    kinds: kinds.join(','),
    ...(namespace !== undefined && { namespace }),
    ...(names && { names: 'true' }),
  })
  const headers = { accept: 'text/event-stream', ...(place.last !== undefined && { 'last-event-id': place.last }) }
  const answer = await fetch(`${base}/v1/watch?${query.toString()}`, { headers, signal })
  noteServerTime(answer)
  if (answer.ok && answer.body !== null) return answer.body
  throw new Refusal(answer.status, (await answer.json().catch(() => undefined)) as Problem | undefined)
}

/** Why the server has ended it; where it says so, the next begins anew. */
function endOf({ data = '{}' }: ServerEvent, { place }: Watching): Error {
  const { reason, detail } = JSON.parse(data) as { readonly reason?: string; readonly detail?: string }
  if (reason === 'behind' || reason === 'rights') place.last = undefined
  return reason === 'token' ? new Refusal(401, undefined) : new Error(detail ?? 'the server has ended the stream')
}

/** As `take`. @throws NotUnderstood for what no server of this page's version would send */
function understood(event: ServerEvent, watching: Watching, waiting: number): number {
  try {
    return take(event, watching, waiting)
  } catch (cause) {
    throw new NotUnderstood(cause)
  }
}

/** @returns how many parts are still to come whole */
function take({ event, data }: ServerEvent, { onLive, names }: Watching, waiting: number): number {
  if (event === undefined || data === undefined) return waiting
  const parsed = JSON.parse(data) as unknown
  if (event === 'put' || event === 'gone') {
    if (names) changes.add(parsed as Changed)
    else objects[event]((parsed as Item).kind, parsed as Item)
  } else if (event === 'begin') return begin(parsed as { readonly parts: readonly StreamPart[]; readonly resumed: boolean }, onLive)
  else if (event === 'all') {
    const { kind, namespace, items } = parsed as StreamPart & { readonly items: readonly Item[] }
    if (names) changes.addAll()
    else objects.all(kind, items, namespace)
    if (waiting === 1) onLive()
    return waiting - 1
  }
  return waiting
}

function begin({ parts, resumed }: { readonly parts: readonly StreamPart[]; readonly resumed: boolean }, onLive: () => void): number {
  if (resumed) onLive()
  return resumed ? 0 : parts.length
}
