// The same on a real kube-apiserver and etcd: webhooks and one worker as processes of their own, etcd without its flushes.
import type { Resource } from '../../../core/kinds/index.ts'
import { openServices } from '../../setup/services.ts'
import { until } from '../../setup/until.ts'
import { inFlight } from './rounds.ts'

const width = 24
const warmup = 200
const count = 1_500

export interface KubeFigures {
  readonly perSecond: number
  /** Requests to the API server for each Port, admission's and the workers', by what they do. */
  readonly writes: number
  readonly reads: number
}

/** @returns sentences about what is missing where there is no API server to be had */
export async function kubeFigures(): Promise<KubeFigures | { readonly missing: readonly string[] }> {
  const services = openServices({ install: true })
  try {
    for (const service of ['kube', 'redis'] as const) {
      const provided = await services.get(service)
      if ('missing' in provided) return provided
      Object.assign(process.env, provided.env)
    }
    return await measured()
  } finally {
    await services.close()
  }
}

async function measured(): Promise<KubeFigures> {
  // They read the environment when they are loaded.
  const { list, network, openTestCluster: openHouse } = await import('../../kube/test-cluster.ts')
  const { openRaw } = await import('../../kube/raw.ts')
  const cluster = await openHouse()
  const raw = openRaw()
  try {
    const mains = [cluster.webhooks, await cluster.startWorkers()]
    const space = await network('bench', '10.1.0.0/16')
    const post = async (name: string): Promise<void> => {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, annotations: { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"subnet":"s"}]' } },
        spec: { containers: [{ name: 'web', image: 'registry.example.org/web:1.2.3' }] },
      }
      const { status, body } = await raw.request('POST', `/api/v1/namespaces/${space}/pods`, pod)
      if (status !== 201) throw new Error(`${status} ${body.message}`)
    }
    const readyTimes = async (): Promise<number[]> =>
      (await list('ports', '-n', space)).flatMap(
        (port) =>
          (port as unknown as Resource<'Port'>).status?.timeline
            ?.filter(({ phase }) => phase === 'ready')
            .map(({ time }) => Date.parse(time)) ?? [],
      )
    const settled = async (wanted: number): Promise<number[]> => {
      let times: number[] = []
      await until(async () => (times = await readyTimes()).length === wanted, `${wanted} Ports are ready`, 120_000)
      return times
    }
    const requests = async (): Promise<KubeRequests> =>
      sum(
        await Promise.all(
          mains.map(async (main) =>
            requestsIn(await (await fetch(`http://127.0.0.1:${await main.l4PortOf('healthL4Port')}/metrics`)).text()),
          ),
        ),
      )

    await inFlight(width, warmup, (i) => post(`warm${i}`))
    await settled(warmup)
    const before = await requests()
    const began = Date.now()
    await inFlight(width, count, (i) => post(`p${i}`))
    const last = Math.max(...(await settled(warmup + count)))
    const after = await requests()
    return {
      perSecond: (count * 1_000) / (last - began),
      writes: (after.writes - before.writes) / count,
      reads: (after.reads - before.reads) / count,
    }
  } finally {
    await raw.close()
    await cluster.close()
  }
}

interface KubeRequests {
  readonly writes: number
  readonly reads: number
}
/** Watches are not counted: they are begun once. */
function requestsIn(metrics: string): KubeRequests {
  const of = (verbs: string): number =>
    [...metrics.matchAll(new RegExp(`^megrez_kube_requests_total\\{verb="(?:${verbs})".*\\} (\\d+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    )
  return { writes: of('create|patch|delete'), reads: of('get|list') }
}
const sum = (all: readonly KubeRequests[]): KubeRequests =>
  all.reduce((total, each) => ({ writes: total.writes + each.writes, reads: total.reads + each.reads }), { writes: 0, reads: 0 })
