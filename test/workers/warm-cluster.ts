// A cloud with pools of Ports made ahead, and the workers that look after them.
import type { CloudDriver } from '../../core/contracts/cloud.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { realClock, TurnedClock } from '../../platform/clock.ts'
import type { MetricSet } from '../../platform/metrics/set.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud, type MemoryCloudOptions } from '../../workers/drivers/cloud/memory-cloud.ts'
import { makePod } from './network.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { untilWithin } from './until-within.ts'

export interface Around {
  readonly cluster: TestCluster
  readonly cloud: MemoryCloud
  /** Passed on each way to the cloud. */
  readonly faults: { way: (leg: 'there' | 'back') => Promise<void> }
  end(): Promise<void>
}
export interface AroundOptions extends MemoryCloudOptions {
  readonly isClusterLike?: boolean
  readonly cidr?: string
  readonly metrics?: MetricSet
  /** What goes wrong on the way to the cloud. */
  readonly through?: (driver: CloudDriver) => CloudDriver
}
export type Pools = NonNullable<SpecOf<'Cloud'>['warmPools']>

/** Cloud `c` with pools, Vpc `a/blue` with Subnet `a/one` of it; what is asked of it takes a second. */
export async function around(
  warmPools: Pools,
  { isClusterLike = false, cidr = '10.0.0.0/24', through = (driver) => driver, metrics, ...options }: AroundOptions = {},
): Promise<Around> {
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const store = SqliteStore.open(':memory:', { clock: { ...realClock, now: () => clock.now() } })
  // Such a store says only afterwards who an object is.
  if (isClusterLike) Object.defineProperty(store, 'identify', { value: undefined })
  const cloud = new MemoryCloud({ now: () => clock.now(), takesMs: 1_000, ...options })
  const faults = { way: (_: 'there' | 'back') => Promise.resolve() }
  const cluster = await openTestCluster({
    clock,
    store,
    config: { agents: false },
    ...(metrics && { metrics }),
    cloudRegistry: { memory: () => through(memory(cloud, { landsWithinMs: 5_000, way: (leg) => faults.way(leg) })) },
  })
  await cluster.make('Cloud', 'c', { provider: 'memory', endpoint: 'here', warmPools })
  await cluster.make('Vpc', 'a/blue', { provider: 'memory', cloud: 'c' })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr } })
  await until(cluster, async () => (await cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  return {
    cluster,
    cloud,
    faults,
    async end() {
      await cluster.close()
      await store.close()
    },
  }
}

export const until = untilWithin(300)
export const reasonOf = ({ status }: Resource<'Port'>): string | undefined => status?.conditions?.[0]?.reason
export const entriesIn = async ({ cluster }: Around): Promise<readonly Resource<'Port'>[]> =>
  (await cluster.all('Port')).filter(({ spec }) => spec.warm !== undefined)
export const freeIn = async (of: Around): Promise<readonly Resource<'Port'>[]> =>
  (await entriesIn(of)).filter((entry) => entry.spec.warm?.for === undefined && reasonOf(entry) === 'Made')
export const isFilled = (of: Around, count: number) => async (): Promise<boolean> => (await freeIn(of)).length === count

/** A first pod, whose coming begins the pool. */
export async function filled(of: Around, count: number): Promise<void> {
  await makePod(of.cluster, 'a/first')
  await until(of.cluster, isFilled(of, count))
}
export const portOf = async ({ cluster }: Around, pod: string): Promise<Resource<'Port'> | undefined> =>
  (await cluster.all('Port')).find(({ spec }) => spec.claim?.pod === pod)
