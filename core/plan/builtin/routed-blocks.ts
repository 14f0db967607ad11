// The blocks that a Port has behind it, against all others of its VNI. The list of those stands in its SegmentLock, as the blocks of
// Subnets do: of two that overlap the one has it that was put there first, by compare-and-swap.
import { refOf, type Resource, type SpecOf } from '../../kinds/index.ts'
import type { Holder } from '../../kinds/meta.ts'
import { routedBlocksMost, whyNotAllowed } from '../../kinds/vpc/routed-blocks.ts'
import { overlaps, parseCidr } from '../../net/cidr.ts'
import { sameJson } from '../../same-json.ts'
import type { Plan, Step } from '../plan.ts'

export type LockedBlock = NonNullable<SpecOf<'SegmentLock'>['routedBlocks']>[number]
/** The whole list, as it shall be; the lock as it was read makes it a compare-and-swap. */
export interface RoutedBlocksAction {
  readonly do: 'setRoutedBlocks'
  readonly lock: Resource<'SegmentLock'>
  readonly routedBlocks: readonly LockedBlock[]
}
export interface RoutedBlocksAround {
  /** Of its VNI. */
  readonly lock: Resource<'SegmentLock'> | undefined
  /** Blocks that its Vpc has of those that it is peered with. */
  readonly peers: readonly PeerBlock[]
}
export interface PeerBlock {
  readonly cidr: string
  /** `namespace/name` of its Vpc. */
  readonly vpc: string
}
export interface RoutedBlocks {
  /** In the order that they were asked for. */
  readonly blocks: readonly string[]
  readonly steps: readonly Step<RoutedBlocksAction>[]
  /** A sentence for each that it does not get. */
  readonly refused: readonly string[]
  /** What the Port's status says of them. */
  readonly section: { readonly routedBlocks?: readonly string[] }
  readonly again: { readonly requeueAfterMs?: number }
}

/** Whoever is in the way wakes the Port as it goes; this is for the case that nobody saw it go. */
const blockedAgainMs = 60_000

export const keyOfHolder = ({ namespace, name }: Holder): string => `${namespace ?? ''}/${name}`

interface BlocksDemand {
  readonly port: Resource<'Port'>
  readonly subnet: Resource<'Subnet'>
  readonly vpc: Resource<'Vpc'>
  readonly addresses: readonly string[]
}

/** Of a Vpc that is a VLAN the routers are others'. */
export function routedBlocksOf(demand: BlocksDemand, { lock, peers }: RoutedBlocksAround): RoutedBlocks {
  const blocks = [...new Set(demand.port.spec.routedBlocks ?? [])]
  const all = lock?.spec.routedBlocks ?? []
  const others = all.filter(({ port }) => port.uid !== demand.port.metadata.uid)
  const kept: LockedBlock[] = []
  const refused: string[] = []
  for (const cidr of blocks) {
    const given = giveTo(demand, cidr, { lock, peers, others: [...others, ...kept] })
    if (typeof given === 'string') refused.push(`${cidr}: ${given}`)
    else kept.push(given)
  }
  const routedBlocks = kept.map(({ cidr }) => cidr)
  return {
    blocks: routedBlocks,
    steps: stepsTo([...others, ...kept], all, { lock, port: demand.port }),
    refused,
    section: routedBlocks.length > 0 ? { routedBlocks } : {},
    again: refused.length > 0 ? { requeueAfterMs: blockedAgainMs } : {},
  }
}

/** What it has behind it leads nowhere any more: before anything else of it goes. */
export function withoutRoutedBlocks(port: Resource<'Port'>, { lock }: RoutedBlocksAround): readonly Step<RoutedBlocksAction>[] {
  const all = lock?.spec.routedBlocks ?? []
  return stepsTo(
    all.filter((each) => each.port.uid !== port.metadata.uid),
    all,
    { lock, port },
  )
}

interface Giving extends RoutedBlocksAround {
  readonly others: readonly LockedBlock[]
}

/** @returns why not, where it does not get it */
function giveTo(demand: BlocksDemand, cidr: string, around: Giving): LockedBlock | string {
  const { namespace = '', name, uid } = demand.port.metadata
  const denied = whyNever(demand, cidr)
  if (denied !== undefined) return denied
  const via = demand.addresses.find(isOfFamilyOf(cidr))
  if (via === undefined) return `the Port has no ${cidr.includes(':') ? 'IPv6' : 'IPv4'} address that it could lead to`
  return whyNotNow(demand, cidr, around) ?? { cidr, port: { kind: 'Port', namespace, name, uid }, via }
}

