// Server-sent events (WHATWG HTML, 9.2) out of a body, whatever pieces it comes in: a piece may end inside a character.

export interface ServerEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string | undefined
}

export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let text = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      // What was looked through before holds no end but one that its last character may begin.
      let from = Math.max(0, text.length - 1)
      text += value
      let begin = 0
      for (let end = text.indexOf('\n\n', from); end >= 0; end = text.indexOf('\n\n', from)) {
        yield eventIn(text.slice(begin, end))
        begin = from = end + 2
      }
      text = text.slice(begin)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function eventIn(block: string): ServerEvent {
  const lines = block.split('\n')
  const field = (name: string): string | undefined => {
    const found = lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
    return found.length === 0 ? undefined : found.join('\n')
  }
  return { id: field('id'), event: field('event'), data: field('data') }
}
