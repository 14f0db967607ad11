import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { cacheFolder } from '../../platform/programs/cache.ts'
import { writeShards } from './shards.ts'

interface Options {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly concurrency: number
  /** Those of the files that share processes. */
  readonly shared: readonly string[]
  readonly timeoutMs: number
  /** For what of the machine others leave. */
  readonly waits?: boolean | undefined
  /** Handed to `node --test` as they are: `--test-name-pattern=…`, `--test-randomize`. */
  readonly flags: readonly string[]
  /** Before each line that is printed, where others print beside it. */
  readonly prefix: string | undefined
  /** Ends the run early. */
  readonly signal: AbortSignal
}

const reporter = pathToFileURL(join(import.meta.dirname, 'failures.ts')).href

/** No process strips the types of what another has loaded before. */
const compiled = { NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled') }

/** What `node --test` printed is for who watches; this is for who counts. */
export interface Outcome {
  /** Never 0 after an early end. */
  readonly code: number
  /** A line for each test that failed (./failures.ts). */
  readonly failed: readonly string[]
}

/** Runs test files by Node's own runner, which prints its summary. */
export async function runTests(files: readonly string[], options: Options): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-failures-'))
  try {
    const list = join(folder, 'failed')
    const shards = await writeShards(options.shared, { root: options.root, folder, count: 3 * options.concurrency })
    const alone = files.filter((file) => !options.shared.includes(file))
    const code = await nodeTest([...shards, ...alone], list, options)
    const text = await readFile(list, 'utf8').catch(() => '')
    return { code, failed: text.split('\n').filter((line) => line !== '') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function nodeTest(files: readonly string[], list: string, options: Options): Promise<number> {
  const { root, env, concurrency, timeoutMs, flags, prefix, signal, waits } = options
  const own = ['--disable-warning=ExperimentalWarning', '--test', `--test-concurrency=${concurrency}`, `--test-timeout=${timeoutMs}`]
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${list}`,
  ]
  return new Promise((resolve, reject) => {
    const environment = { ...compiled, ...process.env, ...env }
    const out = prefix === undefined ? 'inherit' : 'pipe'
    const args = [...own, ...reporters, ...flags, ...files]
    const child: ChildProcess = spawn(process.execPath, args, { cwd: root, env: environment, stdio: ['inherit', out, out] })
    if (waits === true && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null) createInterface({ input: stream }).on('line', (line) => console.log(`${prefix} │ ${line}`))
    // It then names the files that were running.
    signal.addEventListener('abort', () => void child.kill('SIGTERM'))
    child.on('error', reject)
    child.on('close', (code) => resolve(signal.aborted ? 1 : (code ?? 1)))
  })
}
