// JSON texts one after the other in a stream without marks between them, as JSON-RPC 1.0 over a socket has it.

const quote = 34
const backslash = 92
const open = 123
const close = 125

/** Cuts a stream into its JSON objects. */
export class JsonFrames {
  #text = ''
  #at = 0
  #start = -1
  #depth = 0
  #inString = false
  /** The escaped character may be in the next piece. */
  #escaped = false
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
    this.#text += piece
    while (this.#next()) {
      found.push(JSON.parse(this.#text.slice(this.#start, this.#at)))
      this.#start = -1
    }
    this.#cut()
    return found
  }

  /** Walks on to the end of an object; false where the text ends first. */
  #next(): boolean {
    const text = this.#text
    let at = this.#at
    while (at < text.length) {
      const code = text.charCodeAt(at++)
      if (this.#inString) this.#inside(code)
      else if (this.#outside(code, at)) {
        this.#at = at
        return true
      }
    }
    this.#at = at
    return false
  }

  #inside(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === backslash) this.#escaped = true
    else if (code === quote) this.#inString = false
  }

  /** Whether an object ends here. */
  #outside(code: number, at: number): boolean {
    if (code === open) {
      if (this.#depth++ === 0) this.#start = at - 1
    } else if (this.#depth === 0) {
      if (code > 32) throw new SyntaxError(`an object was expected, not ${JSON.stringify(String.fromCharCode(code))}`)
    } else if (code === quote) this.#inString = true
    else if (code === close) return --this.#depth === 0
    return false
  }

  #cut(): void {
    const from = this.#start < 0 ? this.#at : this.#start
    this.#text = this.#text.slice(from)
    this.#at -= from
    if (this.#start >= 0) this.#start = 0
    if (this.#text.length > this.#max) throw new SyntaxError(`an object longer than ${this.#max} characters`)
  }
}
