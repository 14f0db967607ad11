// A process of a cluster (webhooks/main.ts, workers/main.ts) as a child, read through its log.
import { spawn, type ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { until } from '../setup/until.ts'

const root = resolve(import.meta.dirname, '../..')
const startMs = 60_000

export type Listener = 'healthL4Port' | 'metricsL4Port' | 'admissionL4Port' | 'restL4Port'
interface Line {
  readonly msg?: string
  readonly level?: number
  readonly [more: string]: unknown
}

export interface Main {
  readonly child: ChildProcess
  /** Its log so far; what is no JSON (a refusal to start) is a line with `msg` only. */
  readonly log: readonly Line[]
  /** Resolves once it says where it listens. */
  l4PortOf(listener: Listener): Promise<number>
  /** What /readyz says: empty when ready. */
  missing(): Promise<string>
  ready(): Promise<void>
  /** Its exit code, however it ends; null after a signal that it could not catch. */
  readonly ended: Promise<number | null>
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts it on loopback, on free TCP ports; MEGREZ_ variables of the test run are not its settings.
 *
 * @param tree whose code it runs; absent: this one's
 */
export function startMain(
  file: 'webhooks/main.ts' | 'workers/main.ts' | 'agent/main.ts',
  env: Readonly<Record<string, string>>,
  tree = root,
): Main {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(MEGREZ|npm|KUBE|NODE_TEST)/.test(name)))
  const settings = {
    MEGREZ_LISTEN_HOST: '127.0.0.1',
    MEGREZ_ADMISSION_L4PORT: '0',
    MEGREZ_REST_L4PORT: '0',
    MEGREZ_HEALTH_L4PORT: '0',
    MEGREZ_LINGER_MS: '100',
    ...env,
  }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(tree, file)], {
    cwd: tree,
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const log: Line[] = []
  createInterface({ input: child.stderr }).on('line', (text) => log.push(text.startsWith('{') ? (JSON.parse(text) as Line) : { msg: text }))
  let over = false
  const ended = new Promise<number | null>((done) => child.once('close', (code) => done(code))).finally(() => (over = true))
  const l4PortOf = async (listener: Listener): Promise<number> => {
    const find = (): unknown => log.find((line) => line.msg === 'listening' && line[listener] !== undefined)?.[listener]
    await until(() => find() !== undefined || over, `${file} says its ${listener}`, startMs)
    if (over) throw new Error(`${file} has ended: ${complaintsIn(log)}`)
    return Number(find())
  }
  const missing = async (): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${await l4PortOf('healthL4Port')}/readyz`)
    const text = await response.text()
    return response.status === 200 ? '' : text
  }
  return {
    child,
    log,
    l4PortOf,
    missing,
    ended,
    ready: () => until(async () => over || (await missing()) === '', `${file} is ready`, startMs),
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** What it complained of, for a failing test to show. */
export const complaintsIn = (log: readonly Line[]): string =>
  log
    .filter(({ level = 60 }) => level >= 40)
    .map((line) => JSON.stringify(line))
    .join('\n')
