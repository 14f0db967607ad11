// Pods posted to REST until their Ports are ready: both admissions, the workers, Redis, and every change on disk.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { until } from '../setup/until.ts'
import { kubeFigures } from './lib/kube-ports.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { openPoster, paced, type Poster } from './lib/poster.ts'
import { inFlight, measured, median, quantile, rate } from './lib/rounds.ts'
import { startStandalone, type Standalone } from './lib/standalone.ts'

export const description =
  'pods posted until their Ports are ready, standalone per second and, at half of that rate, how long the slowest 1 % take; in a cluster per second and in requests'

const width = 50
const warmup = 6_000
const rounds = 3
const perRound = 8_000
const pacedSeconds = 15

const manifest = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s"}]' } },
    spec: { containers: [{ name: 'web', image: 'registry.example.org/web:1.2.3' }] },
  })
const podsIn = (namespace: string): string => `/v1/namespaces/${namespace}/pods`

interface Listed {
  readonly items: readonly Resource<'Port'>[]
  readonly metadata: { readonly continue?: string }
}

class Server {
  readonly standalone: Standalone
  readonly poster: Poster

  constructor(standalone: Standalone) {
    this.standalone = standalone
    this.poster = openPoster(standalone.url, standalone.token, width)
  }

  async get<T>(path: string): Promise<T> {
    const { url, token } = this.standalone
    return (await (await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })).json()) as T
  }

  /** A Vpc and a /16 of its own. */
  async setUp(namespace: string): Promise<void> {
    const apiVersion = 'megrez.io/v1alpha1'
    await this.poster.post(
      `/v1/namespaces/${namespace}/vpcs`,
      JSON.stringify({ apiVersion, kind: 'Vpc', metadata: { name: 'v' }, spec: {} }),
    )
    await this.poster.post(
      `/v1/namespaces/${namespace}/subnets`,
      JSON.stringify({ apiVersion, kind: 'Subnet', metadata: { name: 's' }, spec: { vpc: 'v', ipv4: { cidr: '10.1.0.0/16' } } }),
    )
    await until(
      async () => (await this.get<Resource<'Subnet'>>(`/v1/namespaces/${namespace}/subnets/s`)).status?.phase === 'ready',
      'the Subnet is ready',
    )
  }

  /** When each pod's Port became ready by its own timeline, in milliseconds since 1970; waits until all have. */
  async readyTimes(namespace: string, count: number): Promise<ReadonlyMap<string, number>> {
    let times = new Map<string, number>()
    // Lists are work too: they begin when the last pod has its Port, which is cheap to ask.
    await until(
      async () =>
        (await this.get<Resource<'Pod'>>(`${podsIn(namespace)}/p${count - 1}`)).metadata.annotations?.[nicStatusAnnotation]?.includes(
          '"phase":"ready"',
        ) === true,
      'the last pod has its Port',
      120_000,
    )
    await until(async () => (times = await this.#timesIn(namespace)).size === count, `${count} Ports of ${namespace} are ready`, 60_000)
    return times
  }

  async #timesIn(namespace: string): Promise<Map<string, number>> {
    const times = new Map<string, number>()
    let place: string | undefined
    do {
      const page: Listed = await this.get<Listed>(
        `/v1/namespaces/${namespace}/ports?limit=500${place === undefined ? '' : `&continue=${encodeURIComponent(place)}`}`,
      )
      for (const { spec, status } of page.items) {
        const entry = status?.timeline?.find(({ phase }) => phase === 'ready')
        if (entry !== undefined) times.set(spec.claim?.pod ?? '', Date.parse(entry.time))
      }
      place = page.metadata.continue
    } while (place !== undefined)
    return times
  }
}

