// Vpcs: each has a VNI of its own.
import type { Write } from '../../core/contracts/store.ts'
import { inNamespaceOf, keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { vniLockName } from '../../core/net/names.ts'
import { freeing } from '../../core/plan/builtin/locks.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import { planVpc, vniOf, type VpcDesired, type VpcObserved, type VpcPlanAction } from '../../core/plan/builtin/vpc.ts'
import type { Blockers } from '../../core/plan/vpc/blockers.ts'
import { objects } from '../drivers/objects.ts'
import type { Env } from '../env.ts'
import { row, type Row } from '../loop/row.ts'
import type { Controller } from '../loop/controller.ts'
import { appears, both, goes, isBeingDeleted, isGoing, isToldOtherwise, specChanges, when } from '../watch/events.ts'
import { itself, named, where } from '../watch/keys.ts'
import { blockLeaves, keyOfHolder, subnetChanges, vni } from '../watch/parts.ts'

/** Draws before a range is called full: with half of it taken one in a million Vpcs sees that wrongly, and tries again. */
const draws = 20

/** A Vpc that holds more than it tells of was drawn for by two workers at once: what its status says goes first, then the other lock. */
function holdsSurplus(vpc: Resource<'Vpc'> | undefined, { caches }: Env): boolean {
  const reportedVni = vpc?.status?.vni
  return (
    vpc !== undefined &&
    reportedVni !== undefined &&
    [...caches.SegmentLock.by('holder', vpc.metadata.uid)].some(({ spec }) => spec.vni !== reportedVni)
  )
}
const twoLocks = where<'Vpc'>('it holds more VNIs than it tells of', holdsSurplus)
const holdsTwo = when<'Vpc'>('holds more VNIs than it tells of', ({ after }, env) => holdsSurplus(after, env))
const leaving = where<'Vpc'>('it is going or gone', (vpc) => isGoing(vpc))
const holder = (lock: Resource<'SegmentLock'>): readonly string[] =>
  lock.spec.holder.kind === 'Vpc' ? [keyOfHolder(lock.spec.holder)] : []
const vpcOf = (subnet: Resource<'Subnet'>): readonly string[] =>
  subnet.spec.vpc === undefined ? [] : [inNamespaceOf(subnet, subnet.spec.vpc)]

export const vpcs: Row<'Vpc'> = row(
  'Vpc',
  (on) => [
    on('Vpc', { when: specChanges, keys: itself }),
    on('Vpc', { when: both(vni, holdsTwo), keys: itself }),
    on('Vpc', { when: isToldOtherwise, keys: itself }),
    on('Subnet', { when: both(subnetChanges, isBeingDeleted), keys: named('Vpc', 'its Vpc', vpcOf) }),
    on('SegmentLock', { when: goes, keys: named('Vpc', 'its holder', holder) }),
    on('SegmentLock', { when: appears, keys: named('Vpc', 'its holder', holder, twoLocks) }),
    on('SegmentLock', { when: blockLeaves, keys: named('Vpc', 'its holder', holder, leaving) }),
  ],
  open,
)

function open(env: Env): Controller<VpcDesired, VpcDesired, VpcObserved, VpcPlanAction, Plan<VpcPlanAction>> {
  const { caches } = env
  /**
   * What a Vpc holds already is asked of the store itself where its status does not say so yet, and before it goes: then nothing is drawn
   * twice, or left behind.
   */
  const heldBy = async ({ metadata: { uid, deletionTimestamp }, status }: Resource<'Vpc'>): Promise<readonly Resource<'SegmentLock'>[]> => {
    if (status?.vni !== undefined && deletionTimestamp === undefined) return [...caches.SegmentLock.by('holder', uid)]
    return (await env.store.list('SegmentLock', { fields: { '.spec.holder.uid': uid } })).items
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
    async gather(key) {
      const vpc = caches.Vpc.get(key)
      return vpc === undefined ? undefined : { vpc, offer: offerOf(vpc, env), blockers: await blockersOf(vpc, env) }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ vpc }) => vpc,
    plan: planVpc,
    refusal: (message) => refused('Refused', message),
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

/**
 * The Subnets in it; where the cache knows none, the store itself is asked. They are of its own namespace, and go with it: none is ever
 * given up.
 */
async function blockersOf(vpc: Resource<'Vpc'>, { caches, store }: Env): Promise<Blockers | undefined> {
  if (vpc.metadata.deletionTimestamp === undefined) return undefined
  const cached = [...caches.Subnet.by('vpc', keyOfItem(vpc))]
  const { namespace = '', name } = vpc.metadata
  const items = cached.length > 0 ? cached : (await store.list('Subnet', { namespace, fields: { '.spec.vpc': name }, limit: 1 })).items
  const [first, ...others] = items.map((subnet) => subnet.metadata.name).sort()
  return first === undefined ? undefined : { first, others: others.length }
}

function writesOf(action: VpcPlanAction): readonly Write[] {
  if (action.do === 'freeVni') return [freeing(action.lock)]
  const { namespace = '', name, uid } = action.vpc.metadata
  return [
    {
      do: 'create',
      draft: {
        kind: 'SegmentLock',
        metadata: { name: vniLockName(action.vni) },
        spec: { vni: action.vni, holder: { kind: 'Vpc', namespace, name, uid } },
      },
    },
  ]
}
