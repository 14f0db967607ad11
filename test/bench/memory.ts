// Memory: the workers with 10,000 Ports, and a server over very many admissions.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Pool } from 'undici'
import { startRedisServer } from '../../platform/redis-server.ts'
import { trials } from '../setup/trials.ts'
import { absolute, type Metric } from './lib/metric.ts'
import { openPoster } from './lib/poster.ts'
import { review4k } from './lib/review.ts'
import { inFlight, median } from './lib/rounds.ts'
import { startStandalone, type Standalone } from './lib/standalone.ts'

export const description =
  "resident memory of the workers with 10,000 Ports, and how a server's grows over a million admissions (MEGREZ_TRIALS scales them)"

const ports = 10_000
const million = 1_000_000
const width = 16
const mib = 1024 * 1024
const samples = 20

/** Linux's own account of the process: resident set, in MiB. */
async function residentMiB({ url }: Standalone): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / mib
}

/** Of a process with the workers alone, once each of so many pods has its Port. */
async function workerMiB(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-bench-'))
  const redis = await startRedisServer({ folder: join(folder, 'redis'), install: true })
  const program = join(import.meta.dirname, 'lib/memory-worker.ts')
  // As the chart starts them.
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--max-semi-space-size=8',
    program,
    folder,
    String(ports),
    ...('missing' in redis ? [] : [redis.socket]),
  ]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 300_000 })
    return Number(stdout) / mib
  } finally {
    if (!('missing' in redis)) await redis.stop()
    await rm(folder, { recursive: true })
  }
}

async function network({ url, token }: Standalone): Promise<void> {
  const apiVersion = 'megrez.io/v1alpha1'
  const poster = openPoster(url, token, 1)
  await poster.post('/v1/namespaces/many/vpcs', JSON.stringify({ apiVersion, kind: 'Vpc', metadata: { name: 'v' }, spec: {} }))
  await poster.post(
    '/v1/namespaces/many/subnets',
    JSON.stringify({ apiVersion, kind: 'Subnet', metadata: { name: 's' }, spec: { vpc: 'v', ipv4: { cidr: '10.1.0.0/16' } } }),
  )
  await poster.close()
}

/** How much more is resident at the end than after the first fifth, as medians of samples. */
async function growth(server: Standalone): Promise<number> {
  const { origin, pathname } = new URL('/mutate-pods', server.admissionUrl)
  const pool = new Pool(origin, { connections: width, pipelining: 1, connect: { ca: await readFile(server.caFile, 'utf8') } })
  const bodies = [review4k({ 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s"}]' }), review4k({})].map((text) =>
    text.replaceAll('"tenant-a"', '"many"'),
  )
  const send = async (i: number): Promise<void> => {
    const answer = await pool.request({
      method: 'POST',
      path: i % 2 === 0 ? pathname : '/validate-pods',
      headers: { 'content-type': 'application/json' },
      body: bodies[i % bodies.length] ?? '',
    })
    if (answer.statusCode !== 200 || !(await answer.body.text()).includes('"allowed":true'))
      throw new Error(`admission ${i}: ${answer.statusCode}`)
  }
  const each = Math.ceil(trials(million) / samples)
  const seen: number[] = []
  for (let i = 0; i < samples; i++) {
    await inFlight(width, each, send)
    seen.push(await residentMiB(server))
  }
  await pool.close()
  console.log(`${each * samples} admissions; resident MiB: ${seen.map((value) => Math.round(value)).join(' ')}`)
  const fifth = samples / 5
  return median(seen.slice(-fifth)) - median(seen.slice(fifth, 2 * fifth))
}

async function growthMiB(): Promise<number> {
  const server = await startStandalone()
  try {
    await network(server)
    return await growth(server)
  } finally {
    await server.stop()
  }
}

export default async function memory(): Promise<readonly Metric[]> {
  return [
    absolute('rss-10k-ports', 'MiB', await workerMiB(), { atMost: 200 }),
    absolute('rss-growth-1m', 'MiB', await growthMiB(), { atMost: 16 }),
  ]
}
