import { spawn } from 'node:child_process'

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

/** Runs test files by Node's own runner, which prints its summary; resolves with its exit code. */
export function runTests(files: readonly string[], { root, env, concurrency, timeoutMs, flags, signal }: Options): Promise<number> {
  const own = ['--disable-warning=ExperimentalWarning', '--test', `--test-concurrency=${concurrency}`, `--test-timeout=${timeoutMs}`]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...own, ...flags, ...files], { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' })
    const end = () => void child.kill('SIGTERM')
    signal.addEventListener('abort', end)
    child.on('error', reject)
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
