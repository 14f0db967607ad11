// Tasks one after the other, in the order in which they came; one that fails holds none up.
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(task)
    this.#last = mine.catch(() => undefined)
    return mine
  }
}
