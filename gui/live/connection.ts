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

/** What to follow from now on: of the kinds those that this caller may see. */
export function follow(all: readonly Kind[], namespace: string | undefined): void {
  const wanted = [...new Set(all)].sort().filter((kind) => may('list', kind, isNamespaced(kind) ? namespace : undefined))
  const within = namespace ?? ''
  const of = `${wanted.join(',')} ${within}`
  if (following?.of === of) return
  following?.end.abort()
  objects.clear(following?.within === within ? wanted : [])
  unseen.value = all.filter((kind) => !wanted.includes(kind))
  following = { of, end: new AbortController(), within }
  connection.value = { is: wanted.length === 0 ? 'live' : 'connecting' }
  if (wanted.length > 0) void keepWatching(wanted, namespace, following.end.signal)
}

/** Nobody is signed in: nothing of whoever was stays. */
export function unfollow(): void {
  following?.end.abort()
  following = undefined
  objects.clear()
  connection.value = { is: 'idle' }
}

async function keepWatching(kinds: readonly Kind[], namespace: string | undefined, signal: AbortSignal): Promise<void> {
  const place: StreamPlace = { last: undefined }
  let wait = soonMs
  while (!signal.aborted && session.state.value !== 'out') {
    const why = await watchOnce({ kinds, namespace, place, signal, onLive })
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
