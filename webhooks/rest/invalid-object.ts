import type { Problem } from '../../core/admit/problem.ts'
import { Invalid, Malformed } from '../../core/errors.ts'

/** An object with faults: all of them, each with its pointer. */
export class InvalidObject extends Invalid {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super({ reason: problems.map(({ at, message }) => `${at} ${message}`.trim()).join('; ') })
    this.problems = problems
  }
}

/** A query parameter at fault. */
export class BadParameter extends Malformed {
  readonly parameter: string
  /** What is wrong with it, without its name. */
  readonly why: string

  constructor(parameter: string, message: string) {
    super({ what: 'this address', reason: `${parameter} ${message}` })
    this.parameter = parameter
    this.why = message
  }
}
