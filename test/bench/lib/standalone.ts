// A server of `npm start` for a benchmark: a process of its own, its log in a file, its Redis beside it.
import { spawn } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../../..')

export interface Standalone {
  readonly url: string
  readonly token: string
  readonly admissionUrl: string
  readonly caFile: string
  readonly folder: string
  /** Seconds of processor time that it has used so far, without its Redis. */
  cpuSeconds(): Promise<number>
  stop(): Promise<void>
}

/** @param flags of Node.js, such as --cpu-prof */
export async function startStandalone(flags: readonly string[] = []): Promise<Standalone> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-bench-'))
  const log = await open(join(folder, 'log'), 'w')
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(MEGREZ_|npm_config_)/.test(name)))
  const args = [
    '--disable-warning=ExperimentalWarning',
    ...flags,
    join(root, 'cli/serve.ts'),
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
    '--json',
    '--no-install',
  ]
  const child = spawn(process.execPath, args, { cwd: root, env: { ...env, MEGREZ_LOG_LEVEL: 'info' }, stdio: ['ignore', 'pipe', log.fd] })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const line = await new Promise<Pick<Standalone, 'url' | 'token' | 'admissionUrl' | 'caFile'>>((done, failed) => {
    child.once('exit', (code) => failed(new Error(`the server ended with ${code} before it was ready`)))
    createInterface({ input: child.stdout! }).once('line', (text) =>
      done(JSON.parse(text) as Pick<Standalone, 'url' | 'token' | 'admissionUrl' | 'caFile'>),
    )
  })
  return {
    ...line,
    folder,
    async cpuSeconds() {
      const text = await (await fetch(`${line.url}/metrics`)).text()
      return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1])
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      await log.close()
      await rm(folder, { recursive: true })
    },
  }
}
