// The files of the page, as its build has left them in one folder: read whole, so that no address can lead out of it, and read anew
// once it is built anew.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface PageFile {
  readonly body: Buffer
  /** Absent where it would save nothing. */
  readonly gzip: Buffer | undefined
  readonly type: string
  readonly etag: string
}
export interface PageFiles {
  /** `index.html` as it is now; undefined while nothing is built. */
  index(): Promise<PageFile | undefined>
  /** A file of `assets/` by its name, of this build or of the one before it. */
  asset(name: string): Promise<PageFile | undefined>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
}
const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.map'])
/** What a browser may be made to take for a program only where it is one. */
const unknownType = 'application/octet-stream'

interface Build {
  readonly madeMs: number
  readonly index: PageFile
  readonly assets: ReadonlyMap<string, PageFile>
}

export function pageFiles(folder: string): PageFiles {
  let build: Build | undefined
  let before: ReadonlyMap<string, PageFile> = new Map()
  let reading: Promise<void> | undefined

  const readAgain = async (madeMs: number): Promise<void> => {
    const next = await readBuild(folder, madeMs)
    before = build?.assets ?? before
    build = next
  }
  const current = async (): Promise<Build | undefined> => {
    const madeMs = await timeOf(join(folder, 'index.html'))
    if (madeMs === undefined) return (build = undefined)
    if (build?.madeMs !== madeMs) await (reading ??= readAgain(madeMs).finally(() => (reading = undefined)))
    return build
  }
  return {
    index: async () => (await current())?.index,
    // Who asks for one of another build has an index of another build: that is looked at again first.
    asset: async (name) => build?.assets.get(name) ?? before.get(name) ?? (await current())?.assets.get(name),
  }
}

const isAbsent = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT' || code === 'ENOTDIR'

async function timeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch (err) {
    if (isAbsent(err as NodeJS.ErrnoException)) return undefined
    throw err
  }
}

async function readBuild(folder: string, madeMs: number): Promise<Build> {
  const assets = new Map<string, PageFile>()
  for (const each of await filesIn(join(folder, 'assets'))) assets.set(each, await readOne(join(folder, 'assets', each)))
  return { madeMs, index: await readOne(join(folder, 'index.html')), assets }
}

async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).filter((each) => each.isFile()).map(({ name }) => name)
  } catch (err) {
    if (isAbsent(err as NodeJS.ErrnoException)) return []
    throw err
  }
}

async function readOne(file: string): Promise<PageFile> {
  const body = await readFile(file)
  const end = extname(file)
  const gzip = compressible.has(end) ? gzipSync(body) : undefined
  return {
    body,
    gzip: gzip !== undefined && gzip.length < body.length ? gzip : undefined,
    type: types[end] ?? unknownType,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
  }
}
