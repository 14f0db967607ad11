// What waits on the servers for those who look at pages, counted.
import { Backlog, type PartChange } from '../../../webhooks/rest/across/backlog.ts'

/** So few that a page which reads nothing for some seconds is behind. */
export const backlogMost = 8

export class Backlogs {
  readonly #listeners: ((length: number) => void)[] = []

  open(): Backlog {
    return new CountedBacklog((length) => this.#listeners.forEach((listener) => listener(length)))
  }

  /** Called with how many wait, each time that one more does. */
  on(listener: (length: number) => void): void {
    this.#listeners.push(listener)
  }
}

class CountedBacklog extends Backlog {
  readonly #counted: (length: number) => void

  constructor(counted: (length: number) => void) {
    super(backlogMost)
    this.#counted = counted
  }

  override put(change: PartChange): void {
    super.put(change)
    this.#counted(this.length)
  }
}
