// Flags and words of a command line. What is not understood is refused, with what was probably meant.
import { parseArgs } from 'node:util'
import { nearest } from '../core/admit/nearest.ts'
import { CliError } from './context.ts'

export interface Flag {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly multiple?: true
  /** What stands for its value in the usage. */
  readonly value?: string
  readonly meaning: string
}
export type Flags = Readonly<Record<string, Flag>>
export interface GivenArguments {
  readonly words: readonly string[]
  text(flag: string): string | undefined
  texts(flag: string): readonly string[]
  has(flag: string): boolean
}

export const defaultNamespace = 'default'

/** Of every command that takes several objects of a kind. */
export const selectorFlags: Flags = {
  selector: { type: 'string', short: 'l', value: 'LABELS', meaning: 'only those whose labels fit: a=b,c!=d,e in (f,g),h,!i' },
  'field-selector': { type: 'string', value: 'FIELDS', meaning: 'only those whose fields fit: spec.node=a' },
}

export interface Selection {
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export function selectionOf(given: GivenArguments): Selection {
  const [labels, fields] = [given.text('selector'), given.text('field-selector')]
  return { ...(labels !== undefined && { labelSelector: labels }), ...(fields !== undefined && { fieldSelector: fields }) }
}

/** Of every command that talks to a server. */
export const serverFlags: Flags = {
  url: { type: 'string', value: 'URL', meaning: 'where REST is (MEGREZ_URL; else the server that runs on this machine)' },
  token: { type: 'string', value: 'TOKEN', meaning: 'bearer token (MEGREZ_TOKEN)' },
  data: { type: 'string', value: 'DIR', meaning: 'data folder of the server on this machine (.data)' },
  context: {
    type: 'string',
    value: 'NAME',
    meaning: 'through the API server of this context of the kubeconfig, to Service MEGREZ_SERVICE (megrez-system/megrez-webhooks)',
  },
}
export const helpFlag: Flags = { help: { type: 'boolean', short: 'h', meaning: 'this text' } }

/** @throws CliError 2 for what no flag is */
export function readArgs(args: readonly string[], flags: Flags): GivenArguments {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short !== undefined && { short }), ...(multiple === true && { multiple }) },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    const found = values as Readonly<Record<string, string | boolean | readonly string[] | undefined>>
    return {
      words: positionals,
      text: (flag) => (typeof found[flag] === 'string' ? found[flag] : undefined),
      texts: (flag) => (Array.isArray(found[flag]) ? (found[flag] as readonly string[]) : []),
      has: (flag) => found[flag] === true,
    }
  } catch (err) {
    throw new CliError(2, inWords(err as Error & { readonly code?: string }, flags))
  }
}

function inWords(err: Error & { readonly code?: string }, flags: Flags): string {
  const unknown = err.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(-{1,2}[^' ]*)'/.exec(err.message)?.[1] : undefined
  if (unknown === undefined)
    return `${err.message
      .split(/\.\s/)[0]
      ?.replace(/^Option /, '')
      .replace(/argument (is ambiguous|missing)$/, 'needs a value')}`
  const known = Object.keys(flags)
  const meant = nearest(unknown.replace(/^-+/, ''), known)
  return `there is no flag ${unknown}: ${meant === undefined ? `there are ${known.map((name) => `--${name}`).join(', ')}` : `did you mean --${meant}?`}`
}

/** For a word that names nothing: which is probably meant, or all there are. @param all where what is listed is fewer than what is taken */
export function suggestion(word: string, known: readonly string[], all = known): string {
  const meant = nearest(word, known)
  return meant === undefined ? `there are ${all.join(', ')}` : `did you mean ${meant}?`
}

/** @throws CliError 2 where there is such a word */
export function refuseExcess(word: string | undefined): void {
  if (word !== undefined) throw new CliError(2, `${JSON.stringify(word)} is one word too many`)
}

/** The lines of a usage text that tell of flags. */
export function flagLines(flags: Flags): string {
  const rows = Object.entries(flags).map(
    ([name, { short, value, meaning }]) =>
      [`${short === undefined ? '   ' : `-${short},`} --${name}${value === undefined ? '' : ` ${value}`}`, meaning] as const,
  )
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, meaning]) => `  ${left.padEnd(width)}  ${meaning}\n`).join('')
}
