// How soon a pod knows its address, with Ports made ahead and without: workers on a Neutron in memory, whose answers take a second each.
import { performance } from 'node:perf_hooks'
import { nicStatusAnnotation } from '../../../core/kinds/annotations.ts'
import type { SpecOf } from '../../../core/kinds/index.ts'
import type { Caches } from '../../../platform/cache/caches.ts'
import type { SqliteStore } from '../../../platform/store/sqlite.ts'
import { NeutronModel } from '../../drivers/neutron/model.ts'
import { until } from '../../setup/until.ts'
import { openCloudWorkers } from './cloud-workers.ts'

export interface PodTimes {
  /** Milliseconds from a pod being stored until its Port tells of an address, and until the pod is told that it is ready. */
  readonly address: number
  readonly ready: number
}
const answerMs = 1_000
const pods = 9

export async function podTimes(warmPools: SpecOf<'Cloud'>['warmPools']): Promise<PodTimes> {
  const model = new NeutronModel({ now: () => Date.now() })
  // Of each request one leg is the cloud's own work.
  let legs = 0
  const way = (): Promise<void> => (legs++ % 2 === 0 ? new Promise((done) => setTimeout(done, answerMs)) : Promise.resolve())
  const { store, caches, stop } = await openCloudWorkers({ model, way, ...(warmPools && { warmPools }) })
  try {
    await timed(store, caches, 'first')
    if (warmPools !== undefined) await until(() => madeAhead(caches) >= (warmPools.min ?? 0), 'the pool is filled', 60_000)
    const times = await Promise.all(Array.from({ length: pods }, (_, i) => timed(store, caches, `p${i}`)))
    const median = (of: keyof PodTimes): number => times.map((each) => each[of]).sort((a, b) => a - b)[Math.floor(pods / 2)]!
    return { address: median('address'), ready: median('ready') }
  } finally {
    await stop()
  }
}

const madeAhead = ({ Port }: Caches): number =>
  [...Port.values()].filter(({ spec, status }) => spec.warm !== undefined && status?.phase === 'ready').length

async function timed(store: SqliteStore, { Port, Pod }: Caches, name: string): Promise<PodTimes> {
  const annotations = { 'megrez.io/vpc': 'v', 'megrez.io/nics': '[{"name":"eth0","subnet":"s"}]' }
  const from = performance.now()
  await store.create({ kind: 'Pod', metadata: { namespace: 'a', name, annotations }, spec: { containers: [{ name: 'main' }] } })
  const isTold = (): boolean => [...Port.by('claimPod', `a/${name}`)].some(({ status }) => (status?.addresses ?? []).length > 0)
  await soon(isTold)
  const address = performance.now() - from
  await soon(() => (Pod.get(`a/${name}`)?.metadata.annotations?.[nicStatusAnnotation] ?? '').includes('"phase":"ready"'))
  return { address, ready: performance.now() - from }
}

/** At once where it is so within a few rounds of the event loop: a look every some milliseconds would be what is measured. */
async function soon(isSo: () => boolean): Promise<void> {
  for (let rounds = 0; !isSo(); rounds++) {
    if (rounds > 60_000) throw new Error('it does not come')
    await new Promise((done) => (rounds < 2_000 ? setImmediate(done) : setTimeout(done, 1)))
  }
}
