// What is wrong with a policy, or asked of us in vain: a value, so that one bad part spoils no other.

export interface Fault {
  /** A JSON pointer into the object: `/spec/ingress/0/peers/1/cidr`. */
  readonly path: string
  /** To be read after the path. */
  readonly message: string
  /** Asked for rightly, and not done (yet). Absent: it is the policy that is wrong. */
  readonly isUnsupported?: true
}

/** Takes down faults as they are met, each at its path. */
export class Faults {
  readonly #all: Fault[] = []

  get all(): readonly Fault[] {
    return this.#all
  }

  /** @returns undefined, so that a reader can refuse and return in one go */
  refuse(path: string, message: string): undefined {
    this.#all.push({ path, message })
  }

  unsupported(path: string, message: string): undefined {
    this.#all.push({ path, message, isUnsupported: true })
  }
}
