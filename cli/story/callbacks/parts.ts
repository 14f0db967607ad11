// What the story kills and starts again: a server and a receiver, each a process, and the Redis between.
import { spawn, type ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'

const root = join(import.meta.dirname, '../../..')
const startMs = 120_000

export interface Part {
  readonly lines: Interface
  /** Its first line. */
  readonly first: string
  /** SIGKILL, or as it is told; resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>
}

async function begin(
  file: string,
  args: readonly string[],
  { env, on }: { readonly env?: NodeJS.ProcessEnv; readonly on: 'stdout' | 'stderr' },
): Promise<Part> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, file), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', on === 'stderr' ? 'pipe' : 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const end = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    child.kill(signal)
    await ended
  }
  const lines = createInterface({ input: child.stdout! })
  const first = await firstLine(child, on === 'stdout' ? lines : createInterface({ input: child.stderr! }), file)
  return { lines, first, end }
}

function firstLine(child: ChildProcess, lines: Interface, file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${file} was not ready within ${startMs / 1_000} s`)), startMs)
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(`${file} ended with ${code}`))
    })
    lines.once('line', (line) => {
      clearTimeout(late)
      resolve(line)
    })
  })
}

export const startServer = (folder: string, redis: string, secret: string): Promise<Part> =>
  begin('cli/serve.ts', ['--port', '0', '--data', folder, '--json'], {
    on: 'stdout',
    env: { MEGREZ_LOG_LEVEL: 'error', MEGREZ_REDIS: redis, MEGREZ_CALLBACK_SECRET: secret },
  })

/** `megrez listen`: what it has answered with 204 it has printed before. */
export const startReceiver = (l4Port: number, secret: string): Promise<Part> =>
  begin('cli/main.ts', ['listen', '--json', '--port', String(l4Port), '--secret', secret], { on: 'stderr' })

/** The inline form of a command: no client is needed for one word. */
export function flushAll(socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const redis = connect(socket, () => redis.write('FLUSHALL\r\n'))
    redis.once('error', reject)
    redis.once('data', (answer: Buffer) => {
      redis.destroy()
      if (answer.toString().startsWith('+OK')) resolve()
      else reject(new Error(`Redis answered ${answer.toString().trim()}`))
    })
  })
}
