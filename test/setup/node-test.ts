import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { cacheFolder } from '../../platform/programs/cache.ts'

interface Options {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly concurrency: number
  readonly timeoutMs: number
  /** Handed to `node --test` as they are: `--test-name-pattern=…`, `--test-randomize`. */
  readonly flags: readonly string[]
  /** Ends the run early. */
  readonly signal: AbortSignal
}

/** Each test file is a process of its own: none strips the types of what another has loaded before. */
const compiled = { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled') }

/** Runs test files by Node's own runner, which prints its summary; resolves with its exit code, never 0 after an early end. */
export function runTests(files: readonly string[], { root, env, concurrency, timeoutMs, flags, signal }: Options): Promise<number> {
  const own = ['--disable-warning=ExperimentalWarning', '--test', `--test-concurrency=${concurrency}`, `--test-timeout=${timeoutMs}`]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...own, ...flags, ...files], { cwd: root, env: { ...compiled, ...process.env, ...env }, stdio: 'inherit' })
    // It then names the files that were running.
    signal.addEventListener('abort', () => void child.kill('SIGTERM'))
    child.on('error', reject)
    child.on('exit', (code) => resolve(signal.aborted ? 1 : (code ?? 1)))
  })
}
