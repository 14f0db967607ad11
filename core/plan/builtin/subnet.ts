// A Subnet: its blocks against those that are valid on its VNI, or in its VLAN. The list of those stands in its SegmentLock, and a
// Subnet is valid once its own have been put there by compare-and-swap: of two rivals at most one can.
import { overlaps, parseCidr } from '../../net/cidr.ts'
import { keyOfHolder, overlappingIn } from './routed-blocks.ts'
import { whyNotL3 } from '../../kinds/vpc/subnet.ts'
import { refOf, type Resource, type SpecOf } from '../../kinds/index.ts'
import { segmentInLock, segmentText, segmentWord, toldSegment, type Segmented } from '../../kinds/vpc/segment.ts'
import { inPlace, refused, waitingFor, type Plan } from '../plan.ts'
import { againInMs, blockedText, type Blockers } from '../vpc/blockers.ts'

export type Block = NonNullable<SpecOf<'SegmentLock'>['blocks']>[number]
/** The whole list, as it shall be; the lock as it was read makes it a compare-and-swap. */
export interface SubnetAction {
  readonly do: 'setBlocks'
  readonly lock: Resource<'SegmentLock'>
  readonly blocks: readonly Block[]
}
export interface SubnetDesired {
  readonly subnet: Resource<'Subnet'>
  readonly vpc: Resource<'Vpc'> | undefined
  /** Ports in it; of one that is of an L2Service, the L2Services that list it and are attached. */
  readonly blockers: Blockers | undefined
}
export interface SubnetObserved {
  /** The lock of its Vpc's VNI, or of its VLAN. */
  readonly lock: Resource<'SegmentLock'> | undefined
  /** Of one that is of an L2Service: the others of that, read live as long as it is not valid. */
  readonly rivals?: readonly Resource<'Subnet'>[]
}
type SubnetPlan = Plan<SubnetAction>

/** Rivals are woken when a block leaves; this is for the case that nobody saw it leave. */
const overlapAgainMs = 60_000

export function planSubnet(desired: SubnetDesired, observed: SubnetObserved): SubnetPlan {
  const { subnet, vpc } = desired
  if (subnet.metadata.deletionTimestamp !== undefined) return planEnd(desired, observed)
  if (subnet.spec.vpc === undefined) return planInL2Service(subnet, observed)
  if (subnet.spec.existing !== undefined) return refused('NoCloud', `Vpc ${subnet.spec.vpc} is of no cloud: nothing is there already`)
  return vpc === undefined ? waitingFor('VpcMissing', `Vpc ${subnet.spec.vpc} not found`) : planInVpc(subnet, vpc, observed)
}

/**
 * No lock lists the blocks of an L2Service, which may have several VLANs' locks or none yet. Of two that overlap the valid one stays, then
 * the older; two
 * that were made within one second and looked at before either was valid may both become so.
 */
function planInL2Service(subnet: Resource<'Subnet'>, { rivals = [] }: SubnetObserved): SubnetPlan {
  const of = subnet.spec.l2Service ?? ''
  const overlap =
    subnet.status?.validated === true
      ? undefined
      : firstOverlap(blocksOf(subnet), rivals.filter((each) => isBefore(each, subnet)).flatMap(blocksOf))
  if (overlap !== undefined)
    return { ...refused('CidrOverlap', `${rivalText(overlap)} in L2Service ${of}`), requeueAfterMs: overlapAgainMs }
  return { ...inPlace('OfL2Service', `of L2Service ${of}`), sections: { segment: { validated: true } } }
}

function isBefore(rival: Resource<'Subnet'>, { metadata }: Resource<'Subnet'>): boolean {
  const [at, mine] = [Date.parse(rival.metadata.creationTimestamp), Date.parse(metadata.creationTimestamp)]
  return rival.status?.validated === true || at < mine || (at === mine && rival.metadata.name < metadata.name)
}

function planInVpc(subnet: Resource<'Subnet'>, vpc: Resource<'Vpc'>, { lock }: SubnetObserved): SubnetPlan {
  const { name } = vpc.metadata
  if (lock?.spec.holder.uid !== vpc.metadata.uid) return waitingFor('VpcNotReady', `Vpc ${name} has no ${segmentWord(vpc.spec)} yet`)
  const validated = subnet.status?.validated === true
  if (subnet.spec.mode === 'l3' && vpc.spec.vlan !== undefined) return refused('ModeRefused', whyNotL3)
  if (vpc.metadata.deletionTimestamp !== undefined && !validated) return refused('VpcTerminating', `Vpc ${name} is being deleted`)
  const segment = segmentInLock(lock.spec)
  return planBlocks(subnet, { ...segment, broadcast: isBroadcast(subnet, vpc, segment) }, lock)
}

