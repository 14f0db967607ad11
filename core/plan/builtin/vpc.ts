// A Vpc: its VNI, or its VLAN, against the locks of segments.
import { refOf, type Resource } from '../../kinds/index.ts'
import {
  inVlan,
  segmentInLock,
  segmentLockName,
  segmentOf,
  segmentText,
  segmentWord,
  toldSegment,
  type Segmented,
} from '../../kinds/vpc/segment.ts'
import { againInMs, blockedText, type Blockers } from '../vpc/blockers.ts'
import { hasBlocks } from './locks.ts'
import type { Plan, Step } from '../plan.ts'

export type VpcPlanAction =
  | { readonly do: 'takeSegment'; readonly segment: Segmented; readonly vpc: Resource<'Vpc'> }
  | { readonly do: 'freeSegment'; readonly lock: Resource<'SegmentLock'> }

export interface VpcDesired {
  readonly vpc: Resource<'Vpc'>
  /** A free VNI drawn at random, for a Vpc that names none. */
  readonly offer: number | undefined
  readonly blockers: Blockers | undefined
  /** VNIs that no Vpc gets: connections of Network Service Mesh between nodes have them. */
  readonly reserved?: VniRange
}
export interface VniRange {
  readonly first: number
  readonly last: number
}
export interface VpcObserved {
  /** The lock of the VNI, or the VLAN, that it has or wants. */
  readonly lock: Resource<'SegmentLock'> | undefined
  /** The locks it holds, whatever it wants. */
  readonly held: readonly Resource<'SegmentLock'>[]
}
type VpcPlan = Plan<VpcPlanAction>

const takenAgainMs = 30_000

export function planVpc(desired: VpcDesired, observed: VpcObserved): VpcPlan {
  const { vpc } = desired
  const of = refOf(vpc)
  if (vpc.metadata.deletionTimestamp !== undefined) return planEnd(desired, observed)
  const segment = segmentFor(desired, observed)
  if (segment === undefined)
    return {
      steps: [],
      phase: 'error',
      reason: 'NoFreeVni',
      message: 'every VNI of the configured range is taken',
      requeueAfterMs: takenAgainMs,
    }
  if (isReserved(desired, observed, segment)) return reservedPlan(segment)
  const { lock } = observed
  if (lock !== undefined && isOf(lock, segment) && lock.spec.holder.uid !== vpc.metadata.uid) return taken(segment)
  const mine = observed.held.some((held) => isOf(held, segment))
  const take: Step<VpcPlanAction> = {
    action: { do: 'takeSegment', segment, vpc },
    because: { rule: `a Vpc without the lock of its ${segmentWord(segment)}`, of },
  }
  // Two workers that drew at once have each locked one: the one in the status stays, and until one stands there a rival may be about to
  // report the other. One with blocks in it is no surplus, whatever is said.
  const surplus = segmentOf(vpc) === undefined ? [] : observed.held.filter((held) => !isOf(held, segment) && !hasBlocks(held))
  const steps: Step<VpcPlanAction>[] = [
    ...(mine ? [] : [take]),
    ...surplus.map((held) => ({
      action: { do: 'freeSegment' as const, lock: held },
      because: { rule: 'a VNI that the Vpc does not use', of },
    })),
  ]
  return { steps, phase: 'ready', reason: 'InPlace', message: segmentText(segment), sections: { segment: toldSegment(segment) } }
}

/** One that has it already keeps it. */
const isReserved = ({ vpc, reserved }: VpcDesired, { held }: VpcObserved, segment: Segmented): boolean =>
  reserved !== undefined &&
  segment.vlan === undefined &&
  segment.segment >= reserved.first &&
  segment.segment <= reserved.last &&
  segmentOf(vpc) === undefined &&
  !held.some((each) => isOf(each, segment))

const reservedPlan = (segment: Segmented): VpcPlan => ({
  steps: [],
  phase: 'error',
  reason: 'VniReserved',
  message: `${segmentText(segment)} is reserved for connections of Network Service Mesh between nodes (MEGREZ_NSMGR_VNI_MIN)`,
})

/** A VLAN may be an L2Service's: of whose it is nothing is said. */
function taken(segment: Segmented): VpcPlan {
  const isVni = segment.vlan === undefined
  return {
    steps: [],
    phase: 'error',
    reason: isVni ? 'VniTaken' : 'VlanTaken',
    message: `${segmentText(segment)} belongs to another Vpc${isVni ? '' : ' or to an L2Service'}`,
    requeueAfterMs: takenAgainMs,
    waitsFor: { kind: 'segment', name: segmentLockName(segment) },
  }
}

/** Names say which of two VLANs it is: their numbers may be one. */
const isOf = ({ spec }: Resource<'SegmentLock'>, segment: Segmented): boolean =>
  segmentLockName(segmentInLock(spec)) === segmentLockName(segment)

/** The VLAN that a Vpc is; else the VNI that it has, else names, else holds already, one with blocks before others, else is offered. */
export function segmentFor(
  { vpc: { spec, status }, offer }: Pick<VpcDesired, 'vpc' | 'offer'>,
  { held }: Pick<VpcObserved, 'held'>,
): Segmented | undefined {
  const { vlan } = spec
  if (vlan !== undefined) return inVlan(vlan)
  const drawn = held.find(hasBlocks) ?? held[0]
  const vni = status?.vni ?? spec.vni ?? drawn?.spec.vni ?? offer
  return vni === undefined ? undefined : { segment: vni }
}

function planEnd({ vpc, blockers }: VpcDesired, { held }: VpcObserved): VpcPlan {
  if (blockers !== undefined)
    return { steps: [], phase: 'terminating', reason: 'InUse', message: blockedText('Subnet', blockers), ...againInMs(blockers) }
  const block = held.flatMap((lock) => lock.spec.blocks ?? [])[0]
  if (block !== undefined)
    return {
      steps: [],
      phase: 'terminating',
      reason: 'InUse',
      message: blockedText('Subnet', { first: block.subnet.name, others: 0 }),
      requeueAfterMs: 1_000,
    }
  const steps = held.map((lock): Step<VpcPlanAction> => ({
    action: { do: 'freeSegment', lock },
    because: { rule: 'a Vpc that is being deleted', of: refOf(vpc) },
  }))
  return { steps, phase: 'deleted', reason: 'Freed', message: `its ${segmentWord(vpc.spec)} is free` }
}
