// What a standalone server keeps in its folder besides the store: made once, readable by its owner only.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigInvalid } from '../../core/errors.ts'

/** The folder, for its owner only. */
export async function openFolder(folder: string): Promise<void> {
  // Everything that is made in it later, by SQLite too, is for its owner only.
  process.umask(0o077)
  try {
    await makeFolder(folder)
    await chmod(folder, 0o700)
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw new ConfigInvalid({ name: '--data', reason: `${folder} ${reasons[code] ?? `cannot be the folder: ${message}`}`, cause })
  }
}

/** Node.js' own recursive mkdir never ends where a file system takes no folders, as /proc (nodejs 24). */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || (await isThere(dirname(folder)))) throw err
    await makeFolder(dirname(folder))
    await mkdir(folder, { mode: 0o700 })
  }
}
const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'is a file, not a folder',
  ENOTDIR: 'is in what is no folder',
  EACCES: 'may not be made or entered by you',
  EPERM: "is another user's",
  ENOENT: 'cannot be made there: that file system takes no folders',
  EROFS: 'cannot be made there: that file system is read-only',
}

/** The secret that signs callbacks: `whsec_` and base64 of 32 random bytes (Standard Webhooks 1.0). */
export async function callbackSecret(folder: string): Promise<string> {
  const file = join(folder, 'callback-secret')
  const there = await readFile(file, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return undefined
    throw err
  })
  if (there !== undefined) return there.trim()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await writeWhole(file, `${secret}\n`)
  return secret
}

/** There whole or not at all. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const aside = `${file}.${process.pid}`
  await writeFile(aside, text, { mode: 0o600 })
  await rename(aside, file)
}
