// What may stand at the cursor of a command line: commands, flags and their values, kinds, names, namespaces.
import { defaultNamespace, readArgs, type Flag, type Flags } from '../args.ts'
import type { Context } from '../context.ts'
import { kindNamed, knownKinds, pluralOf } from '../kinds/names.ts'
import { Api } from '../rest/api.ts'
import { targetOf } from '../rest/target.ts'

/** What words of a command are, beside its flags: names of kinds and then of objects, objects of one kind, or these words. */
export type CompletedWords = 'objects' | { readonly of: string; readonly slashed: boolean } | readonly string[]
export interface CompletedCommand {
  readonly flags: Flags
  /** Absent: none is offered. */
  readonly completes?: CompletedWords
}

/** A shell waits no longer, and shows no more. */
const waitMs = 2_000
const namesMax = 500

/** @param words behind the command's name; the last is at the cursor, and may be empty */
export async function candidatesOf(
  { flags, completes = [] }: CompletedCommand,
  words: readonly string[],
  context: Context,
): Promise<readonly string[]> {
  const joined = withoutBreaks(words)
  const current = joined.at(-1) ?? ''
  const before = joined.slice(0, -1)
  const ask = new ShellQuestions(flags, before, context)
  const [, flagName, value] = /^--([a-z0-9-]+)=(.*)$/.exec(current) ?? []
  if (flagName !== undefined && value !== undefined) {
    const found = fitting(await ask.valuesOf(flagName), value)
    // bash takes the equals sign for a word of its own, and wants what stands behind it alone.
    return words.at(-1) === value ? found : found.map((each) => `--${flagName}=${each}`)
  }
  const open = valueFlagOf(flags, before.at(-1) ?? '')
  if (open !== undefined) return fitting(await ask.valuesOf(open), current)
  if (current.startsWith('-'))
    return fitting(
      Object.keys(flags).map((flag) => `--${flag}`),
      current,
    )
  return wordsAt(completes, positionals(flags, before), current, ask)
}

const fitting = (all: readonly string[], current: string): readonly string[] => all.filter((each) => each.startsWith(current))

/** bash splits `--for=x` into three words. */
function withoutBreaks(words: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const word of words) {
    const last = joined.at(-1)
    if (last !== undefined && /^--[a-z0-9-]+$/.test(last) && word === '=') joined[joined.length - 1] = `${last}=`
    else if (last !== undefined && /^--[a-z0-9-]+=$/.test(last)) joined[joined.length - 1] = last + word
    else joined.push(word)
  }
  return joined
}

/** The flag whose value comes next. */
function valueFlagOf(flags: Flags, word: string): string | undefined {
  const takesValue = ([, { type }]: readonly [string, Flag]): boolean => type === 'string'
  return Object.entries(flags)
    .filter(takesValue)
    .find(([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`))?.[0]
}

const positionals = (flags: Flags, words: readonly string[]): readonly string[] =>
  words.filter((word, i) => !word.startsWith('-') && valueFlagOf(flags, words[i - 1] ?? '') === undefined)

async function wordsAt(what: CompletedWords, before: readonly string[], current: string, ask: ShellQuestions): Promise<readonly string[]> {
  if (what === 'objects') return objectsAt(before, current, ask)
  if ('of' in what) {
    const prefix = what.slashed ? `${what.of.replace(/s$/, '')}/` : ''
    return before.length > 0
      ? []
      : fitting(
          (await ask.names(what.of)).map((each) => prefix + each),
          current,
        )
  }
  return before.length > 0 ? [] : fitting(what, current)
}

async function objectsAt(before: readonly string[], current: string, ask: ShellQuestions): Promise<readonly string[]> {
  const slash = current.indexOf('/')
  if (slash >= 0) {
    const kind = current.slice(0, slash)
    return fitting(
      (await ask.names(kind)).map((each) => `${kind}/${each}`),
      current,
    )
  }
  const [kinds] = before
  if (kinds !== undefined && !kinds.includes('/')) return fitting(await ask.names(kinds), current)
  const comma = current.lastIndexOf(',') + 1
  return fitting(
    [...knownKinds.map(pluralOf), 'all'].map((each) => current.slice(0, comma) + each),
    current,
  )
}

/** Asked of the server that the line so far names. Where none answers nothing is offered. */
class ShellQuestions {
  #flags: Flags
  #before: readonly string[]
  #context: Context

  constructor(flags: Flags, before: readonly string[], context: Context) {
    this.#flags = flags
    this.#before = before
    this.#context = context
  }

  async valuesOf(name: string): Promise<readonly string[]> {
    if (name === 'namespace') return this.names('namespaces')
    if (name === 'node') return this.names('nodes')
    const values = this.#flags[name]?.value ?? ''
    return values.includes('|') ? values.split('|').map((each) => each.replace('=TEMPLATE', '=')) : []
  }

  async names(kindWord: string): Promise<readonly string[]> {
    try {
      const kind = kindNamed(kindWord)
      const given = readArgs(this.#knownWords(), this.#flags)
      const signal = AbortSignal.any([this.#context.signal, AbortSignal.timeout(waitMs)])
      const api = new Api(await targetOf(given, this.#context), signal)
      const objects = await api.all(kind, given.text('namespace') ?? defaultNamespace, {}, namesMax)
      return objects.map(({ metadata }) => metadata.name)
    } catch {
      return []
    }
  }

  /** What stands before the cursor may end with a flag without its value. */
  #knownWords(): readonly string[] {
    const last = this.#before.at(-1)
    return last !== undefined && valueFlagOf(this.#flags, last) !== undefined ? this.#before.slice(0, -1) : this.#before
  }
}
