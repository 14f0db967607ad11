/** What a command has of the world around it. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>
  /** For what was asked for. */
  readonly out: (text: string) => void
  /** For everything else. */
  readonly err: (text: string) => void
  /** Who looks; absent: a program. */
  readonly terminal?: Terminal
  readonly stdin: AsyncIterable<Buffer | string>
  readonly now: () => number
  /** Falls when the user has had enough. */
  readonly signal: AbortSignal
}

export interface Terminal {
  /** What is printed may have colours. */
  readonly colours: boolean
  /** Somebody reads, on standard error, how far long work is. */
  readonly progress: boolean
}

/** Exit codes: 0 done, 1 refused, 2 not understood, 3 no server. */
export type Exit = 0 | 1 | 2 | 3

/** What ends a command, in words for its user. */
export class CliError extends Error {
  readonly exit: Exit

  constructor(exit: Exit, message: string) {
    super(message)
    this.exit = exit
  }
}

/** Until whoever runs the command ends it. */
export const fallen = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))
