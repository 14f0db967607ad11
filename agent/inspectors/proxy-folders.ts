// What proxies are configured by, on disk: a folder for each inspector, in it one for each time that its proxy was started, the newest with
// the highest number. Root writes there and the proxy reads; it writes its socket alone, in a folder that
// root reads nothing from.
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { InspectorFiles } from '../../core/node/inspectors/inspected.ts'
import { namedInspector } from '../../core/node/inspectors/item.ts'
import { inspectorName } from '../../core/node/inspectors/names.ts'
import type { InspectorName } from './inspectors.ts'

export interface ProxyUser {
  readonly uid: number
  readonly gid: number
}

interface Content {
  readonly text: string
  readonly files: InspectorFiles
  readonly user: ProxyUser
}

/** Written last: what has none is not whole. */
const textFile = 'made-from'

export class ProxyFolders {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  of({ vni, direction }: InspectorName, number?: number): string {
    return join(this.#root, inspectorName(vni, direction), ...(number === undefined ? [] : [String(number)]))
  }

  socket(name: InspectorName, number: number): string {
    return join(this.of(name, number), 'socket', 'admin')
  }

  async list(): Promise<readonly InspectorName[]> {
    const names = await readdir(this.#root).catch(() => [])
    return names.filter((name) => /^ml[0-9a-f]{6}[ei]$/.test(name)).map((name) => namedInspector(`inspector/${name}`))
  }

  /** From the oldest on. */
  async all(name: InspectorName): Promise<readonly number[]> {
    const names = await readdir(this.of(name)).catch(() => [])
    return names
      .filter((each) => /^\d+$/.test(each))
      .map(Number)
      .sort((a, b) => a - b)
  }

  async newest(name: InspectorName): Promise<number | undefined> {
    return (await this.all(name)).at(-1)
  }

  async text(name: InspectorName): Promise<string | undefined> {
    const newest = await this.newest(name)
    return newest === undefined ? undefined : readFile(join(this.of(name, newest), textFile), 'utf8').catch(() => undefined)
  }

  /** Those that it was configured by, as far as they are there. */
  async files(name: InspectorName, number: number, wanted: Iterable<string>): Promise<InspectorFiles> {
    const all = await Promise.all(
      [...wanted].map(async (file) => [file, await readFile(join(this.of(name, number), file), 'utf8').catch(() => undefined)] as const),
    )
    return new Map(all.flatMap(([file, text]) => (text === undefined ? [] : [[file, text]])))
  }

  async write(name: InspectorName, number: number, { text, files, user }: Content): Promise<void> {
    const folder = this.of(name, number)
    await mkdir(join(folder, 'socket'), { recursive: true, mode: 0o711 })
    // The one above has the agent's socket too, which is root's by its own mode, and may have been made for root alone.
    for (const each of [dirname(this.#root), this.#root]) await letThrough(each)
    await chown(join(folder, 'socket'), user.uid, user.gid)
    for (const [file, lines] of files) await writeFile(join(folder, file), lines, { mode: 0o644 })
    await writeFile(join(folder, textFile), text)
  }

  /** @param number absent: all of them */
  drop(name: InspectorName, number?: number): Promise<void> {
    return rm(this.of(name, number), { recursive: true, force: true })
  }
}

/** Whoever knows the name of something in there gets to it; what is in there is not listed. */
async function letThrough(folder: string): Promise<void> {
  const mode = (await stat(folder)).mode & 0o7777
  if ((mode & 0o001) === 0) await chmod(folder, mode | 0o001)
}
