// One watch request, from its beginning to its end.
import type { Clock } from '../../clock.ts'
import type { Stream } from '../../http/client.ts'
import type { KubeResponse } from '../client.ts'
import { Lines } from './lines.ts'
import type { WatchEnd } from './meter.ts'
import { watchdog } from '../watchdog.ts'

/** An object as the API server says it. */
export interface RawObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: Readonly<Record<string, unknown>> & {
    readonly name: string
    readonly namespace?: string
    readonly uid: string
    readonly resourceVersion: string
  }
  readonly [more: string]: unknown
}

export interface RawEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  readonly object: RawObject
}

/** Why a watch ended, thrown by the stream. */
export class WatchEnded extends Error {
  readonly end: WatchEnd
  readonly retryAfterMs: number | undefined
  /** Of the answer that refused it. */
  readonly status: number | undefined

  constructor(
    end: WatchEnd,
    message: string,
    more: { readonly retryAfterMs?: number | undefined; readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.name = 'WatchEnded'
    this.end = end
    this.retryAfterMs = more.retryAfterMs
    this.status = more.status
  }
}

export interface WatchStreamOptions {
  /** Begins the request; `signal` ends it. */
  readonly open: (signal: AbortSignal) => Promise<Stream | KubeResponse>
  readonly clock: Clock
  /** Longest silence, bookmarks counted: the API server sends one a minute. Waiting for the answer's first byte included. */
  readonly idleMs: number
  /** Longest life. */
  readonly lifeMs: number
}

/**
 * The events of one watch. Ends by throwing WatchEnded, or quietly when `signal` falls. Silence counts only while somebody
 * waits for it: a slow reader is no dead server.
 */
export async function* watchStream(
  { open, clock, idleMs, lifeMs }: WatchStreamOptions,
  signal: AbortSignal,
): AsyncGenerator<RawEvent, void, undefined> {
  const abort = new AbortController()
  const stop = () => abort.abort()
  signal.addEventListener('abort', stop)
  const overdueAt = clock.elapsed() + lifeMs
  let struck: WatchEnd | undefined
  let waitingSince: number | undefined = clock.elapsed()
  const cancel = watchdog(
    clock,
    () => Math.min(overdueAt - clock.elapsed(), waitingSince === undefined ? idleMs : waitingSince + idleMs - clock.elapsed()),
    () => {
      struck = clock.elapsed() >= overdueAt ? 'overdue' : 'idle'
      stop()
    },
  )
  let stream: Stream | undefined
  try {
    stream = opened(await open(abort.signal))
    const lines = new Lines()
    while (true) {
      const { done, value } = await stream.chunks.next()
      if (done === true) throw new WatchEnded('over', 'the server closed the watch')
      for (const line of whole(lines, value)) {
        // Silence is the absence of whole events: a trickle of bytes is no life.
        waitingSince = undefined
        yield eventOf(line)
        waitingSince = clock.elapsed()
      }
    }
  } catch (err) {
    if (signal.aborted) return
    if (struck !== undefined)
      throw new WatchEnded(struck, struck === 'idle' ? `nothing was heard for ${idleMs} ms` : `it did not end within ${lifeMs} ms`)
    throw err instanceof WatchEnded ? err : new WatchEnded('network', 'the connection broke', { cause: err })
  } finally {
    cancel()
    signal.removeEventListener('abort', stop)
    abort.abort()
    stream?.close()
  }
}

function opened(answer: Stream | KubeResponse): Stream {
  if ('chunks' in answer) return answer
  throw refusal(answer.status, answer.body, answer.retryAfterMs)
}

function refusal(status: number, body: unknown, retryAfterMs?: number): WatchEnded {
  const message = typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : ''
  // 400: the version is none to this server; 504 with a version that is too large: the server's past was restored from a backup.
  const lost = status === 410 || status === 400 || (status === 504 && /too large resource version/i.test(message))
  return new WatchEnded(lost ? 'gone' : 'refused', `the server answers ${status}: ${message}`, { retryAfterMs, status })
}

const types: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'])

function whole(lines: Lines, chunk: Buffer): readonly string[] {
  try {
    return lines.push(chunk)
  } catch (cause) {
    throw new WatchEnded('garbled', 'a line without end', { cause })
  }
}

interface WatchStreamLine {
  readonly type?: unknown
  readonly object?: { readonly code?: unknown; readonly metadata?: { readonly resourceVersion?: unknown } } | null
}

function eventOf(line: string): RawEvent {
  const { type, object } = parseLine(line)
  if (type === 'ERROR') throw refusal(Number(object?.code ?? 500), object)
  if (types.has(type) && typeof object?.metadata?.resourceVersion === 'string') return { type, object } as unknown as RawEvent
  throw new WatchEnded('garbled', 'what came is no event')
}

function parseLine(line: string): WatchStreamLine {
  try {
    return (JSON.parse(line) as WatchStreamLine | null) ?? {}
  } catch (cause) {
    throw new WatchEnded('garbled', 'what came is no JSON', { cause })
  }
}
