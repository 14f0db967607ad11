// Vpcs of ours: each has a VNI or is a VLAN, and has the lock of it.
import type { Write } from '../../core/contracts/store.ts'
import { inNamespaceOf, refFromKey, refOf, type Ref, type Resource } from '../../core/kinds/index.ts'
import { lockedSegment, segmentLockName, segmentOf } from '../../core/kinds/vpc/segment.ts'
import { vniLockName } from '../../core/net/names.ts'
import { freeing } from '../../core/plan/builtin/locks.ts'
import { refused, type Plan } from '../../core/plan/plan.ts'
import { planVpc, segmentFor, type VpcDesired, type VpcObserved, type VpcPlanAction } from '../../core/plan/builtin/vpc.ts'
import type { EgressAction } from '../../core/plan/egress/pool.ts'
import { leftNodes, letsOutOtherwise, withEgress, type EgressNet } from '../../core/plan/egress/vpc-egress.ts'
import { portsOn } from '../controllers/bgp/bgp-net.ts'
import { egressNetOf } from '../controllers/egress/egress-net.ts'
import { objects } from '../drivers/store-objects.ts'
import type { Env } from '../controller-env.ts'
import { subnetsIn } from '../gather/network-deletion-blockers.ts'
import type { Controller } from '../loop/controller.ts'
import type { LiveKind } from '../loop/live-reads.ts'

/** Draws before a range is called full: with half of it taken one in a million Vpcs sees that wrongly, and tries again. */
const draws = 20

interface GatheredVpc extends VpcDesired {
  readonly net: EgressNet
}

type Action = VpcPlanAction | EgressAction

export function builtinVpcs(env: Env): Controller<GatheredVpc, VpcDesired, VpcObserved, Action, Plan<Action>> {
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
  const driver = objects<VpcDesired, VpcObserved, Action>(env.store, 'segments', {
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
      if (vpc === undefined) return undefined
      const { nsmgrVniMin: first, nsmgrVniMax: last } = env.config
      const blockers = await subnetsIn(vpc, env)
      return { vpc, offer: offerOf(vpc, env), blockers, net: egressNetOf(env), reserved: { first, last } }
    },
    driver: () => driver,
    scope: (desired) => desired,
    item: ({ vpc }) => vpc,
    basis: ({ vpc, net }) => egressBasis(vpc, net),
    plan: (desired, observed) => withEgress(planVpc(desired, observed), desired.vpc, desired.net),
    needsLive: ({ vpc, net }, plan) => (letsOutOtherwise(vpc, plan) ? egressLive(vpc, net, plan) : undefined),
    refusal: (message) => refused('Refused', message),
  }
}

function offerOf(vpc: Resource<'Vpc'>, { caches, config, random }: Env): number | undefined {
  if (vpc.spec.vni !== undefined || vpc.spec.vlan !== undefined || vpc.status?.vni !== undefined) return undefined
  const isFree = (vni: number): boolean =>
    (vni < config.nsmgrVniMin || vni > config.nsmgrVniMax) && caches.SegmentLock.get(vniLockName(vni)) === undefined
  for (let draw = 0; draw < draws; draw++) {
    const vni = config.vniMin + Math.floor(random() * (config.vniMax - config.vniMin + 1))
    if (isFree(vni)) return vni
  }
  for (let vni = config.vniMin; vni <= config.vniMax; vni++) if (isFree(vni)) return vni
  return undefined
}

/** A worker that hears late would give back what another has just told nodes of. */
function egressLive(
  { metadata: { namespace = '' }, spec }: Resource<'Vpc'>,
  { egressClass }: EgressNet,
  plan: Plan<Action>,
): readonly LiveKind[] {
  const pool = spec.egressClass === undefined ? undefined : egressClass(spec.egressClass)?.spec.pool
  if (pool === undefined) return []
  const addresses: LiveKind = { kind: 'EgressAddress', within: { namespace }, isWithin: ({ metadata }) => metadata.namespace === namespace }
  return [addresses, ...[...new Set(leftNodes(plan))].map(portsOn)]
}

/** What operator and owners say of it: the class, and its pool. */
function egressBasis({ spec }: Resource<'Vpc'>, { egressClass, bgp }: EgressNet): readonly Ref[] {
  if (spec.egressClass === undefined) return []
  const pool = egressClass(spec.egressClass)?.spec.pool
  const subnet = pool === undefined ? undefined : bgp().subnet(pool)
  return [
    { kind: 'EgressClass', name: spec.egressClass },
    ...(pool === undefined ? [] : [refFromKey('Subnet', pool)]),
    ...(subnet?.spec.vpc === undefined ? [] : [refFromKey('Vpc', inNamespaceOf(subnet, subnet.spec.vpc))]),
  ]
}

function writesOf(action: Action): readonly Write[] {
  switch (action.do) {
    case 'freeSegment':
      return [freeing(action.lock)]
    case 'makeEgressAddress':
      return [{ do: 'create', draft: action.draft }]
    case 'deleteEgressAddress': {
      const { uid, resourceVersion } = action.address.metadata
      return [{ do: 'delete', ref: refOf(action.address), preconditions: { uid, resourceVersion } }]
    }
    case 'takeSegment':
      return [taking(action)]
  }
}

function taking(action: Extract<VpcPlanAction, { do: 'takeSegment' }>): Write {
  const { namespace = '', name, uid } = action.vpc.metadata
  return {
    do: 'create',
    draft: {
      kind: 'SegmentLock',
      metadata: { name: segmentLockName(action.segment) },
      spec: { ...lockedSegment(action.segment), holder: { kind: 'Vpc', namespace, name, uid } },
    },
  }
}
