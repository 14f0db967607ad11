// Where a text stops being JSON, and at which pointer: JSON.parse says neither for short texts.
import { pointerTo } from './refusal.ts'

export interface JsonSyntaxError {
  /** Characters before the fault. */
  readonly offset: number
  /** JSON pointer of the value that could not be read. */
  readonly at: string
  readonly found: string
}

const depthMax = 512
const blank = /[ \t\n\r]*/y
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null/y

/** The first fault of a text that JSON.parse has refused; undefined where it has none (RFC 8259). */
export function syntaxErrorOf(text: string): JsonSyntaxError | undefined {
  const reader = new Reader(text)
  return reader.read()
}

class Reader {
  #text: string
  #offset = 0
  #steps: (string | number)[] = []

  constructor(text: string) {
    this.#text = text
  }

  read(): JsonSyntaxError | undefined {
    if (!this.#value()) return this.#syntaxError()
    this.#match(blank)
    return this.#offset === this.#text.length ? undefined : this.#syntaxError()
  }

  #syntaxError(): JsonSyntaxError {
    const found = this.#offset >= this.#text.length ? 'the end' : JSON.stringify(this.#text.slice(this.#offset, this.#offset + 12))
    return { offset: this.#offset, at: pointerTo(...this.#steps), found }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#offset += found.length
    return found
  }

  #sign(sign: string): boolean {
    this.#match(blank)
    if (this.#text[this.#offset] !== sign) return false
    this.#offset++
    return true
  }

  #value(): boolean {
    if (this.#steps.length > depthMax) return false
    if (this.#sign('{')) return this.#members('}', () => this.#member())
    if (this.#sign('[')) {
      let index = 0
      return this.#members(']', () => this.#at(index++))
    }
    return this.#match(string) !== undefined || this.#match(scalar) !== undefined
  }

  #members(end: string, one: () => boolean): boolean {
    if (this.#sign(end)) return true
    do {
      if (!one()) return false
    } while (this.#sign(','))
    return this.#sign(end)
  }

  #member(): boolean {
    this.#match(blank)
    const name = this.#match(string)
    return name !== undefined && this.#sign(':') && this.#at(JSON.parse(name) as string)
  }

  /** The step stays when its value is at fault. */
  #at(step: string | number): boolean {
    this.#steps.push(step)
    if (!this.#value()) return false
    this.#steps.pop()
    return true
  }
}
