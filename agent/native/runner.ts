// Programs that the agent starts: by the addon (agent/native/runner/module.c says what it does), else by fork, which holds the event loop
// up.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { builtNative, type Built } from './build.ts'
import { messageOf } from '../../core/errors.ts'

declare const handleBrand: unique symbol
interface Handle {
  readonly [handleBrand]: true
}

export interface Ran {
  /** -1 where a signal has ended it. */
  readonly code: number
  readonly stdout: Buffer
  /** The beginning of it. */
  readonly stderr: Buffer
}

/** Rejections are errors with `errno` (a number above 0) and `syscall`. */
export interface Runner {
  run(
    program: string,
    args: readonly string[],
    env: readonly string[],
    stdin: Uint8Array,
  ): readonly [done: Promise<Ran & { readonly signal: number }>, handle: Handle]
  kill(handle: Handle): void
}

export interface RunOptions {
  /** All that the program finds there. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin: string
  /** Kills it, and by the addon all of its process group. */
  readonly signal: AbortSignal
}

/** Bytes that a program may say: the addon's own bounds. */
const outputMax = 2 ** 24
const complaintMax = 2 ** 16

/** The addon, if it has been built; Node.js loads it once a process and path. */
export function loadRunner(built: Built = builtNative('runner')): Runner | { readonly missing: string } {
  if ('missing' in built) return built
  try {
    return createRequire(import.meta.url)(built.path) as Runner
  } catch (error) {
    return { missing: `${built.path} does not load: ${messageOf(error)}` }
  }
}

let loaded: ReturnType<typeof loadRunner> | undefined

/**
 * Runs a program to its end, whatever its exit code; rejects where it cannot be started, says too much, or the signal falls.
 *
 * @param program a path
 */
export function runProgram(program: string, options: RunOptions, runner = (loaded ??= loadRunner())): Promise<Ran> {
  return 'missing' in runner ? runByFork(program, options) : runByAddon(runner, program, options)
}

async function runByAddon(runner: Runner, program: string, { env, stdin, signal }: RunOptions): Promise<Ran> {
  signal.throwIfAborted()
  const [done, handle] = runner.run(
    program,
    [],
    Object.entries(env).map(([name, value]) => `${name}=${value}`),
    Buffer.from(stdin),
  )
  const kill = (): void => runner.kill(handle)
  signal.addEventListener('abort', kill)
  try {
    return await done
  } catch (err) {
    signal.throwIfAborted()
    throw err
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

function runByFork(program: string, { env, stdin, signal }: RunOptions): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [], { env, signal, killSignal: 'SIGKILL', stdio: 'pipe' })
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    let [said, complained] = [0, 0]
    child.stdout.on('data', (bytes: Buffer) => {
      stdout.push(bytes)
      if ((said += bytes.length) <= outputMax) return
      child.kill('SIGKILL')
      reject(new Error(`${program} says more than ${outputMax} bytes`))
    })
    child.stderr.on('data', (bytes: Buffer) => {
      if (complained < complaintMax) stderr.push(bytes)
      complained += bytes.length
    })
    child.on('error', (err) => reject(signal.aborted ? (signal.reason as Error) : err))
    child.on('close', (code) => resolve({ code: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) }))
    // A program that does not read what it is given is not wrong.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
  })
}