/** Ports per second of one burst: from the first request until the last Port is ready. */
async function burst(
  server: Server,
  namespace: string,
  count: number,
): Promise<{ readonly perSecond: number; readonly cpuMicros: number }> {
  await server.setUp(namespace)
  const before = await server.standalone.cpuSeconds()
  const began = Date.now()
  await inFlight(width, count, (i) => server.poster.post(podsIn(namespace), manifest(`p${i}`)))
  const ready = Math.max(...(await server.readyTimes(namespace, count)).values())
  const cpuMicros = (((await server.standalone.cpuSeconds()) - before) * 1e6) / count
  return { perSecond: (count * 1_000) / (ready - began), cpuMicros }
}

/** Milliseconds from each request to its Port's being ready, with requests coming whether we are ready for them or not. */
async function latencies(server: Server, namespace: string, perSecond: number, seconds: number): Promise<readonly number[]> {
  await server.setUp(namespace)
  const count = perSecond * seconds
  const sent: number[] = []
  await paced(perSecond, count, (i) => {
    sent[i] = Date.now()
    return server.poster.post(podsIn(namespace), manifest(`p${i}`))
  })
  const ready = await server.readyTimes(namespace, count)
  return sent.map((at, i) => (ready.get(`p${i}`) ?? Number.POSITIVE_INFINITY) - at)
}

/** Answers per second of a route that parses and answers, to the same generator. */
async function floor(): Promise<{ round(): Promise<number>; close(): Promise<void> }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'lib/floor-server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const l4Port = await new Promise<string>((done) => createInterface({ input: child.stdout }).once('line', done))
  const poster = openPoster(`http://127.0.0.1:${l4Port}`, 'none', width)
  return {
    round: () => rate(perRound, () => inFlight(width, perRound, (i) => poster.post('/pods', manifest(`p${i}`)))),
    async close() {
      await poster.close()
      child.stdin.end()
    },
  }
}

async function standaloneFigures(): Promise<readonly Metric[]> {
  const standalone = await startStandalone()
  const bare = await floor()
  try {
    const server = new Server(standalone)
    await burst(server, 'warm', warmup)
    const all: { readonly perSecond: number; readonly cpuMicros: number; readonly bare: number }[] = []
    for (let i = 0; i < rounds; i++) all.push({ ...(await burst(server, `burst${i}`, perRound)), bare: await bare.round() })
    for (const each of all)
      console.log(
        `${Math.round(each.perSecond)} Ports/s, ${Math.round(each.cpuMicros)} µs of processor time each in the server, the lists that look for them included; the bare route answers ${Math.round(each.bare)}/s`,
      )
    const perSecond = median(all.map((each) => each.perSecond))
    const pace = Math.round(perSecond / 2)
    const took = await latencies(server, 'paced', pace, pacedSeconds)
    console.log(`at ${pace}/s: p50 ${quantile(took, 0.5)} ms, p99 ${quantile(took, 0.99)} ms, slowest ${Math.max(...took)} ms`)
    await server.poster.close()
    const bareRoute = measured(all.map((each) => each.bare))
    return [
      againstFloor('sqlite.rate', 'Ports/s', { value: perSecond, floor: bareRoute }, { atLeast: 0.25 }),
      absolute('sqlite.p99', 'ms', quantile(took, 0.99), { atMost: 50 }),
    ]
  } finally {
    await bare.close()
    await standalone.stop()
  }
}

async function clusterFigures(): Promise<readonly Metric[]> {
  const figures = await kubeFigures()
  if ('missing' in figures) {
    console.log(`no figures of a cluster: ${figures.missing.join('; ')}`)
    return []
  }
  console.log(
    `on kube-apiserver and etcd: ${Math.round(figures.perSecond)} Ports/s, ${figures.writes.toFixed(2)} writes and ${figures.reads.toFixed(2)} reads each`,
  )
  return [
    {
      metric: 'kube.rate',
      value: Number(figures.perSecond.toPrecision(6)),
      unit: 'Ports/s',
      floor: null,
      ratio: null,
      spread: null,
      target: 'none: a figure beside sqlite.rate',
      met: true,
    },
    absolute('kube.requests-per-port', 'writes', figures.writes, { atMost: 4 }),
  ]
}

export default async function ports(): Promise<readonly Metric[]> {
  return [...(await standaloneFigures()), ...(await clusterFigures())]
}
