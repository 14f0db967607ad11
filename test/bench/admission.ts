// Reviews of pods, driven by wrk: server and client on a core of their own, 16 kept connections, HTTPS.
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { installPackages, onPath } from '../../platform/programs/debian.ts'
import { nicsAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import { againstFloor, type Metric } from './lib/metric.ts'
import { review4k } from './lib/review.ts'
import { interleaved, median, show } from './lib/rounds.ts'

export const description = 'reviews of a 4 KiB pod per second over HTTPS, against a bare Fastify route that parses and answers'

const rounds = 5
const seconds = 4
const connections = 16
const nics = [{ name: 'eth0', subnet: 'subnet-1', securityGroups: ['sg-1', 'sg-2'] }, { subnet: 'subnet-2' }]
const exec = promisify(execFile)
/** With one core there is nothing to pin apart. */
const pinned = (core: number): readonly string[] => (availableParallelism() > 1 ? ['taskset', '-c', String(core)] : ['env'])

interface Server {
  readonly l4Port: number
  stop(): void
}
function start(which: 'bare' | 'ours'): Promise<Server> {
  const [program, ...args] = [
    ...pinned(0),
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'lib/admission-server.ts'),
    which,
  ]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  return new Promise((done, failed) => {
    child.once('exit', (code) => failed(new Error(`the server ${which} ended with ${code}`)))
    createInterface({ input: child.stdout }).once('line', (line) => done({ l4Port: Number(line), stop: () => child.stdin.end() }))
  })
}

/** One run of wrk: reviews per second, and the 99th percentile in milliseconds. */
async function drive({ l4Port }: Server, body: string): Promise<{ readonly rate: number; readonly p99: number }> {
  const [program, ...args] = [
    ...pinned(1),
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '-s',
    join(import.meta.dirname, 'lib/post.lua'),
    `https://127.0.0.1:${l4Port}/mutate-pods`,
  ]
  const { stdout } = await exec(program, args, { env: { ...process.env, BODY: body } })
  const [, rate, p99, failed] = /RESULT (\S+) (\d+) (\d+)/.exec(stdout) ?? []
  if (rate === undefined || failed !== '0') throw new Error(`wrk: ${failed ?? 'no result'} failed: ${stdout}`)
  return { rate: Number(rate), p99: Number(p99) / 1_000 }
}

export default async function admission(): Promise<readonly Metric[]> {
  const why = onPath('wrk') === undefined ? await installPackages(['wrk'], console.error) : undefined
  if (why !== undefined) throw new Error(`wrk: ${why}`)
  const folder = await mkdtemp(join(tmpdir(), 'megrez-bench-'))
  const servers: Server[] = []
  try {
    const files = { ours: join(folder, 'ours.json'), other: join(folder, 'other.json') }
    await writeFile(files.ours, review4k({ [vpcAnnotation]: 'vpc-1', [nicsAnnotation]: JSON.stringify(nics) }))
    await writeFile(files.other, review4k({}))
    const [bare, ours] = [await start('bare'), await start('ours')]
    servers.push(bare, ours)
    const p99 = { bare: [] as number[], ours: [] as number[], notOurs: [] as number[] }
    const measure = (name: keyof typeof p99, server: Server, body: string) => async (): Promise<number> => {
      const figures = await drive(server, body)
      p99[name].push(figures.p99)
      return figures.rate
    }
    const figures = await interleaved(rounds, {
      bare: measure('bare', bare, files.ours),
      ours: measure('ours', ours, files.ours),
      notOurs: measure('notOurs', ours, files.other),
    })
    show('/s', figures)
    // The first round warms up.
    const late = (all: readonly number[]): number => median(all.slice(1))
    return [
      againstFloor('rate', '/s', { value: figures.ours.median, floor: figures.bare }, { atLeast: 0.85 }),
      againstFloor('p99', 'ms', { value: late(p99.ours), floor: late(p99.bare) }, { atMost: 1.3 }),
      againstFloor('not-ours', '/s', { value: figures.notOurs.median, floor: figures.ours }, { atLeast: 2.5 }),
    ]
  } finally {
    for (const server of servers) server.stop()
    await rm(folder, { recursive: true })
  }
}
