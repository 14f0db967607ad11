// A cluster with one Cloud in memory that takes its time: Vpc a/blue of it, with Subnet a/one.
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { memory } from '../../workers/drivers/cloud/memory.ts'
import { MemoryCloud } from '../../workers/drivers/cloud/memory-cloud.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { untilWithin } from './until-within.ts'

export interface Around {
  readonly cluster: TestCluster
  readonly cloud: MemoryCloud
  /** Passed on each way to the cloud; set it to let something go wrong. */
  readonly faults: { way: () => Promise<void> }
}

export interface How {
  readonly takesMs?: number
  readonly agents?: boolean
  readonly enforcement?: 'enforce' | 'audit'
  readonly portsMax?: number
}

/** Cloud `c`, Vpc `a/blue` with Subnet `a/one` of it; what is asked of it takes a second. */
export async function around({ takesMs = 1_000, agents = false, enforcement = 'enforce', portsMax }: How = {}): Promise<Around> {
  const clock = new TurnedClock(Date.parse('2026-01-01T00:00:00Z'))
  const cloud = new MemoryCloud({
    now: () => clock.now(),
    takesMs,
    activates: 'plugged',
    qosPolicies: ['slow', 'fast'],
    ...(portsMax !== undefined && { portsMax }),
  })
  const faults = { way: () => Promise.resolve() }
  const cluster = await openTestCluster({
    clock,
    config: { agents, policyEnforcement: enforcement },
    cloudRegistry: { memory: () => memory(cloud, { landsWithinMs: 5_000, way: () => faults.way() }) },
  })
  await cluster.make('Cloud', 'c', { provider: 'memory', endpoint: 'here' })
  await cluster.make('Vpc', 'a/blue', { provider: 'memory', cloud: 'c' })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24' } })
  return { cluster, cloud, faults }
}

export const until = untilWithin(60)
export const reasonOf = (item: Resource<'Port' | 'Vpc' | 'Subnet' | 'Cloud'> | undefined): string | undefined =>
  item?.status?.conditions?.[0]?.reason
export const isReason =
  ({ cluster }: Pick<Around, 'cluster'>, kind: 'Port' | 'Vpc' | 'Subnet' | 'Cloud', key: string, reason: string) =>
  async (): Promise<boolean> =>
    reasonOf(await cluster.get(kind, key)) === reason

export async function makeReady(of: Around, spec: Partial<SpecOf<'Port'>> = {}): Promise<Resource<'Port'>> {
  await until(of.cluster, async () => (await of.cluster.get('Subnet', 'a/one'))?.status?.validated === true)
  await of.cluster.make('Port', 'a/p', { subnet: 'one', ...spec })
  await until(of.cluster, isReason(of, 'Port', 'a/p', 'Made'))
  return (await of.cluster.get('Port', 'a/p'))!
}
