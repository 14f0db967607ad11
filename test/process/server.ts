// A whole server as a process of its own, and REST calls on it.
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Rest, type Ready } from '../../cli/demo/rest.ts'

const bootstrap = join(import.meta.dirname, '../../bootstrap.mjs')
const readyMs = 60_000

export interface Line extends Ready {
  readonly admissionUrl: string
  readonly caFile: string
  readonly pid: number
}
export interface Running {
  readonly line: Line
  readonly rest: Rest
  readonly child: ChildProcess
  /** Sends the signal to the server itself and waits until the child is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `cli/serve.ts` on a folder, on free ports; MEGREZ_ variables of the test run are not its settings. */
export async function serve(
  folder: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Readonly<Record<string, string>> } = {},
): Promise<Running> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('MEGREZ_') && !name.startsWith('npm_config_')),
  )
  const child = spawn(process.execPath, [bootstrap, 'cli/serve.ts', '--port', '0', '--data', folder, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...inherited, MEGREZ_LOG_LEVEL: 'error', ...env },
  })
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const line = await new Promise<Line>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready within ${readyMs} ms`)), readyMs)
    void exit.then((code) => reject(new Error(`ended with ${code} before it was ready`)))
    createInterface({ input: child.stdout }).once('line', (text) => {
      clearTimeout(late)
      resolve(JSON.parse(text) as Line)
    })
  })
  return {
    line,
    rest: new Rest(line),
    child,
    end(signal) {
      if (child.exitCode === null && child.signalCode === null) process.kill(line.pid, signal)
      return exit
    },
  }
}
