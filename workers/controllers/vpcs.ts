// Vpcs: each has a VNI of its own.
import { finalizersFor } from '../../core/admit/finalizers.ts'
import type { Write } from '../../core/contracts/store.ts'
import { vpcFinalizer } from '../../core/kinds/annotations.ts'
import { keyOfItem, refOf, type Resource } from '../../core/kinds/index.ts'
import { vniLockName } from '../../core/net/names.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import { planVpc, vniOf, type Blockers, type VpcDesired, type VpcObserved, type VpcPlanAction } from '../../core/plan/vpc.ts'
import { ended, reported } from '../../core/plan/status.ts'
import { objects } from '../drivers/objects.ts'
import { reporting, type Env } from '../env.ts'
import { blockersAmong } from '../blockers.ts'
import type { Controller } from '../reconcile.ts'
import { topics } from '../waiting.ts'

/** Draws before a range is called full: with half of it taken one in a million Vpcs sees that wrongly, and tries again. */
const draws = 20

export function vpcs(env: Env): Controller<VpcDesired, VpcDesired, VpcObserved, VpcPlanAction, Plan<VpcPlanAction>> {
  const { caches } = env
  /** Before its lock goes it is read anew: a Subnet may just have put a block there. */
  const heldBy = async (vpc: Resource<'Vpc'>): Promise<Resource<'SegmentLock'>[]> => {
    const held = [...caches.SegmentLock.by('holder', vpc.metadata.uid)]
    if (vpc.metadata.deletionTimestamp === undefined) return held
    const live = await Promise.all(held.map((lock) => env.store.get(refOf(lock))))
    return live.filter((lock) => lock?.spec.holder.uid === vpc.metadata.uid) as Resource<'SegmentLock'>[]
  }
  const driver = objects<VpcDesired, VpcObserved, VpcPlanAction>(env.store, 'segments', {
    async observe(desired) {
      const held = await heldBy(desired.vpc)
      const vni = vniOf(desired, { held })
      return { held, lock: vni === undefined ? undefined : caches.SegmentLock.get(vniLockName(vni)) }
    },
    writesOf,
  })
  return {
    name: 'vpc',
    gather(key) {
      const vpc = caches.Vpc.get(key)
      return vpc === undefined ? undefined : { vpc, offer: offerOf(vpc, env), blockers: blockersOf(vpc, env) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    plan: planVpc,
    guard: ({ vpc }) => ({ item: vpc, finalizers: finalizersFor('Vpc', vpc) }),
    refusal: (message) => refused('Refused', message),
    report: ({ vpc }, plan, now) => (plan.phase === 'deleted' ? ended(vpc, [vpcFinalizer], reporting(env, now)) : reported(vpc, plan, reporting(env, now)).writes),
    awaits: ({ vpc }, { reason }) => (reason === 'VniTaken' ? topics.segment(vniLockName(vpc.spec.vni ?? vpc.status?.vni ?? 0)) : undefined),
  }
}

function offerOf(vpc: Resource<'Vpc'>, { caches, config, random }: Env): number | undefined {
  if (vpc.spec.vni !== undefined || vpc.status?.vni !== undefined) return undefined
  for (let draw = 0; draw < draws; draw++) {
    const vni = config.vniMin + Math.floor(random() * (config.vniMax - config.vniMin + 1))
    if (caches.SegmentLock.get(vniLockName(vni)) === undefined) return vni
  }
  for (let vni = config.vniMin; vni <= config.vniMax; vni++) if (caches.SegmentLock.get(vniLockName(vni)) === undefined) return vni
  return undefined
}

function blockersOf(vpc: Resource<'Vpc'>, env: Env): Blockers | undefined {
  if (vpc.metadata.deletionTimestamp === undefined) return undefined
  return blockersAmong(vpc, [...env.caches.Subnet.by('vpc', keyOfItem(vpc))].map((subnet) => subnet.metadata.name), env)
}

function writesOf(action: VpcPlanAction): readonly Write[] {
  if (action.do === 'freeVni') return [{ do: 'delete', ref: refOf(action.lock), preconditions: { uid: action.lock.metadata.uid, resourceVersion: action.lock.metadata.resourceVersion } }]
  const { namespace = '', name, uid } = action.vpc.metadata
  return [{ do: 'create', draft: { kind: 'SegmentLock', metadata: { name: vniLockName(action.vni) }, spec: { vni: action.vni, holder: { kind: 'Vpc', namespace, name, uid } } } }]
}
