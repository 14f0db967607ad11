// The free addresses of one block as runs, so that a /16 or a /64 costs what its holes cost and never what its size is.

const chunkMax = 256

/** Runs [start, end], both inclusive, sorted and apart; `ends[i]` belongs to `starts[i]`. */
interface Chunk {
  starts: number[]
  ends: number[]
}

/**
 * A set of numbers (offsets into a block, 0 … 2^52) kept as runs.
 *
 * take and give cost the logarithm of the number of chunks plus a move inside one chunk of at most 256 runs; pick costs a
 * walk over the chunks' lengths. No operation depends on how many addresses the block has.
 */
export class FreeRuns {
  #chunks: Chunk[] = []
  #runs = 0
  #free = 0

  /** @param runs inclusive runs, in any order, not touching one another */
  constructor(runs: readonly (readonly [number, number])[] = []) {
    for (const [start, end] of runs) this.#insertRun(start, end)
  }

  /** How many addresses are free. */
  get free(): number {
    return this.#free
  }

  get runs(): number {
    return this.#runs
  }

  has(at: number): boolean {
    const where = this.#find(at)
    return where !== undefined && at <= where.chunk.ends[where.i]!
  }

  /** Takes one out; false when it was not free. */
  take(at: number): boolean {
    const where = this.#find(at)
    if (where === undefined || at > where.chunk.ends[where.i]!) return false
    const { chunk, i } = where
    const start = chunk.starts[i]!
    const end = chunk.ends[i]!
    this.#free--
    if (start === end) this.#drop(where.c, i)
    else if (at === start) chunk.starts[i] = at + 1
    else if (at === end) chunk.ends[i] = at - 1
    else {
      chunk.ends[i] = at - 1
      this.#splice(where.c, i + 1, at + 1, end)
    }
    return true
  }

  /** Puts one back; false when it was free already. */
  give(at: number): boolean {
    if (this.has(at)) return false
    this.#free++
    const before = this.#find(at)
    const joinsBefore = before !== undefined && before.chunk.ends[before.i] === at - 1
    const after = this.#find(at + 1)
    const joinsAfter = after !== undefined && after.chunk.starts[after.i] === at + 1
    if (joinsBefore && joinsAfter) {
      before.chunk.ends[before.i] = after.chunk.ends[after.i]!
      this.#drop(after.c, after.i)
    } else if (joinsBefore) before.chunk.ends[before.i] = at
    else if (joinsAfter) after.chunk.starts[after.i] = at
    else if (before === undefined) this.#splice(0, 0, at, at)
    else this.#splice(before.c, before.i + 1, at, at)
    return true
  }

  /**
   * One free address: a run drawn evenly, then a member of it drawn evenly, so that rivals who see the same runs rarely
   * meet (KOS, IPAM controller).
   *
   * @param run, member numbers in [0, 1)
   */
  pick(run: number, member: number): number | undefined {
    if (this.#runs === 0) return undefined
    let left = Math.floor(run * this.#runs)
    for (const chunk of this.#chunks) {
      if (left < chunk.starts.length) {
        const start = chunk.starts[left]!
        return start + Math.floor(member * (chunk.ends[left]! - start + 1))
      }
      left -= chunk.starts.length
    }
    return undefined
  }

  #insertRun(start: number, end: number): void {
    this.#free += end - start + 1
    const before = this.#find(start)
    if (before === undefined) this.#splice(0, 0, start, end)
    else this.#splice(before.c, before.i + 1, start, end)
  }

  /** The last run that starts at or before `at`. */
  #find(at: number): { c: number; chunk: Chunk; i: number } | undefined {
    const c = lastAtOrBefore(this.#chunks.length, (k) => this.#chunks[k]!.starts[0]!, at)
    if (c < 0) return undefined
    const chunk = this.#chunks[c]!
    return { c, chunk, i: lastAtOrBefore(chunk.starts.length, (k) => chunk.starts[k]!, at) }
  }

  #splice(c: number, i: number, start: number, end: number): void {
    this.#runs++
    const chunk = this.#chunks[c]
    if (chunk === undefined) {
      this.#chunks.push({ starts: [start], ends: [end] })
      return
    }
    chunk.starts.splice(i, 0, start)
    chunk.ends.splice(i, 0, end)
    if (chunk.starts.length <= chunkMax) return
    const half = chunkMax >> 1
    this.#chunks.splice(c + 1, 0, { starts: chunk.starts.splice(half), ends: chunk.ends.splice(half) })
  }

  #drop(c: number, i: number): void {
    this.#runs--
    const chunk = this.#chunks[c]!
    chunk.starts.splice(i, 1)
    chunk.ends.splice(i, 1)
    if (chunk.starts.length === 0) this.#chunks.splice(c, 1)
  }
}

/** Index of the last of `length` sorted keys that is not above `at`; -1 when all are. */
function lastAtOrBefore(length: number, key: (i: number) => number, at: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (key(middle) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
