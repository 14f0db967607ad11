// The network as a graph, over a store of 200,000 objects: what a picture and a page take, and for how long nobody else is answered.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Draft } from '../../core/contracts/store.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'
import { absolute, type Metric } from './lib/metric.ts'

export const description = 'the graph of 200,000 objects: a picture, a page, one tenant of 50, and the longest turn of the loop'

const [nodes, vpcs, tenants, pods] = [2_000, 400, 50, 98_000]
const [atOnce, rounds] = [5_000, 5]

async function fill({ store }: Harness): Promise<void> {
  const put = async (count: number, draft: (n: number) => object): Promise<void> => {
    for (let from = 0; from < count; from += atOnce)
      await store.commit(
        Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => ({ do: 'create', draft: draft(from + i) as Draft }) as const),
      )
  }
  const tenant = (vpc: number): string => `t${vpc % tenants}`
  await put(nodes, (n) => ({ kind: 'Node', metadata: { name: `node-${n}` }, spec: {} }))
  await put(vpcs, (n) => ({
    kind: 'Vpc',
    metadata: { namespace: tenant(n), name: `v${n}` },
    spec: { provider: 'builtin', vni: 5_000 + n },
  }))
  await put(vpcs, (n) => ({
    kind: 'Subnet',
    metadata: { namespace: tenant(n), name: `s${n}` },
    spec: { vpc: `v${n}`, ipv4: { cidr: '10.0.0.0/16' } },
  }))
  await put(pods, (n) => ({
    kind: 'Port',
    metadata: { namespace: tenant(n % vpcs), name: `p${n}` },
    spec: { subnet: `s${n % vpcs}`, node: `node-${(n * 7) % nodes}`, claim: { pod: `pod${n}`, nic: 'n', owner: 'Pod', podUID: 'u' } },
  }))
  await put(pods, (n) => ({ kind: 'Pod', metadata: { namespace: tenant(n % vpcs), name: `pod${n}` }, spec: {} }))
}

interface Timing {
  readonly tookMs: number
  /** The longest turn of the event loop meanwhile. */
  readonly blockMs: number
}

async function time(rest: Harness, path: string, token: string): Promise<Timing> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const began = performance.now()
  const { statusCode } = await rest.app.inject({ method: 'GET', url: `/v1${path}`, headers: { authorization: `Bearer ${token}` } })
  const tookMs = performance.now() - began
  await new Promise((done) => setTimeout(done, 10))
  delay.disable()
  if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode}`)
  const timing = { tookMs, blockMs: delay.max / 1e6 }
  console.log(`GET ${path}: ${tookMs.toFixed(0)} ms, longest turn ${timing.blockMs.toFixed(0)} ms`)
  return timing
}

async function again(rest: Harness, path: string, token: string): Promise<Timing> {
  const all: Timing[] = []
  for (let i = 0; i < rounds; i++) all.push(await time(rest, path, token))
  const median = (of: (each: Timing) => number): number => all.map(of).sort((a, b) => a - b)[rounds >> 1] ?? 0
  return { tookMs: median(({ tookMs }) => tookMs), blockMs: median(({ blockMs }) => blockMs) }
}

export default async function topology(): Promise<readonly Metric[]> {
  const rest = await openHarness()
  try {
    await fill(rest)
    const tenant = await rest.issuer.issue({ subject: 'alice', scope: 'viewer', namespaces: ['t1'] }, 3_600)
    const token = await rest.fresh()
    // The store sorts its keys for the first that pages through a kind.
    await time(rest, '/topology/picture', tenant)
    const first = await time(rest, '/topology/picture', token)
    const picture = await again(rest, '/topology/picture', token)
    const page = await again(rest, '/topology?vni=5001', token)
    const own = await again(rest, '/topology/picture', tenant)
    return [
      absolute('first', 'ms', first.tookMs, { atMost: 5_000 }),
      absolute('first-turn', 'ms', first.blockMs, { atMost: 200 }),
      absolute('picture', 'ms', picture.tookMs, { atMost: 250 }),
      absolute('picture-turn', 'ms', picture.blockMs, { atMost: 100 }),
      absolute('page', 'ms', page.tookMs, { atMost: 100 }),
      absolute('tenant', 'ms', own.tookMs, { atMost: 50 }),
    ]
  } finally {
    await rest.close()
  }
}
