// Vpcs of ours: each has a VNI or is a VLAN, and has the lock of it.
import type { Write } from '../../core/contracts/store.ts'
import { type Resource } from '../../core/kinds/index.ts'
import { lockedSegment, segmentLockName, segmentOf } from '../../core/kinds/vpc/segment.ts'
import { vniLockName } from '../../core/net/names.ts'
import { freeing } from '../../core/plan/builtin/locks.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import { planVpc, segmentFor, type VpcDesired, type VpcObserved, type VpcPlanAction } from '../../core/plan/builtin/vpc.ts'
import { objects } from '../drivers/store-objects.ts'
import type { Env } from '../controller-env.ts'
import { subnetsIn } from '../gather/network-deletion-blockers.ts'
import type { Controller } from '../loop/controller.ts'

/** Draws before a range is called full: with half of it taken one in a million Vpcs sees that wrongly, and tries again. */
const draws = 20

export function builtinVpcs(env: Env): Controller<VpcDesired, VpcDesired, VpcObserved, VpcPlanAction, Plan<VpcPlanAction>> {
  const { caches } = env
  /**
   * What a Vpc holds already is asked of the store itself where its status does not say so yet, and before it goes: then nothing is drawn
   * twice, or left behind.
   */
  const heldBy = async (vpc: Resource<'Vpc'>): Promise<readonly Resource<'SegmentLock'>[]> => {
    const { uid, deletionTimestamp } = vpc.metadata
    if (segmentOf(vpc) !== undefined && deletionTimestamp === undefined) return [...caches.SegmentLock.by('holder', uid)]
    return (await env.store.list('SegmentLock', { fields: { '.spec.holder.uid': uid } })).items
  }
  const driver = objects<VpcDesired, VpcObserved, VpcPlanAction>(env.store, 'segments', {
    async observe(desired) {
      const held = await heldBy(desired.vpc)
      const segment = segmentFor(desired, { held })
      return { held, lock: segment && caches.SegmentLock.get(segmentLockName(segment)) }
    },
    writesOf,
  })
  return {
    async gather(key) {
      const vpc = caches.Vpc.get(key)
      return vpc === undefined ? undefined : { vpc, offer: offerOf(vpc, env), blockers: await subnetsIn(vpc, env) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ vpc }) => vpc,
    plan: planVpc,
    refusal: (message) => refused('Refused', message),
  }
}

function offerOf(vpc: Resource<'Vpc'>, { caches, config, random }: Env): number | undefined {
  if (vpc.spec.vni !== undefined || vpc.spec.vlan !== undefined || vpc.status?.vni !== undefined) return undefined
  for (let draw = 0; draw < draws; draw++) {
    const vni = config.vniMin + Math.floor(random() * (config.vniMax - config.vniMin + 1))
    if (caches.SegmentLock.get(vniLockName(vni)) === undefined) return vni
  }
  for (let vni = config.vniMin; vni <= config.vniMax; vni++) if (caches.SegmentLock.get(vniLockName(vni)) === undefined) return vni
  return undefined
}

function writesOf(action: VpcPlanAction): readonly Write[] {
  if (action.do === 'freeSegment') return [freeing(action.lock)]
  const { namespace = '', name, uid } = action.vpc.metadata
  return [
    {
      do: 'create',
      draft: {
        kind: 'SegmentLock',
        metadata: { name: segmentLockName(action.segment) },
        spec: { ...lockedSegment(action.segment), holder: { kind: 'Vpc', namespace, name, uid } },
      },
    },
  ]
}
