// Server-sent events (WHATWG HTML, 9.2), as far as a server of ours sends them: the data of each, in one line.

/** What each event says, until the stream ends. */
export async function* eventsIn<T>(stream: AsyncIterable<Buffer | string>): AsyncGenerator<T, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const line = rest
        .slice(0, end)
        .split('\n')
        .find((each) => each.startsWith('data: '))
      rest = rest.slice(end + 2)
      if (line !== undefined) yield JSON.parse(line.slice('data: '.length)) as T
    }
  }
}