/** Of a VLAN it is never told: its switches carry broadcast whatever anybody says. */
const isBroadcast = (subnet: Resource<'Subnet'>, vpc: Resource<'Vpc'>, { vlan }: Segmented): boolean =>
  vlan === undefined && (subnet.spec.broadcast ?? vpc.spec.broadcast) === true

interface SegmentTold extends Segmented {
  readonly broadcast: boolean
}

function planBlocks(subnet: Resource<'Subnet'>, segment: SegmentTold, lock: Resource<'SegmentLock'>): SubnetPlan {
  const others = (lock.spec.blocks ?? []).filter((block) => block.subnet.uid !== subnet.metadata.uid)
  const mine = blocksOf(subnet)
  const overlap = overlapText(mine, others, lock)
  if (overlap !== undefined) return { ...refused('CidrOverlap', `${overlap} on ${segmentText(segment)}`), requeueAfterMs: overlapAgainMs }
  const there = (lock.spec.blocks ?? []).filter((block) => block.subnet.uid === subnet.metadata.uid).map((block) => block.cidr)
  const whole = there.length === mine.length && mine.every((block) => there.includes(block.cidr))
  const because = { rule: `a Subnet whose blocks are not listed on its ${segmentWord(segment)}`, of: refOf(subnet) }
  return {
    steps: whole ? [] : [{ action: { do: 'setBlocks', lock, blocks: [...others, ...mine] }, because }],
    phase: 'ready',
    reason: 'Validated',
    message: `${mine.map((block) => block.cidr).join(' and ')} on ${segmentText(segment)}`,
    sections: { segment: { ...toldSegment(segment), ...(segment.broadcast && { broadcast: true }), validated: true } },
  }
}

export function blocksOf({ spec, metadata }: Resource<'Subnet'>): Block[] {
  const subnet = { kind: 'Subnet', namespace: metadata.namespace ?? '', name: metadata.name, uid: metadata.uid }
  return [spec.ipv4, spec.ipv6].flatMap((block) => (block === undefined ? [] : [{ cidr: block.cidr, subnet }]))
}

/** What Ports have behind them was there first. */
function overlapText(mine: readonly Block[], others: readonly Block[], { spec }: Resource<'SegmentLock'>): string | undefined {
  const rival = firstOverlap(mine, others)
  if (rival !== undefined) return rivalText(rival)
  for (const { cidr } of mine) {
    const routed = overlappingIn(cidr, spec.routedBlocks ?? [])
    if (routed !== undefined) return `${cidr} overlaps ${routed.cidr} behind Port ${keyOfHolder(routed.port)}`
  }
  return undefined
}

interface Overlap {
  readonly mine: Block
  readonly other: Block
}
const rivalText = ({ mine, other }: Overlap): string =>
  `${mine.cidr} overlaps ${other.cidr} of Subnet ${other.subnet.namespace ?? ''}/${other.subnet.name}`

/** What one holds and another wants of the same segment. */
export function firstOverlap(mine: readonly Block[], others: readonly Block[]): Overlap | undefined {
  const parsed = mine.flatMap((block) => (parseCidr(block.cidr)?.length === undefined ? [] : [{ block, cidr: parseCidr(block.cidr)! }]))
  for (const other of others) {
    const cidr = parseCidr(other.cidr)
    const found = cidr && parsed.find((each) => overlaps(each.cidr, cidr))
    if (found) return { mine: found.block, other }
  }
  return undefined
}

function planEnd({ subnet, blockers }: SubnetDesired, { lock }: SubnetObserved): SubnetPlan {
  if (blockers !== undefined)
    return {
      steps: [],
      phase: 'terminating',
      reason: 'InUse',
      message: subnet.spec.l2Service === undefined ? blockedText('Port', blockers) : listedText(blockers),
      ...againInMs(blockers),
    }
  const left = (lock?.spec.blocks ?? []).filter((block) => block.subnet.uid !== subnet.metadata.uid)
  const because = { rule: 'a Subnet that is being deleted', of: refOf(subnet) }
  const listed = lock !== undefined && left.length < (lock.spec.blocks ?? []).length
  return {
    steps: listed ? [{ action: { do: 'setBlocks', lock, blocks: left }, because }] : [],
    phase: 'deleted',
    reason: 'Freed',
    message: 'its blocks are free',
  }
}

const listedText = ({ first, others }: Blockers): string =>
  others === 0 ? `L2Service ${first} lists it and is attached` : `L2Service ${first} and ${others} more list it and are attached`
