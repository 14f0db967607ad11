// Ports whose interface is being made. A Port is claimed by its UID before anything is waited for, so that whoever would let it go
// meanwhile waits until what is made can be taken away: else its address would be free while its interface comes.
export class InterfacesBeingMade {
  readonly #under = new Map<string, Promise<unknown>>()

  has(uid: string): boolean {
    return this.#under.has(uid)
  }

  /** One after the other for one Port. */
  during<T>(uid: string, make: () => Promise<T>): Promise<T> {
    const before = this.#under.get(uid)
    const made = before === undefined ? make() : before.then(make, make)
    this.#under.set(uid, made)
    const over = (): void => {
      if (this.#under.get(uid) === made) this.#under.delete(uid)
    }
    made.then(over, over)
    return made
  }

  /** Resolves once nothing of a Port is being made; how it ended is its maker's to say. */
  async over(uid: string): Promise<void> {
    for (let under = this.#under.get(uid); under !== undefined; under = this.#under.get(uid))
      await under.then(
        () => undefined,
        () => undefined,
      )
  }
}
