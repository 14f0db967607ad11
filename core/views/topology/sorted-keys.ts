// Keys in order, in runs of some hundred: one more or less costs a run and not all of them, and a page is read from where it begins.

const runMost = 512

export class SortedKeys {
  #runs: string[][] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(key: string): void {
    const at = this.#runOf(key)
    const run = this.#runs[at]
    if (run === undefined) {
      this.#runs.push([key])
      this.#size++
      return
    }
    const i = firstFrom(run.length, (n) => run[n]! >= key)
    if (run[i] === key) return
    run.splice(i, 0, key)
    this.#size++
    if (run.length > runMost) this.#runs.splice(at + 1, 0, run.splice(run.length >> 1))
  }

  delete(key: string): void {
    const at = this.#runOf(key)
    const run = this.#runs[at] ?? []
    const i = firstFrom(run.length, (n) => run[n]! >= key)
    if (run[i] !== key) return
    run.splice(i, 1)
    this.#size--
    if (run.length === 0) this.#runs.splice(at, 1)
  }

  /** Those behind a key; all without one. */
  *after(key?: string): Generator<string> {
    const first = key === undefined ? 0 : this.#runOf(key)
    for (let at = first; at < this.#runs.length; at++) {
      const run = this.#runs[at]!
      const from = key === undefined || at > first ? 0 : firstFrom(run.length, (n) => run[n]! > key)
      for (let i = from; i < run.length; i++) yield run[i]!
    }
  }

  /** The last run that begins at or before a key. */
  #runOf(key: string): number {
    return Math.max(0, firstFrom(this.#runs.length, (n) => this.#runs[n]![0]! > key) - 1)
  }
}

/** The first of so many from which on it holds. */
function firstFrom(count: number, holds: (n: number) => boolean): number {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}
