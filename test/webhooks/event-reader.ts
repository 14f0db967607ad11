// Reads server-sent events of a watch, as a page does by `fetch`.
import assert from 'node:assert/strict'

export interface StreamedEvent {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: EventData
}
export interface EventData {
  readonly kind?: string
  readonly namespace?: string
  readonly reason?: string
  readonly resumed?: boolean
  readonly parts?: readonly { readonly kind: string; readonly namespace?: string }[]
  readonly items?: readonly EventData[]
  readonly metadata?: { readonly name: string; readonly namespace?: string; readonly resourceVersion: string }
}
export interface EventReader {
  readonly status: number
  readonly answer: Response
  next(): Promise<StreamedEvent>
  /** The next so many that are events, in words: `put Port a/x`. */
  words(count: number): Promise<string[]>
  ended(): Promise<boolean>
  stop(): void
}

/** @param send `fetch`, or one that knows whom to trust */
export async function readEvents(
  url: string,
  headers: Record<string, string>,
  send: (url: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response> = fetch,
): Promise<EventReader> {
  const stop = new AbortController()
  const answer = await send(url, { headers, signal: stop.signal })
  const events = parsed(answer.body as ReadableStream<Uint8Array>)
  const next = async (): Promise<StreamedEvent> => {
    const { value, done } = await events.next()
    assert.ok(done !== true && value !== undefined, 'the stream has ended')
    return value
  }
  return {
    status: answer.status,
    answer,
    next,
    async words(count) {
      const told: string[] = []
      while (told.length < count) told.push(wordsOf(await next()))
      return told
    },
    ended: async () => (await events.next()).done === true,
    stop: () => stop.abort(),
  }
}

const nameOf = ({ metadata }: EventData): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`
const wordsOf = ({ event, data }: StreamedEvent): string =>
  data.items === undefined
    ? `${event} ${data.kind} ${nameOf(data)}`
    : `${event} ${data.kind}${data.namespace === undefined ? '' : `@${data.namespace}`} ${data.items.map(nameOf).join(' ')}`.trim()

async function* parsed(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(text.slice(0, end).split('\n').map(fieldOf))
      text = text.slice(end + 2)
      if (fields.has('event'))
        yield { event: fields.get('event'), id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') as EventData }
    }
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 2)]
}
