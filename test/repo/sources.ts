// The files of this repository, for the tests that read them.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** What git knows and what it would take, as paths from the root; a file that is deleted but not yet committed is left out. */
export function repoFiles(): string[] {
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`)
  return [...new Set(listed.stdout.split('\n'))].filter((path) => path !== '' && existsSync(join(root, path))).sort()
}

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')
export const generatedTypes = 'openapi/types.ts'
/** TypeScript that people write. */
export const sourceFiles = (): string[] => repoFiles().filter((path) => /\.tsx?$/.test(path) && path !== generatedTypes)
/** C, and its headers. */
export const cFiles = (): string[] => repoFiles().filter((path) => /\.[ch]$/.test(path))
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
