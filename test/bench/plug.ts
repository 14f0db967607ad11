// How soon a Port is ready once its port is ACTIVE at Neutron: workers on a Neutron in memory, which tells nobody and is asked by time.
import { performance } from 'node:perf_hooks'
import type { Resource } from '../../core/kinds/index.ts'
import { NeutronModel } from '../drivers/neutron/model.ts'
import { until } from '../setup/until.ts'
import { openCloudWorkers, type CloudWorkers } from './lib/cloud-workers.ts'
import { againstFloor, type Metric } from './lib/metric.ts'
import { median } from './lib/rounds.ts'

export const description = 'from ACTIVE at Neutron to a Port that is ready, in intervals of asking'

const ports = 20
/** Beside the interval in which Neutron is asked. */
const besidesMs = 50

const reasonOf = (port: Resource<'Port'> | undefined): string => port?.status?.conditions?.[0]?.reason ?? ''

/** Milliseconds from ACTIVE until it is ready, and how long it had waited by then, of which the interval is a quarter at most. */
async function plugged({ store, caches }: CloudWorkers, model: NeutronModel, i: number): Promise<{ took: number; interval: number }> {
  const name = `p${i}`
  await store.create({ kind: 'Port', metadata: { namespace: 'a', name }, spec: { subnet: 's', node: 'n1' } })
  const port = (): Resource<'Port'> | undefined => caches.Port.get(`a/${name}`)
  await until(() => reasonOf(port()) === 'Plugged', `${name} is bound: ${reasonOf(port())}`, 60_000)
  const bound = performance.now()
  // As long as an agent may take, so that not all are ready at the same moment of an interval.
  await new Promise((done) => setTimeout(done, 200 + i * 37))
  const from = performance.now()
  model.plug(port()!.status!.providerID!)
  await until(() => port()?.status?.phase === 'ready', `${name} is ready`, 60_000)
  return { took: performance.now() - from, interval: Math.max(250, (performance.now() - bound) / 4) }
}

export default async function plug(): Promise<Metric[]> {
  const model = new NeutronModel({ now: () => Date.now() })
  const workers = await openCloudWorkers({ model })
  try {
    await workers.store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
    const all: { took: number; interval: number }[] = []
    for (let i = 0; i < ports; i++) all.push(await plugged(workers, model, i))
    const [value, floor] = [median(all.map(({ took }) => took)), median(all.map(({ interval }) => interval))]
    return [againstFloor('active', 'ms', { value, floor }, { atMost: Number((1 + besidesMs / floor).toFixed(2)) })]
  } finally {
    await workers.stop()
  }
}
