// BIRD's control socket (doc/reply_codes): lines that begin with a code of four digits, `-` while more of the reply comes, a space at its
// end; lines that begin with a space go on as the line before.

export interface Reply {
  /** Of its last line. */
  readonly code: number
  /** Without codes. */
  readonly text: string
}

/** Codes from 8000 are refusals, from 9000 ones of syntax. */
export const isRefusal = ({ code }: Reply): boolean => code >= 8000
/** What it says first to whoever connects; its text has the version. */
export const welcome = 1

/** Takes pieces as they come. */
export class Replies {
  #rest = ''
  #lines: string[] = []

  /** @returns the replies that are whole by now */
  push(piece: string): readonly Reply[] {
    const lines = `${this.#rest}${piece}`.split('\n')
    this.#rest = lines.pop()!
    return lines.flatMap((line) => {
      const coded = /^(\d{4})([- ])(.*)$/.exec(line)
      this.#lines.push(coded === null ? line.slice(1) : coded[3]!)
      if (coded?.[2] !== ' ') return []
      return [{ code: Number(coded[1]), text: this.#lines.splice(0).join('\n').trimEnd() }]
    })
  }
}
