// Workers on a Neutron in memory, in this process, with the Vpc and the Subnet of a tenant.
import { openCaches, type Caches } from '../../../platform/cache/caches.ts'
import { realClock } from '../../../platform/clock.ts'
import { readConfig } from '../../../platform/config.ts'
import { silentLog } from '../../../platform/log.ts'
import { memoryQueues } from '../../../platform/queue/memory.ts'
import { SqliteStore } from '../../../platform/store/sqlite.ts'
import type { SpecOf } from '../../../core/kinds/index.ts'
import { cloudRegistry } from '../../../workers/drivers/cloud/index.ts'
import { startWorkers } from '../../../workers/start.ts'
import { driverOn } from '../../drivers/neutron/driver.ts'
import type { NeutronModel } from '../../drivers/neutron/model.ts'
import { until } from '../../setup/until.ts'

export interface CloudWorkers {
  readonly store: SqliteStore
  readonly caches: Caches
  stop(): Promise<void>
}
interface CloudWorkersOptions {
  readonly model: NeutronModel
  /** Passed on each request's way there and back. */
  readonly way?: () => Promise<void>
  readonly warmPools?: SpecOf<'Cloud'>['warmPools']
  readonly agents?: boolean
}

/** Subnet `a/s` of Vpc `a/v` is ready. */
export async function openCloudWorkers({ model, way, warmPools, agents = false }: CloudWorkersOptions): Promise<CloudWorkers> {
  const store = SqliteStore.open(':memory:')
  const caches = openCaches(store)
  const end = new AbortController()
  await caches.start(end.signal)
  const queues = memoryQueues({ log: silentLog(), clock: realClock })
  const workers = await startWorkers({
    store,
    caches,
    queues,
    config: readConfig({}, { agents }),
    clock: realClock,
    log: silentLog(),
    random: Math.random,
    cloudRegistry: { ...cloudRegistry, neutron: () => driverOn(model, way) },
  })
  const stop = async (): Promise<void> => {
    end.abort()
    await workers.stop()
    await queues.close()
    await store.close()
  }
  try {
    const spec = { provider: 'neutron' as const, endpoint: 'here', ...(warmPools && { warmPools }) }
    await store.create({ kind: 'Cloud', metadata: { name: 'c' }, spec })
    await store.create({ kind: 'Vpc', metadata: { namespace: 'a', name: 'v' }, spec: { provider: 'neutron', cloud: 'c' } })
    await store.create({ kind: 'Subnet', metadata: { namespace: 'a', name: 's' }, spec: { vpc: 'v', ipv4: { cidr: '10.1.0.0/16' } } })
    await until(() => caches.Subnet.get('a/s')?.status?.phase === 'ready', 'the Subnet is there', 60_000)
    return { store, caches, stop }
  } catch (err) {
    await stop()
    throw err
  }
}
