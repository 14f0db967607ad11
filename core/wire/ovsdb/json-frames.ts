// JSON texts one after the other in a stream without marks between them, as JSON-RPC 1.0 over a socket has it.

const quote = 34
const backslash = 92
const open = 123
const close = 125

/** Cuts a stream into its JSON objects. Each character is looked at once, in whichever piece it comes. */
export class JsonFrames {
  /** Of the object under way, what came in earlier pieces. */
  #text = ''
  #depth = 0
  #inString = false
  /** Characters of the next piece that are escaped by this one. */
  #escaped = 0
  readonly #max: number

  /** @param max characters of one object; more is refused, as no sane peer sends them */
  constructor(max = 256 * 1024 * 1024) {
    this.#max = max
  }

  /**
   * The objects that end in this piece.
   *
   * @throws SyntaxError where the stream is not a row of JSON objects; it cannot be read on from there
   */
  push(piece: string): unknown[] {
    const found: unknown[] = []
    let from = 0
    for (;;) {
      const end = this.#end(piece, from)
      this.#text += piece.slice(from, end)
      if (end === undefined) break
      found.push(JSON.parse(this.#text))
      this.#text = ''
      from = end
    }
    if (this.#text.length > this.#max) throw new SyntaxError(`an object longer than ${this.#max} characters`)
    return found
  }

  /**
   * Where in a piece the object ends that is under way or begins there; undefined where the piece ends first. One loop over local numbers:
   * a call for each character took 2 ms for the 66 KB that a switch says of 200 ports (2026-11).
   */
  #end(piece: string, from: number): number | undefined {
    let at = this.#depth > 0 ? from + this.#escaped : opening(piece, from)
    let [depth, inString] = [this.#depth, this.#inString]
    let ended = false
    while (at < piece.length && !ended) {
      const code = piece.charCodeAt(at++)
      if (inString) {
        if (code === backslash) at++
        else inString = code !== quote
      } else if (code === quote) inString = true
      else if (code === open) depth++
      else if (code === close) ended = --depth === 0
    }
    this.#depth = depth
    this.#inString = inString
    this.#escaped = Math.max(0, at - piece.length)
    return ended ? at : undefined
  }
}

/** Where the next object begins; the piece's end where there is none. */
function opening(piece: string, from: number): number {
  let at = from
  while (piece.charCodeAt(at) <= 32) at++
  if (at < piece.length && piece.charCodeAt(at) !== open)
    throw new SyntaxError(`an object was expected, not ${JSON.stringify(piece.charAt(at))}`)
  return at
}
