// Blocks behind Ports. Each leads to one Port of its VNI: it stands in the VNI's lock before anybody is told of it, overlaps nothing else
// there, and is given back before the Port's addresses are free. Once all is quiet a Port has what its Subnet allows and nobody else has,
// and says so; and kernels lead to no other.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { whyNotAllowed } from '../../../core/kinds/vpc/routed-blocks.ts'
import { isInBlock, overlaps, parseCidr } from '../../../core/net/cidr.ts'
import { parseIp } from '../../../core/net/ip.ts'
import { ownRouteProtocol, ownTableOf } from '../../../core/net/route-table.ts'
import { subnetKeyOf } from '../../../platform/cache/caches.ts'
import { blocksBehind } from '../events/routed-blocks.ts'
import type { World } from '../happening.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'

type Port = Resource<'Port'>
type Lock = Resource<'SegmentLock'>
type Fail = (what: string) => void

export const routedBlocks: Invariant = {
  name: 'routed-blocks',
  begin(world, fail) {
    const { truth } = world.site
    return {
      landed: perKind({
        SegmentLock: (_, after) => after !== undefined && standApart(after, fail),
        Port(before, after) {
          if (after !== undefined) return tellsInTime(before, after, truth, fail)
          if (entriesOf(before!, truth).length > 0) fail(`Port ${keyOfItem(before!)} is gone, and its VNI still leads to blocks behind it`)
        },
        IPLock(before, after) {
          const uid = after === undefined ? before?.spec.holder?.uid : undefined
          const left = [...truth.values('SegmentLock')]
            .filter(({ spec }) => spec.vni === before?.spec.vni)
            .flatMap(blocksOf)
            .find(({ port, via }) => port.uid === uid && via === before!.spec.address)
          if (left !== undefined) fail(`${left.via} is free, and ${left.cidr} still leads to it`)
        },
      }),
      atRest() {
        for (const port of truth.values('Port')) for (const problem of hasWrongly(port, truth)) fail(`at rest ${problem}`)
        for (const problem of ledWrongly(world)) fail(`at rest ${problem}`)
      },
    }
  },
}

const blocksOf = ({ spec }: Lock) => spec.routedBlocks ?? []
const entriesOf = ({ metadata: { uid } }: Port, truth: Truth) =>
  [...truth.values('SegmentLock')].flatMap(blocksOf).filter(({ port }) => port.uid === uid)
const isBoth = (one: string, other: string): boolean => overlaps(parseCidr(one)!, parseCidr(other)!)

function tellsInTime(before: Port | undefined, after: Port, truth: Truth, fail: Fail): void {
  const had = before?.status?.routedBlocks ?? []
  const locked = entriesOf(after, truth).map(({ cidr }) => cidr)
  for (const cidr of after.status?.routedBlocks ?? [])
    if (!had.includes(cidr) && !locked.includes(cidr))
      fail(`Port ${keyOfItem(after)} says that ${cidr} leads to it, and its VNI has no such block`)
}

function standApart(lock: Lock, fail: Fail): void {
  const all = [...(lock.spec.blocks ?? []).map(({ cidr }) => cidr), ...blocksOf(lock).map(({ cidr }) => cidr)]
  for (const { cidr } of blocksOf(lock))
    if (all.filter((each) => isBoth(each, cidr)).length > 1)
      fail(`the lock ${lock.metadata.name} leads ${cidr} to a Port, and has it twice`)
}

function* hasWrongly(port: Port, truth: Truth): Generator<string> {
  const [key, has] = [keyOfItem(port), entriesOf(port, truth).map(({ cidr }) => cidr)]
  const told = port.status?.routedBlocks ?? []
  if ([...told].sort().join() !== [...has].sort().join())
    yield `Port ${key} says that ${told.join(', ')} leads to it, and ${has.join(', ')} does`
  const may = blocksThatMay(port, truth)
  const wrong = has.find((cidr) => !may.includes(cidr))
  if (wrong !== undefined) yield `Port ${key} has ${wrong} behind it, and may not`
  const missed = may.find((cidr) => !has.includes(cidr) && !isTaken(cidr, port, truth))
  if (missed !== undefined) yield `Port ${key} does not have ${missed} behind it, and nothing speaks against it`
}

/** Of those that it asks for. */
function blocksThatMay(port: Port, truth: Truth): readonly string[] {
  const subnet = truth.at('Subnet', subnetKeyOf(port))
  if (subnet === undefined || !canLead(port)) return []
  const namespace = port.metadata.namespace ?? ''
  return (port.spec.routedBlocks ?? []).filter((block) => whyNotAllowed({ block, namespace }, subnet) === undefined)
}

/** A block of IPv4 has to be led to an address of IPv4, and in a VLAN others lead. */
const canLead = ({ metadata, status = {} }: Port): boolean =>
  metadata.deletionTimestamp === undefined &&
  status.phase === 'ready' &&
  status.vni !== undefined &&
  status.addresses?.some((each) => !each.includes(':')) === true

/** Of two that overlap one has it, whichever. */
const isTaken = (cidr: string, { status }: Port, truth: Truth): boolean =>
  [...truth.values('SegmentLock')].some(
    (lock) => lock.spec.vni === status?.vni && [...blocksOf(lock), ...(lock.spec.blocks ?? [])].some((each) => isBoth(each.cidr, cidr)),
  )

/** By the tables of VNIs themselves; those of groups are for the invariant of routes. */
function* ledWrongly({ machines, site: { truth } }: World): Generator<string> {
  const [, , all] = blocksBehind
  for (const { name, kernel } of machines.all.values())
    for (const { table, to, protocol } of kernel.routes.values()) {
      const first = parseIp(to.split('/')[0]!)
      if (protocol !== ownRouteProtocol || first === undefined || !isInBlock(all, first)) continue
      const lock = [...truth.values('SegmentLock')].find(({ spec }) => spec.vni !== undefined && ownTableOf(spec.vni) === table)
      if (lock === undefined || !blocksOf(lock).some(({ cidr }) => cidr === to)) yield `${name} leads to ${to}, which is behind no Port`
    }
}
