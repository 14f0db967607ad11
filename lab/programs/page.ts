// The files of the page, for tests and benchmarks: built where they are not newer than what they are built from.
import { globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from '../../platform/programs/run.ts'

const root = resolve(import.meta.dirname, '../..')
const timeOf = (path: string): number => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** @throws Error with what the build says */
export async function buildPage(): Promise<void> {
  const sources = globSync(['gui/**/*.{ts,tsx,css,html,svg}', 'examples/*.{ts,yaml}'], { cwd: root }).filter(
    (path) => !path.startsWith('gui/dist/'),
  )
  const newest = Math.max(...[...sources, 'openapi/types.ts', 'package-lock.json'].map(timeOf))
  if (timeOf('gui/dist/index.html') > newest) return
  const { code, stderr } = await run(process.execPath, [join(root, 'bootstrap.mjs'), 'gui/build.ts', '--quiet'], { cwd: root })
  if (code !== 0) throw new Error(`the page cannot be built: ${stderr}`)
}
