// What a terminal takes that a program does not: colours, and a line that tells how far long work is.
import type { Context, Terminal } from '../context.ts'

interface Streams {
  readonly out: boolean
  readonly err: boolean
}

/** @param isTty which of the two streams a person reads. NO_COLOR (no-color.org) and a dumb terminal have no colours. */
export function terminalOf(env: Context['env'], isTty: Streams): Terminal {
  const dumb = env['TERM'] === 'dumb'
  return { colours: isTty.out && !dumb && (env['NO_COLOR'] ?? '') === '', progress: isTty.err && !dumb }
}

const codes: Readonly<Record<string, number>> = {
  ready: 32,
  Running: 32,
  True: 32,
  pending: 33,
  Pending: 33,
  terminating: 33,
  error: 31,
  Failed: 31,
}

/** A word of state, as a terminal shows it; other words stay as they are. `text` may have spaces around the word. */
export function coloured(text: string, terminal: Terminal | undefined): string {
  const code = terminal?.colours === true ? codes[text.trim()] : undefined
  return code === undefined ? text : `\u001b[${code}m${text}\u001b[0m`
}

/** Each call replaces the line before; an empty text takes it away. Nobody is told where nobody looks. */
export function progressOf({ terminal, err }: Pick<Context, 'terminal' | 'err'>): (text: string) => void {
  return terminal?.progress === true ? (text) => err(`\r\u001b[K${text}`) : () => undefined
}
