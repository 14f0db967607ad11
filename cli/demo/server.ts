// A server of the demo's own: started as anybody would start it, in a folder that goes when it does.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const bootstrap = join(import.meta.dirname, '../../bootstrap.mjs')
const readyMs = 120_000

export interface Ready {
  readonly url: string
  readonly token: string
}
export interface Server extends Ready {
  /** Signs a browser in, once. */
  readonly signInUrl: string
  /** Everything that it keeps. */
  readonly folder: string
  stop(): Promise<void>
}

export async function startServer(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-demo-'))
  const child = spawn(process.execPath, [bootstrap, 'cli/serve.ts', '--port', '0', '--data', folder, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, MEGREZ_LOG_LEVEL: process.env['MEGREZ_LOG_LEVEL'] ?? 'warn', ...env },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    return { ...(await firstLine(child)), folder, stop }
  } catch (err) {
    await stop()
    throw err
  }
}

function firstLine(child: ChildProcess): Promise<Pick<Server, 'url' | 'token' | 'signInUrl'>> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`the server was not ready within ${readyMs / 1000} s`)), readyMs)
    child.once('exit', (code) => {
      clearTimeout(late)
      reject(new Error(`the server ended with ${code} before it was ready`))
    })
    createInterface({ input: child.stdout! }).once('line', (line) => {
      clearTimeout(late)
      resolve(JSON.parse(line) as Server)
    })
  })
}
