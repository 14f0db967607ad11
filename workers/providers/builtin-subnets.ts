// Subnets of ours: valid once their blocks stand in the lock of their VNI, or VLAN.
import type { Write } from '../../core/contracts/store.ts'
import { inNamespaceOf, keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { segmentLockName, segmentOf } from '../../core/kinds/vpc/segment.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import { planSubnet, type SubnetAction, type SubnetDesired, type SubnetObserved } from '../../core/plan/builtin/subnet.ts'
import type { Blockers } from '../../core/plan/vpc/blockers.ts'
import { blockersAmong } from '../gather/deletion-blockers.ts'
import { objects } from '../drivers/store-objects.ts'
import type { Env } from '../controller-env.ts'
import { portsInSubnet, pooledInSubnet } from '../gather/network-deletion-blockers.ts'
import type { Controller } from '../loop/controller.ts'

export function builtinSubnets(env: Env): Controller<SubnetDesired, SubnetDesired, SubnetObserved, SubnetAction, Plan<SubnetAction>> {
  const { caches, store } = env
  const driver = objects<SubnetDesired, SubnetObserved, SubnetAction>(store, 'segments', {
    async observe({ subnet, vpc }) {
      if (subnet.spec.l2Service !== undefined) return { lock: undefined, rivals: await rivalsOf(subnet, env) }
      const placed = segmentOf(subnet) === undefined ? vpc : subnet
      const segment = placed && segmentOf(placed)
      if (segment === undefined) return { lock: undefined }
      const name = segmentLockName({ segment, vlan: placed?.status?.vlan })
      // A cache may be behind a rival: what decides is read live, and written only if nobody has since.
      const settled = subnet.status?.validated === true && subnet.metadata.deletionTimestamp === undefined
      return { lock: settled ? caches.SegmentLock.get(name) : await store.get({ kind: 'SegmentLock', name }) }
    },
    writesOf,
  })
  return {
    async gather(key) {
      const subnet = caches.Subnet.get(key)
      if (subnet === undefined) return undefined
      return {
        subnet,
        vpc: caches.Vpc.get(inNamespaceOf(subnet, subnet.spec.vpc ?? '')),
        blockers: await (subnet.spec.l2Service === undefined ? usersIn(subnet, env) : listersOf(subnet, env)),
      }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ subnet }) => subnet,
    basis: ({ vpc }) => (vpc === undefined ? [] : [vpc]),
    plan: planSubnet,
    refusal: (message) => refused('Refused', message),
  }
}

/** The others of its L2Service; once it is valid nobody's can change that. */
async function rivalsOf({ metadata, spec, status }: Resource<'Subnet'>, { store }: Env): Promise<readonly Resource<'Subnet'>[]> {
  if (status?.validated === true) return []
  const { items } = await store.list('Subnet', { namespace: metadata.namespace ?? '' })
  return items.filter(
    (each) => each.spec.l2Service === spec.l2Service && each.metadata.uid !== metadata.uid && each.metadata.deletionTimestamp === undefined,
  )
}

/** The L2Services whose definitions give its addresses to pods; where the cache knows none, the store itself is asked. */
async function listersOf(subnet: Resource<'Subnet'>, env: Env): Promise<Blockers | undefined> {
  if (subnet.metadata.deletionTimestamp === undefined) return undefined
  const { caches, store } = env
  const { namespace = '', name } = subnet.metadata
  const cached = [...caches.L2Service.by('subnet', keyOfItem(subnet))].filter(
    (service) => [...caches.L2ServiceAttachment.by('l2Service', keyOfItem(service))].length > 0,
  )
  if (cached.length > 0)
    return blockersAmong(
      subnet,
      cached.map(({ metadata }) => metadata.name),
      env,
    )
  const [services, attachments] = await Promise.all([
    store.list('L2Service', { namespace }),
    store.list('L2ServiceAttachment', { namespace }),
  ])
  const attached = new Set(attachments.items.flatMap(({ spec }) => spec.l2Services))
  const listers = services.items.filter(({ metadata, spec }) => attached.has(metadata.name) && spec.subnets?.includes(name) === true)
  return blockersAmong(
    subnet,
    listers.map(({ metadata }) => metadata.name),
    env,
  )
}

function writesOf({ lock, blocks }: SubnetAction): readonly Write[] {
  const { blocks: _, ...rest } = lock.spec
  return [{ do: 'update', item: { ...lock, spec: blocks.length === 0 ? rest : { ...rest, blocks: [...blocks] } } }]
}

const usersIn = async (subnet: Resource<'Subnet'>, env: Env): Promise<Blockers | undefined> =>
  (await portsInSubnet(subnet, env)) ?? (await pooledInSubnet(subnet, env))
