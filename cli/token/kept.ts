// The tokens that were made by hand for a standalone server: a file for each, which says what it may and not what it is. One that was
// taken back has a second file, which the server looks for.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface KeptToken {
  readonly id: string
  readonly name: string
  readonly role: string
  /** Absent: all of them. */
  readonly namespaces?: readonly string[]
  readonly created: string
  readonly expires: string
}
export interface ListedToken extends KeptToken {
  readonly isRevoked: boolean
}

const folderOf = (folder: string): string => join(folder, 'tokens')

export async function keepToken(folder: string, token: KeptToken): Promise<void> {
  await mkdir(folderOf(folder), { recursive: true, mode: 0o700 })
  await writeFile(join(folderOf(folder), `${token.id}.json`), `${JSON.stringify(token)}\n`, { mode: 0o600, flag: 'wx' })
}

/** The oldest first. */
export async function keptTokens(folder: string): Promise<readonly ListedToken[]> {
  const names = await readdir(folderOf(folder)).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return []
    throw err
  })
  const there = new Set(names)
  const tokens = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        const token = JSON.parse(await readFile(join(folderOf(folder), name), 'utf8')) as KeptToken
        return { ...token, isRevoked: there.has(`${token.id}.revoked`) }
      }),
  )
  return tokens.sort((a, b) => (a.created < b.created ? -1 : 1))
}

/** From now on, and for good. */
export const revokeToken = (folder: string, { id }: KeptToken): Promise<void> =>
  writeFile(join(folderOf(folder), `${id}.revoked`), '', { mode: 0o600 })
