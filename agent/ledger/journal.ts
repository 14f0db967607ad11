// A map in a file: lines of JSON that are appended, and now and then written anew in one file that takes the old one's place. What was
// acknowledged survives kill -9 of every process; a line that was cut off is no line. Nothing is synced: the kernel has what was written
// as long as it runs, and what was written before it started anew is of another life, and not read.
import type { Disk, Growing } from './disk.ts'

/** Lines after which the file is written anew: so many times what is in it, and this many at least. */
const wasteMax = 4
const linesMin = 1000

/**
 * What is in the first line. Another `boot` is another life of the machine: nothing of it is there any more. Whatever else is another, the
 * lines are read.
 */
export type JournalHead = Readonly<Record<string, string | number>> & { readonly boot: string }

export interface JournalPlace {
  readonly disk: Disk
  readonly path: string
  readonly head: JournalHead
}

interface Line {
  readonly put?: string
  readonly value?: unknown
  readonly del?: string
}

export interface OpenedJournal {
  /** Lines that could not be read; the file was set aside then. */
  readonly broken: number
  /** Where the broken file is now. */
  readonly aside: string | undefined
  /** It was of another life, and what was in it is forgotten. */
  readonly foreign: boolean
  /** It was of this life, and of whom: another agent, by name or version. Absent: there was none, or it was ours. */
  readonly before?: Readonly<Record<string, unknown>>
}

export class Journal {
  readonly #disk: Disk
  readonly #path: string
  readonly #head: JournalHead
  readonly #entries: Map<string, unknown>
  #file: Growing
  #lines: number
  #pending: Line[] = []
  #flushing: Promise<void> | undefined

  private constructor({ disk, path, head }: JournalPlace, { entries, lines }: Pick<Read, 'entries' | 'lines'>, file: Growing) {
    this.#disk = disk
    this.#path = path
    this.#head = head
    this.#entries = entries
    this.#file = file
    this.#lines = lines
  }

  /**
   * A file that is whole is gone on with as it is, so that an agent also begins where nothing can be written.
   *
   * @param now milliseconds since 1970, for the name of a broken file that is set aside
   */
  static async open(place: JournalPlace, now: number): Promise<{ readonly journal: Journal; readonly opened: OpenedJournal }> {
    const { disk, path, head } = place
    const read = readLines((await disk.read(path)) ?? '', head)
    const { broken, foreign, before, whole } = read
    if (whole !== undefined)
      return { journal: new Journal(place, read, await disk.resume(path, whole)), opened: { broken: 0, aside: undefined, foreign: false } }
    const aside = broken === 0 ? undefined : `${path}.broken-${now}`
    if (aside !== undefined) await disk.rename(path, aside)
    const file = await disk.replace(path, wholeText(head, read.entries))
    return {
      journal: new Journal(place, { entries: read.entries, lines: read.entries.size }, file),
      opened: { broken, aside, foreign, ...(before && { before }) },
    }
  }

  get entries(): ReadonlyMap<string, unknown> {
    return this.#entries
  }

  /** Resolves once it is written; many at once are one write. */
  put(key: string, value: unknown): Promise<void> {
    this.#entries.set(key, value)
    return this.#append({ put: key, value })
  }

  /** Known at once, and written with the next line that is waited for: what does not wait needs no write of its own. */
  begin(key: string, value: unknown): void {
    this.#entries.set(key, value)
    this.#pending.push({ put: key, value })
  }

  delete(key: string): Promise<void> {
    return this.#entries.delete(key) ? this.#append({ del: key }) : Promise.resolve()
  }

  async close(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing
    await this.#flush()
    await this.#file.close()
  }

  /** Takes the file away, after `close`. */
  remove(): Promise<void> {
    return this.#disk.remove(this.#path)
  }

  async #append(line: Line): Promise<void> {
    this.#pending.push(line)
    // A flush under way may have begun without this line: the one after it has it.
    await this.#flushing?.catch(() => undefined)
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined
    })
    await this.#flushing
  }

  async #flush(): Promise<void> {
    const lines = this.#pending.splice(0)
    if (lines.length === 0) return
    try {
      if (this.#lines + lines.length > Math.max(linesMin, this.#entries.size * wasteMax)) return await this.#compact()
      await this.#file.append(lines.map(textOfLine).join(''))
      this.#lines += lines.length
    } catch (err) {
      // What did not get there is tried again with the next line: the last word on each key.
      this.#pending = latest([...lines, ...this.#pending])
      throw err
    }
  }

  async #compact(): Promise<void> {
    const old = this.#file
    this.#file = await this.#disk.replace(this.#path, wholeText(this.#head, this.#entries))
    this.#lines = this.#entries.size
    await old.close()
  }
}

const textOfLine = (line: Line): string => `${JSON.stringify(line)}\n`

const keyOf = ({ put, del }: Line): string => put ?? del ?? ''
const latest = (lines: readonly Line[]): Line[] => {
  const last = new Map(lines.map((line, at) => [keyOf(line), at]))
  return lines.filter((line, at) => last.get(keyOf(line)) === at)
}

interface Read extends Omit<OpenedJournal, 'aside'> {
  readonly entries: Map<string, unknown>
  readonly lines: number
  /** All of the file that is to be kept, where it can be gone on with as it is. */
  readonly whole?: string
}

function readLines(text: string, head: JournalHead): Read {
  const entries = new Map<string, unknown>()
  const lines = text.split('\n')
  // The last line ends without a mark where its write was cut off: it was never acknowledged.
  const cutOff = lines.pop() ?? ''
  const [first, ...rest] = lines
  if (first === undefined) return { entries, lines: 0, broken: 0, foreign: false }
  const header = parsed(first) as Readonly<Record<string, unknown>> | undefined
  if (header !== undefined && header['boot'] !== head.boot) return { entries, lines: 0, broken: 0, foreign: true }
  const unread = entered(rest, entries)
  // A head that cannot be read may be this life's: what stands below it is worth more than a rule.
  const broken = unread + (header === undefined ? 1 : 0)
  const of = { entries, lines: rest.length, broken, foreign: false }
  if (first !== JSON.stringify(head)) return { ...of, ...(header && { before: header }) }
  return broken === 0 ? { ...of, whole: text.slice(0, text.length - cutOff.length) } : of
}

/** @returns how many lines could not be read */
function entered(lines: readonly string[], entries: Map<string, unknown>): number {
  let broken = 0
  for (const line of lines) {
    const { put, value, del } = parsed(line) ?? {}
    if (put !== undefined) entries.set(put, value)
    else if (del !== undefined) entries.delete(del)
    else broken++
  }
  return broken
}

function parsed(line: string): Line | undefined {
  try {
    const value = JSON.parse(line) as Line | null
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const wholeText = (head: JournalHead, entries: ReadonlyMap<string, unknown>): string =>
  `${[JSON.stringify(head), ...[...entries].map(([put, value]) => JSON.stringify({ put, value } satisfies Line))].join('\n')}\n`
