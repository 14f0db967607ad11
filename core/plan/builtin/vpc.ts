// A Vpc: its VNI against the locks of VNIs.
import { refOf, type Resource } from '../../kinds/index.ts'
import { vniLockName } from '../../net/names.ts'
import { againInMs, blockedText, type Blockers } from '../vpc/blockers.ts'
import { hasBlocks } from './locks.ts'
import type { Plan, Step } from '../plan.ts'

export type VpcPlanAction =
  | { readonly do: 'takeVni'; readonly vni: number; readonly vpc: Resource<'Vpc'> }
  | { readonly do: 'freeVni'; readonly lock: Resource<'SegmentLock'> }

export interface VpcDesired {
  readonly vpc: Resource<'Vpc'>
  /** A free VNI drawn at random, for a Vpc that names none. */
  readonly offer: number | undefined
  readonly blockers: Blockers | undefined
}
export interface VpcObserved {
  /** The lock of the VNI that it has or wants. */
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
  const vni = vniOf(desired, observed)
  if (vni === undefined)
    return {
      steps: [],
      phase: 'error',
      reason: 'NoFreeVni',
      message: 'every VNI of the configured range is taken',
      requeueAfterMs: takenAgainMs,
    }
  const { lock } = observed
  if (lock !== undefined && lock.spec.vni === vni && lock.spec.holder.uid !== vpc.metadata.uid) {
    return {
      steps: [],
      phase: 'error',
      reason: 'VniTaken',
      message: `VNI ${vni} belongs to another Vpc`,
      requeueAfterMs: takenAgainMs,
      waitsFor: { kind: 'segment', name: vniLockName(vni) },
    }
  }
  const mine = observed.held.some((held) => held.spec.vni === vni)
  const take: Step<VpcPlanAction> = { action: { do: 'takeVni', vni, vpc }, because: { rule: 'a Vpc without the lock of its VNI', of } }
  // Two workers that drew at once have each locked one: the one in the status stays, and until one stands there a rival may be about to
  // report the other. One with blocks in it is no surplus, whatever is said.
  const surplus = vpc.status?.vni === undefined ? [] : observed.held.filter((held) => held.spec.vni !== vni && !hasBlocks(held))
  const steps: Step<VpcPlanAction>[] = [
    ...(mine ? [] : [take]),
    ...surplus.map((held) => ({
      action: { do: 'freeVni' as const, lock: held },
      because: { rule: 'a VNI that the Vpc does not use', of },
    })),
  ]
  return { steps, phase: 'ready', reason: 'InPlace', message: `VNI ${vni}`, sections: { segment: { vni } } }
}

/** The VNI that a Vpc has, else names, else holds already, one with blocks before others, else is offered. */
export function vniOf({ vpc, offer }: Pick<VpcDesired, 'vpc' | 'offer'>, { held }: Pick<VpcObserved, 'held'>): number | undefined {
  const drawn = held.find(hasBlocks) ?? held[0]
  return vpc.status?.vni ?? vpc.spec.vni ?? drawn?.spec.vni ?? offer
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
    action: { do: 'freeVni', lock },
    because: { rule: 'a Vpc that is being deleted', of: refOf(vpc) },
  }))
  return { steps, phase: 'deleted', reason: 'Freed', message: 'its VNI is free' }
}
