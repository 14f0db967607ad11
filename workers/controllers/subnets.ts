// Subnets: valid once their blocks stand in the lock of their VNI.
import { finalizersFor } from '../../core/admit/finalizers.ts'
import type { Write } from '../../core/contracts/store.ts'
import { subnetFinalizer } from '../../core/kinds/annotations.ts'
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { vniLockName } from '../../core/net/names.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { planSubnet, type SubnetAction, type SubnetDesired, type SubnetObserved } from '../../core/plan/subnet.ts'
import type { Blockers } from '../../core/plan/vpc.ts'
import { blockersAmong } from '../blockers.ts'
import { objects } from '../drivers/objects.ts'
import { reporting, type Env } from '../env.ts'
import type { Controller } from '../reconcile.ts'

export function subnets(env: Env): Controller<SubnetDesired, SubnetDesired, SubnetObserved, SubnetAction, Plan<SubnetAction>> {
  const { caches, store } = env
  const driver = objects<SubnetDesired, SubnetObserved, SubnetAction>(store, 'segments', {
    async observe({ subnet, vpc }) {
      if (subnet.spec.l2Service !== undefined) return { lock: undefined, rivals: await rivalsOf(subnet, env) }
      const vni = subnet.status?.vni ?? vpc?.status?.vni
      if (vni === undefined) return { lock: undefined }
      const name = vniLockName(vni)
      // A cache may be behind a rival: what decides is read live, and written only if nobody has since.
      const settled = subnet.status?.validated === true && subnet.metadata.deletionTimestamp === undefined
      return { lock: settled ? caches.SegmentLock.get(name) : await store.get({ kind: 'SegmentLock', name }) }
    },
    writesOf,
  })
  return {
    name: 'subnet',
    async gather(key) {
      const subnet = caches.Subnet.get(key)
      if (subnet === undefined) return undefined
      return { subnet, vpc: caches.Vpc.get(`${subnet.metadata.namespace ?? ''}/${subnet.spec.vpc}`), blockers: await blockersOf(subnet, env) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    plan: planSubnet,
    guard: ({ subnet }) => ({ item: subnet, finalizers: finalizersFor('Subnet', subnet) }),
    refusal: (message) => refused('Refused', message),
    report: ({ subnet }, plan, now) => (plan.phase === 'deleted' ? ended(subnet, [subnetFinalizer], reporting(env, now)) : reported(subnet, plan, reporting(env, now)).writes),
  }
}

/** The others of its L2Service; once it is valid nobody's can change that. */
async function rivalsOf({ metadata, spec, status }: Resource<'Subnet'>, { store }: Env): Promise<readonly Resource<'Subnet'>[]> {
  if (status?.validated === true) return []
  const { items } = await store.list('Subnet', { namespace: metadata.namespace ?? '' })
  return items.filter((each) => each.spec.l2Service === spec.l2Service && each.metadata.uid !== metadata.uid && each.metadata.deletionTimestamp === undefined)
}

/** The Ports in it; where the cache knows none, the store itself is asked. */
async function blockersOf(subnet: Resource<'Subnet'>, env: Env): Promise<Blockers | undefined> {
  if (subnet.metadata.deletionTimestamp === undefined) return undefined
  const cached = [...env.caches.Port.by('subnet', keyOfItem(subnet))].map((port) => port.metadata.name)
  if (cached.length > 0) return blockersAmong(subnet, cached, env)
  const { namespace = '', name } = subnet.metadata
  const [near, far] = await Promise.all([
    env.store.list('Port', { namespace, fields: { '.spec.subnet': name }, limit: 1 }),
    env.store.list('Port', { fields: { '.spec.subnet': `${namespace}/${name}` }, limit: 1 }),
  ])
  return blockersAmong(subnet, [...near.items, ...far.items].map((port) => port.metadata.name), env)
}

function writesOf({ lock, blocks }: SubnetAction): readonly Write[] {
  const { blocks: _, ...rest } = lock.spec
  return [{ do: 'update', item: { ...lock, spec: blocks.length === 0 ? rest : { ...rest, blocks: [...blocks] } } }]
}
