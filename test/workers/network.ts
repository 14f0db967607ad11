// What most tests stand on: a Vpc, a Subnet, and pods that ask for Nics.
import { nicsAnnotation, nicStatusAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import type { Transition } from '../../core/kinds/meta.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { Draft } from '../../core/contracts/store.ts'
import type { NicReport } from '../../core/plan/pod/pod.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'

/** Vpc `a/blue` on VNI 5000 with Subnet `a/one`. */
export async function withNetwork(
  cluster: TestCluster,
  subnet: Partial<SpecOf<'Subnet'>> = { ipv4: { cidr: '10.0.0.0/24' } },
): Promise<void> {
  await cluster.make('Vpc', 'a/blue', { vni: 5000 })
  await cluster.make('Subnet', 'a/one', { vpc: 'blue', ...subnet })
  await cluster.settle()
}

/** A store that says only afterwards who an object is, as a cluster's. */
export function clusterLike(): SqliteStore {
  const store = SqliteStore.open(':memory:')
  Object.defineProperty(store, 'identify', { value: undefined })
  return store
}

/** With that network, on such a store. Both are the caller's to close, the cluster first. */
export async function openClusterLike(): Promise<{ readonly store: SqliteStore; readonly cluster: TestCluster }> {
  const store = clusterLike()
  const cluster = await openTestCluster({ store })
  await withNetwork(cluster)
  return { store, cluster }
}

export interface PodOptions {
  readonly nics?: readonly object[]
  readonly vpc?: string
  readonly node?: string
  readonly metadata?: Partial<Draft<'Pod'>['metadata']>
}
export function makePod(
  cluster: TestCluster,
  key: string,
  { nics = [{ name: 'net1' }], vpc = 'blue', node, metadata = {} }: PodOptions = {},
): Promise<Resource<'Pod'>> {
  const annotations = { [vpcAnnotation]: vpc, [nicsAnnotation]: JSON.stringify(nics), ...metadata.annotations }
  return cluster.make(
    'Pod',
    key,
    { containers: [{ name: 'main' }], ...(node !== undefined && { nodeName: node }) },
    { ...metadata, annotations },
  )
}

export interface ReportedStatus {
  readonly phase: string
  readonly sequence: number
  readonly reason: string
  readonly message: string
  readonly nics: readonly NicReport[]
  readonly timeline: readonly Transition[]
}
/** What a pod has been told about its Nics. */
export const reportedStatusOf = (pod: Resource<'Pod'> | undefined): ReportedStatus =>
  JSON.parse(pod?.metadata.annotations?.[nicStatusAnnotation] ?? '{}') as ReportedStatus

export async function toldOf(cluster: TestCluster, key: string): Promise<ReportedStatus> {
  return reportedStatusOf(await cluster.get('Pod', key))
}

export const deletePod = (cluster: TestCluster, key: string): Promise<unknown> => {
  const [namespace, name] = key.split('/') as [string, string]
  return cluster.store.delete({ kind: 'Pod', namespace, name })
}

/** Sets a pod's phase, as a kubelet would. */
export async function podPhase(cluster: TestCluster, key: string, phase: 'Running' | 'Succeeded' | 'Failed'): Promise<void> {
  const [namespace, name] = key.split('/') as [string, string]
  const pod = await cluster.get('Pod', key)
  await cluster.store.replaceForeignStatus({ kind: 'Pod', namespace, name }, pod!.metadata.uid, { ...pod!.status, phase })
  await cluster.settle()
}

/** The addresses that have a lock, in order. */
export async function lockedAddresses(cluster: TestCluster): Promise<string[]> {
  return (await cluster.all('IPLock')).flatMap((lock) => lock.spec.address ?? []).sort()
}
