// One live source for all views: what is watched follows what is looked at, comes back by itself from where it was, and says how it is.
import { signal } from '@preact/signals'
import { NotUnderstood, Refusal } from '../contract/api.ts'
import { serverNow } from '../contract/clock.ts'
import { isNamespaced, type Kind } from '../contract/kinds.ts'
import { may, session } from '../contract/session.ts'
import { objects } from './objects.ts'
import { watchOnce, type StreamPlace } from './watch.ts'

export type ConnectionState =
  | { readonly is: 'idle' | 'connecting' | 'live' }
  /** Since when, by the server's clock in milliseconds since 1970, and why: what is shown is as old as that. */
  | { readonly is: 'away'; readonly since: number; readonly why: string }

export const connection = signal<ConnectionState>({ is: 'idle' })
/** Kinds of what is looked at that this caller may not see here. */
export const unseen = signal<readonly Kind[]>([])

const [soonMs, latestMs] = [400, 8_000]
let following: { readonly of: string; readonly end: AbortController; readonly within: string } | undefined

const isMine = (kind: Kind, namespace: string | undefined): boolean => may('list', kind, isNamespaced(kind) ? namespace : undefined)

export interface Following {
  readonly kinds: readonly Kind[]
  /** Kinds that nobody misses. */
  readonly beside?: readonly Kind[]
  /** Only which objects change is followed (`changes`): none is held. */
  readonly names?: boolean
}

/** What to follow from now on: of the kinds those that this caller may see. */
export function follow({ kinds: all, beside = [], names = false }: Following, namespace: string | undefined): void {
  const wanted = [...new Set([...all, ...beside])].sort().filter((kind) => isMine(kind, namespace))
  const within = namespace ?? ''
  const of = `${wanted.join(',')} ${within} ${names}`
  if (following?.of === of) return
  following?.end.abort()
  objects.clear(following?.within === within && !names ? wanted : [])
  unseen.value = all.filter((kind) => !wanted.includes(kind))
  following = { of, end: new AbortController(), within }
  begin({ kinds: wanted, namespace, names, signal: following.end.signal })
}

function begin(stream: Stream): void {
  connection.value = { is: stream.kinds.length === 0 ? 'live' : 'connecting' }
  if (stream.kinds.length > 0) void keepWatching(stream)
}

/** Nobody is signed in: nothing of whoever was stays. */
export function unfollow(): void {
  following?.end.abort()
  following = undefined
  objects.clear()
  connection.value = { is: 'idle' }
}

interface Stream {
  readonly kinds: readonly Kind[]
  readonly namespace: string | undefined
  readonly names: boolean
  readonly signal: AbortSignal
}

async function keepWatching({ signal, ...stream }: Stream): Promise<void> {
  const place: StreamPlace = { last: undefined }
  let wait = soonMs
  while (!signal.aborted && session.state.value !== 'out') {
    const why = await watchOnce({ ...stream, place, signal, onLive })
    if (signal.aborted) return
    if (connection.value.is === 'live') wait = soonMs
    if (why instanceof Refusal && why.status === 401) return session.lost()
    away(why)
    await pause(wait, signal)
    wait = Math.min(wait * 2, latestMs)
  }
}

const isServers = (why: Error): boolean => why instanceof Refusal || why instanceof NotUnderstood

function onLive(): void {
  connection.value = { is: 'live' }
}

function away(why: Error): void {
  const { value: before } = connection
  const since = before.is === 'away' ? before.since : serverNow()
  connection.value = { is: 'away', since, why: isServers(why) ? why.message : 'the server does not answer' }
}

/** Less, where the browser says that it has a network again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const now = (): void => {
      clearTimeout(timer)
      resolve()
    }
    window.addEventListener('online', now, { once: true, signal })
    signal.addEventListener('abort', now, { once: true })
  })
}
