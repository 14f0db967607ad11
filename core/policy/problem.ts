// What is wrong with a policy, or asked of us in vain: a value, so that one bad part spoils no other.

export interface PolicyProblem {
  /** A JSON pointer into the object: `/spec/ingress/0/peers/1/cidr`. */
  readonly path: string
  /** To be read after the path. */
  readonly message: string
  /** Asked for rightly, and not done (yet). Absent: it is the policy that is wrong. */
  readonly isUnsupported?: true
}

/**
 * Of one policy: blocks, with those that are taken out of them, selectors, and the values that these name. A tenant may write as much as an
 * API server stores, from which far more blocks can follow, and workers go through all of it at each change of whom it is about.
 */
export const partsMost = 16_384

/** Takes problems down as they are met, each at its path, and counts how much of the policy is read. */
export class Problems {
  readonly #all: PolicyProblem[] = []
  #partsLeft = partsMost

  get all(): readonly PolicyProblem[] {
    return this.#all
  }

  /** @returns undefined, so that a reader can refuse and return in one go */
  refuse(path: string, message: string): undefined {
    this.#all.push({ path, message })
  }

  unsupported(path: string, message: string): undefined {
    this.#all.push({ path, message, isUnsupported: true })
  }

  /** Whether so many parts more are read: else what stands there is not done. */
  takes(parts: number, path: string): boolean {
    const fits = parts <= this.#partsLeft
    if (fits) this.#partsLeft -= parts
    else this.unsupported(path, `is more than ${partsMost} blocks, selectors and values in one policy`)
    return fits
  }
}

/** Whether an object says nothing but what we read: what a newer API says beside it might make it mean less. */
export function hasOnly(object: object, fields: readonly string[], { path, problems }: { path: string; problems: Problems }): boolean {
  const strange = Object.keys(object).find((field) => !fields.includes(field))
  if (strange !== undefined) problems.unsupported(`${path}/${strange}`, 'is not known here')
  return strange === undefined
}

/**
 * What a part says, refused at its path where it is not of the form that its kind has: an API server whose definition of a kind is looser
 * than ours, or newer, hands us anything.
 */
export function ofForm<T>(read: () => T, { path, problems }: { path: string; problems: Problems }): T | undefined {
  try {
    return read()
  } catch {
    return problems.refuse(path, 'is not of the form that its kind has')
  }
}
