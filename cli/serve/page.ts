// The page's files, in a checkout that has none yet: built by the first start. An image brings them along.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../gui')

/** Resolves also where it cannot be built: the server is whole without a page, and its address says how to build one. */
export async function pageBuilt(): Promise<void> {
  const build = join(folder, 'build.ts')
  if (existsSync(join(folder, 'dist/index.html')) || !existsSync(build)) return
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', build, '--quiet'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
}
