// Bytes → lines.

/** No object of etcd's 1.5 MiB comes near it as JSON. */
const longestLine = 32 * 2 ** 20

/** Joins chunks to lines; a line may come in any number of chunks, cut anywhere. What follows the last newline waits. */
export class Lines {
  #parts: Buffer[] = []
  #size = 0

  /** @throws RangeError when a line finds no end */
  push(chunk: Buffer): string[] {
    const lines: string[] = []
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      lines.push(this.#join(chunk.subarray(from, end)))
      from = end + 1
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from))
    return lines.filter((line) => line !== '')
  }

  #join(last: Buffer): string {
    if (this.#parts.length === 0) return last.toString('utf8')
    const line = Buffer.concat([...this.#parts, last]).toString('utf8')
    this.#parts = []
    this.#size = 0
    return line
  }

  #keep(part: Buffer): void {
    this.#size += part.length
    if (this.#size > longestLine) throw new RangeError(`a line of more than ${longestLine} bytes`)
    this.#parts.push(part)
  }
}
