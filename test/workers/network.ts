// What most tests stand on: a Vpc, a Subnet, and pods that ask for Nics.
import { nicsAnnotation, nicStatusAnnotation, vpcAnnotation } from '../../core/kinds/annotations.ts'
import type { Transition } from '../../core/kinds/meta.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { Draft } from '../../core/contracts/store.ts'
import type { NicReport } from '../../core/plan/pod.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { openHouse, type House } from './house.ts'

/** Vpc `a/blue` on VNI 5000 with Subnet `a/one`. */
export async function withNetwork(house: House, subnet: Partial<SpecOf<'Subnet'>> = { ipv4: { cidr: '10.0.0.0/24' } }): Promise<void> {
  await house.make('Vpc', 'a/blue', { vni: 5000 })
  await house.make('Subnet', 'a/one', { vpc: 'blue', ...subnet })
  await house.settle()
}

/** With that network, on a store that says only afterwards who an object is, as a cluster's. Both are the caller's to close, the house first. */
export async function openClusterLike(): Promise<{ readonly store: SqliteStore; readonly house: House }> {
  const store = SqliteStore.open(':memory:')
  Object.defineProperty(store, 'identify', { value: undefined })
  const house = await openHouse({ store })
  await withNetwork(house)
  return { store, house }
}

export interface PodOptions {
  readonly nics?: readonly object[]
  readonly vpc?: string
  readonly node?: string
  readonly metadata?: Partial<Draft<'Pod'>['metadata']>
}
export function makePod(house: House, key: string, { nics = [{ name: 'net1' }], vpc = 'blue', node, metadata = {} }: PodOptions = {}): Promise<Resource<'Pod'>> {
  const annotations = { [vpcAnnotation]: vpc, [nicsAnnotation]: JSON.stringify(nics), ...metadata.annotations }
  return house.make('Pod', key, { containers: [{ name: 'main' }], ...(node !== undefined && { nodeName: node }) }, { ...metadata, annotations })
}

export interface Said {
  readonly phase: string
  readonly sequence: number
  readonly reason: string
  readonly message: string
  readonly nics: readonly NicReport[]
  readonly timeline: readonly Transition[]
}
/** What a pod has been told about its Nics. */
export const told = (pod: Resource<'Pod'> | undefined): Said => JSON.parse(pod?.metadata.annotations?.[nicStatusAnnotation] ?? '{}') as Said

export async function toldOf(house: House, key: string): Promise<Said> {
  return told(await house.get('Pod', key))
}

export const deletePod = (house: House, key: string): Promise<unknown> => {
  const [namespace, name] = key.split('/') as [string, string]
  return house.store.delete({ kind: 'Pod', namespace, name })
}

/** Sets a pod's phase, as a kubelet would. */
export async function podPhase(house: House, key: string, phase: 'Running' | 'Succeeded' | 'Failed'): Promise<void> {
  const [namespace, name] = key.split('/') as [string, string]
  const pod = await house.get('Pod', key)
  await house.store.replaceForeignStatus({ kind: 'Pod', namespace, name }, pod!.metadata.uid, { ...pod!.status, phase })
  await house.settle()
}

/** The addresses that have a lock, in order. */
export async function lockedAddresses(house: House): Promise<string[]> {
  return (await house.all('IPLock')).flatMap((lock) => lock.spec.address ?? []).sort()
}
