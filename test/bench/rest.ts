// REST over HTTP on loopback: server and client in processes of their own, 16 kept connections, a token, a store in memory.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { againstFloor, type Metric } from './lib/metric.ts'
import { inFlight, interleaved, median, quantile, show } from './lib/rounds.ts'

export const description = 'REST: objects made, read, listed and watched per second, against a bare Fastify route'

const rounds = 5
const connections = 16
const counts = { create: 2_000, get: 5_000, list: 500, watch: 1_000 } as const
type Name = keyof typeof counts
const names = Object.keys(counts) as Name[]
const all = '/v1/namespaces/bench/securitygroups'

interface Server {
  readonly pool: Pool
  readonly headers: Readonly<Record<string, string>>
  made: number
  stop(): Promise<void>
}

async function start(which: 'bare' | 'ours'): Promise<Server> {
  const pinned = availableParallelism() > 1 ? ['taskset', '-c', '0'] : ['env']
  const [program = '', ...args] = [
    ...pinned,
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'lib/rest-server.ts'),
    which,
  ]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const line = await new Promise<string>((done, failed) => {
    child.once('exit', (code) => failed(new Error(`the server ${which} ended with ${code}`)))
    createInterface({ input: child.stdout }).once('line', done)
  })
  const { l4Port, token } = JSON.parse(line) as { readonly l4Port: number; readonly token: string }
  const pool = new Pool(`http://127.0.0.1:${l4Port}`, { connections: connections + 4, pipelining: 1, keepAliveMaxTimeout: 10_000 })
  const stop = async (): Promise<void> => {
    await pool.destroy()
    child.stdin.end()
  }
  return { pool, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, made: 0, stop }
}

const group = (name: string): string =>
  JSON.stringify({
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'SecurityGroup',
    metadata: { name, labels: { app: 'web', tier: 'front' } },
    spec: {
      rules: [{ direction: 'ingress', etherType: 'IPv4', protocol: 'tcp', l4PortMin: 443, l4PortMax: 443, remoteCIDR: '192.0.2.0/24' }],
    },
  })

async function send({ pool, headers }: Server, method: 'GET' | 'POST', path: string, body?: string): Promise<void> {
  const answer = await pool.request({ method, path, headers, ...(body !== undefined && { body }) })
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${await answer.body.text()}`)
  await answer.body.dump()
}

const create = (server: Server): Promise<void> => send(server, 'POST', all, group(`g${server.made++}`))
const tasks: Readonly<Record<Exclude<Name, 'watch'>, (server: Server) => Promise<void>>> = {
  create,
  get: (server) => send(server, 'GET', `${all}/g0`),
  list: (server) => send(server, 'GET', `${all}?limit=100`),
}

interface Figures {
  readonly rate: number
  readonly p99Ms: number
}

async function requests(server: Server, name: Exclude<Name, 'watch'>): Promise<Figures> {
  const took: number[] = []
  const began = performance.now()
  await inFlight(connections, counts[name], async () => {
    const at = performance.now()
    await tasks[name](server)
    took.push(performance.now() - at)
  })
  return { rate: (counts[name] * 1_000) / (performance.now() - began), p99Ms: quantile(took, 0.99) }
}

/** Changes that one watcher is told of per second, while they are made; and how long after its making begins each is told. */
async function watched(server: Server): Promise<Figures> {
  const list = await server.pool.request({ method: 'GET', path: `${all}?limit=1`, headers: server.headers })
  const { metadata } = (await list.body.json()) as { readonly metadata: { readonly resourceVersion: string } }
  const { body } = await server.pool.request({
    method: 'GET',
    path: `${all}?watch=true&resourceVersion=${metadata.resourceVersion}`,
    headers: server.headers,
  })
  const sent = new Map<string, number>()
  const took: number[] = []
  const { promise: told, resolve } = Promise.withResolvers<void>()
  let rest = ''
  body
    .on('error', () => undefined)
    .on('data', (piece: Buffer) => {
      const events = (rest + piece.toString()).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const at = event.startsWith('event: put') ? sent.get(/"name":"(g\d+)"/.exec(event)?.[1] ?? '') : undefined
        if (at !== undefined) took.push(performance.now() - at)
      }
      if (took.length >= counts.watch) resolve()
    })
  const began = performance.now()
  await inFlight(connections, counts.watch, () => {
    sent.set(`g${server.made}`, performance.now())
    return create(server)
  })
  await told
  const seconds = (performance.now() - began) / 1_000
  body.destroy()
  return { rate: counts.watch / seconds, p99Ms: quantile(took, 0.99) }
}

export default async function rest(): Promise<readonly Metric[]> {
  const servers = { bare: await start('bare'), ours: await start('ours') }
  try {
    for (const server of Object.values(servers)) await inFlight(connections, 100, () => create(server))
    const metrics: Metric[] = []
    for (const name of names) {
      const p99: Record<keyof typeof servers, number[]> = { bare: [], ours: [] }
      const measure = (which: keyof typeof servers) => async (): Promise<number> => {
        const { rate, p99Ms } = await (name === 'watch' ? watched(servers[which]) : requests(servers[which], name))
        p99[which].push(p99Ms)
        return rate
      }
      const figures = await interleaved(rounds, { bare: measure('bare'), ours: measure('ours') })
      show('/s', Object.fromEntries(Object.entries(figures).map(([which, each]) => [`${name} ${which}`, each])))
      // The first round warms up.
      console.log(`${name}: p99 ${median(p99.ours.slice(1)).toFixed(1)} ms, floor ${median(p99.bare.slice(1)).toFixed(1)} ms`)
      metrics.push(againstFloor(name, '/s', { value: figures.ours.median, floor: figures.bare }, { atLeast: targets[name] }))
    }
    return metrics
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()))
  }
}

/** Creates are judged, stored and told; the floor does none of it. */
const targets: Readonly<Record<Name, number>> = { create: 0.35, get: 0.7, list: 0.7, watch: 0.35 }
