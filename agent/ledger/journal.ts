// A map in a file: lines of JSON that are appended, and now and then written anew in one file that takes the old one's place. What was
// acknowledged survives kill -9 of every process; a line that was cut off is no line. Nothing is synced: the kernel has what was written
// as long as it runs, and what was written before it started anew is of another life, and not read.
import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Lines after which the file is written anew: so many times what is in it, and this many at least. */
const wasteMax = 4
const linesMin = 1000

/** What is in the first line: another head is another life of the machine. */
export type Head = Readonly<Record<string, string | number>>

interface Line {
  readonly put?: string
  readonly value?: unknown
  readonly del?: string
}

export interface Opened {
  /** Lines that could not be read; the file was set aside then. */
  readonly broken: number
  /** Where the broken file is now. */
  readonly aside: string | undefined
  /** It was of another life, and what was in it is forgotten. */
  readonly foreign: boolean
}

export class Journal {
  readonly #path: string
  readonly #head: Head
  readonly #entries: Map<string, unknown>
  #file: FileHandle
  #lines: number
  #pending: Line[] = []
  #flushing: Promise<void> | undefined

  private constructor(path: string, head: Head, entries: Map<string, unknown>, file: FileHandle) {
    this.#path = path
    this.#head = head
    this.#entries = entries
    this.#file = file
    this.#lines = entries.size
  }

  /** @param now milliseconds since 1970, for the name of a broken file that is set aside */
  static async open(path: string, head: Head, now: number): Promise<{ readonly journal: Journal; readonly opened: Opened }> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const { entries, broken, foreign } = readLines(await textOf(path), head)
    const aside = broken === 0 ? undefined : `${path}.broken-${now}`
    if (aside !== undefined) await rename(path, aside)
    const file = await writeAnew(path, head, entries)
    return { journal: new Journal(path, head, entries, file), opened: { broken, aside, foreign } }
  }

  get entries(): ReadonlyMap<string, unknown> {
    return this.#entries
  }

  /** Resolves once it is written; many at once are one write. */
  put(key: string, value: unknown): Promise<void> {
    this.#entries.set(key, value)
    return this.#append({ put: key, value })
  }

  /** Known at once, and written with the next line that is waited for: whoever does not wait need not have a write of his own. */
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
    return rm(this.#path, { force: true })
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
      this.#lines += lines.length
      if (this.#lines > Math.max(linesMin, this.#entries.size * wasteMax)) return await this.#compact()
      await this.#file.appendFile(lines.map(textOfLine).join(''))
    } catch (problem) {
      // What did not get there is tried again with the next line.
      this.#pending.unshift(...lines)
      throw problem
    }
  }

  async #compact(): Promise<void> {
    const old = this.#file
    this.#file = await writeAnew(this.#path, this.#head, this.#entries)
    this.#lines = this.#entries.size
    await old.close()
  }
}

const textOfLine = (line: Line): string => `${JSON.stringify(line)}\n`

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw problem
  }
}

function readLines(text: string, head: Head): { readonly entries: Map<string, unknown>; readonly broken: number; readonly foreign: boolean } {
  const entries = new Map<string, unknown>()
  const lines = text.split('\n')
  // The last line ends without a mark where its write was cut off: it was never acknowledged.
  lines.pop()
  const [first, ...rest] = lines
  if (first === undefined) return { entries, broken: 0, foreign: false }
  if (first !== JSON.stringify(head)) return { entries, broken: parsed(first) === undefined ? 1 : 0, foreign: true }
  let broken = 0
  for (const line of rest) {
    const { put, value, del } = parsed(line) ?? {}
    if (put !== undefined) entries.set(put, value)
    else if (del !== undefined) entries.delete(del)
    else broken++
  }
  return { entries, broken, foreign: false }
}

function parsed(line: string): Line | undefined {
  try {
    const value = JSON.parse(line) as Line | null
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

async function writeAnew(path: string, head: Head, entries: ReadonlyMap<string, unknown>): Promise<FileHandle> {
  const next = `${path}.next`
  const file = await open(next, 'w', 0o600)
  await file.writeFile([JSON.stringify(head), ...[...entries].map(([put, value]) => JSON.stringify({ put, value } satisfies Line))].join('\n') + '\n')
  await rename(next, path)
  return file
}