/** As others are. What it has it keeps, whatever peers come to give. */
function whyNotNow({ port: { metadata } }: BlocksDemand, cidr: string, { lock, peers, others }: Giving): string | undefined {
  if (lock === undefined) return 'the lock of its VNI is not there yet'
  const isSeen = (other: Holder): boolean => other.namespace === metadata.namespace
  const had = (lock.spec.routedBlocks ?? []).some((each) => each.cidr === cidr && each.port.uid === metadata.uid)
  return rivalOf(cidr, { lock, others, peers: had ? [] : peers, isSeen }) ?? (had ? undefined : whyFull(others))
}

const whyFull = ({ length }: readonly LockedBlock[]): string | undefined =>
  length < routedBlocksMost ? undefined : `its VNI has ${routedBlocksMost} blocks behind Ports already, the most there can be`

/** Whoever else is there. */
function whyNever({ port, subnet, vpc }: BlocksDemand, block: string): string | undefined {
  if (vpc.spec.vlan !== undefined) return `Vpc ${vpc.metadata.name} is a VLAN, whose routers say what is behind a Port`
  return whyNotAllowed({ block, namespace: port.metadata.namespace ?? '' }, subnet)
}

interface InTheWay extends Giving {
  readonly lock: Resource<'SegmentLock'>
  /** Whose name is told: who is in another namespace is a stranger, in a network that is shared. */
  readonly isSeen: (port: Holder) => boolean
}

/** A peer that comes later takes nothing: of that one its peering says so (core/plan/peering). */
function rivalOf(cidr: string, { lock, others, peers, isSeen }: InTheWay): string | undefined {
  const subnet = overlappingIn(cidr, lock.spec.blocks ?? [])
  if (subnet !== undefined) return `overlaps ${subnet.cidr} of Subnet ${keyOfHolder(subnet.subnet)}`
  const other = overlappingIn(cidr, others)
  if (other !== undefined)
    return isSeen(other.port)
      ? `overlaps ${other.cidr} behind Port ${keyOfHolder(other.port)}, which has it: a block leads to one Port`
      : 'overlaps what is behind a Port of another namespace'
  const peer = overlappingIn(cidr, peers)
  return peer === undefined ? undefined : `overlaps ${peer.cidr} of Vpc ${peer.vpc}, which its own is peered with`
}

/** The first of several that has an address of a block. */
export function overlappingIn<T extends { readonly cidr: string }>(block: string, all: readonly T[]): T | undefined {
  const mine = parseCidr(block)
  return all.find(({ cidr }) => {
    const other = parseCidr(cidr)
    return mine !== undefined && other !== undefined && overlaps(mine, other)
  })
}

const isOfFamilyOf =
  (block: string) =>
  (address: string): boolean =>
    address.includes(':') === block.includes(':')

/** In an order of their own: two Ports would put each other last without end. */
function stepsTo(
  wanted: readonly LockedBlock[],
  there: readonly LockedBlock[],
  { lock, port }: { readonly lock: Resource<'SegmentLock'> | undefined; readonly port: Resource<'Port'> },
): readonly Step<RoutedBlocksAction>[] {
  const routedBlocks = [...wanted].sort((a, b) => (a.cidr < b.cidr ? -1 : 1))
  if (lock === undefined || sameJson(routedBlocks, there)) return []
  return [
    { action: { do: 'setRoutedBlocks', lock, routedBlocks }, because: { rule: 'the blocks that are behind a Port', of: refOf(port) } },
  ]
}

/** What a Port's report says of them; nothing where it asks for none. */
export function routedBlocksTold({ blocks, refused }: RoutedBlocks): NonNullable<Plan<never>['conditions']> {
  if (blocks.length + refused.length === 0) return []
  return refused.length === 0
    ? [{ type: 'BlocksRouted', status: 'True', reason: 'AllOfThem', message: `${blocks.join(', ')} lead to it` }]
    : [{ type: 'BlocksRouted', status: 'False', reason: 'NotAllOfThem', message: refused.join('; ') }]
}
