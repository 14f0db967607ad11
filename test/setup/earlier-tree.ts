// The code of an earlier commit beside this tree, for what two versions do to each other. It shares node_modules with this tree.
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from './run.ts'

export interface EarlierTree {
  readonly folder: string
  remove(): Promise<void>
}

const root = resolve(import.meta.dirname, '../..')
const parts = ['package.json', 'agent', 'charts', 'core', 'openapi', 'platform', 'webhooks', 'workers']

export interface MissingTree {
  readonly missing: string
  /** The clone does not reach back so far. */
  readonly isShallow: boolean
}

/** @param commit an ancestor of HEAD. Missing: this is no clone, or one that does not reach back so far */
export async function earlierTree(commit: string): Promise<EarlierTree | MissingTree> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-earlier-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const archive = join(folder, 'tree.tar')
  const archived = await run('git', ['-C', root, 'archive', '--output', archive, commit, '--', ...parts])
  const extracted = archived.code === 0 ? await run('tar', ['-xf', archive, '-C', folder]) : archived
  if (extracted.code !== 0) {
    await remove()
    const shallow = await run('git', ['-C', root, 'rev-parse', '--is-shallow-repository'])
    return {
      isShallow: shallow.stdout.trim() === 'true',
      missing: `no tree of commit ${commit}, which a clone with its history has (git fetch --unshallow): ${extracted.stderr.trim()}`,
    }
  }
  await rm(archive)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove }
}
