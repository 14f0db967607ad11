// Nodes are told of a Vpc's peer only while both owners agree, of no block that the other has too, and the side that goes stays until the
// other side's nodes are told. Once all is quiet what is exchanged is what both give, and nothing else. An l3 Subnet
// gives while a group may say its blocks. What packets do is for the invariant of routes.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { overlaps, parseCidr } from '../../../core/net/cidr.ts'
import { vpcKeyOf } from '../../../core/plan/peering/sides.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'

type Peering = Resource<'VpcPeering'>
type Fail = (what: string) => void

/** A worker reads both sides live before it tells more; what it then writes may be on its way for so long. */
const underWayMs = 5_000

export const peering: Invariant = {
  name: 'peering',
  begin({ site: { truth, scheduler } }, fail) {
    /** Side → when its owner agreed last. */
    const agreedUntil = new Map<string, number>()
    const sideKey = (vpc: string, peer: string): string => `${vpc} with ${peer}`
    const hasAgreed = (vpc: string, peer: string): boolean =>
      agreeing(vpc, peer, truth) !== undefined || scheduler.now - (agreedUntil.get(sideKey(vpc, peer)) ?? -Infinity) < underWayMs
    /** Block of a Subnet → when it was last in its lock to stay. */
    const stoodUntil = new Map<string, number>()
    const hasStood = (subnet: Resource<'Subnet'>, cidr: string): boolean =>
      isLocked(subnet, cidr, truth) || scheduler.now - (stoodUntil.get(`${subnet.metadata.uid} ${cidr}`) ?? -Infinity) < underWayMs
    return {
      landed: perKind({
        PrefixLock(before, after) {
          const stands = entriesOf(after)
          for (const each of entriesOf(before)) if (!stands.includes(each)) stoodUntil.set(each, scheduler.now)
        },
        VpcPeering(before, after) {
          if (before !== undefined && isStaying(before) && (after === undefined || !isStaying(after)))
            agreedUntil.set(sideKey(vpcKeyOf(before), before.spec.peer), scheduler.now)
          if (after === undefined) return goneWhileTold(before!, truth, fail)
          if (!tellsMore(before, after)) return
          const [vpc, peer] = [vpcKeyOf(after), after.spec.peer]
          for (const [one, other] of [
            [vpc, peer],
            [peer, vpc],
          ] as const)
            if (!hasAgreed(one, other)) fail(`VpcPeering ${keyOfItem(after)} tells nodes of ${peer}, and ${one} does not agree to ${other}`)
          for (const cidr of newUnsaid(before, after, truth, hasStood))
            fail(`VpcPeering ${keyOfItem(after)} tells nodes of ${cidr}, which is l3, and no group may say it`)
          standsApart(after, fail)
        },
      }),
      atRest() {
        for (const each of truth.values('VpcPeering')) isExchanged(each, truth, fail)
      },
    }
  },
}

const isStaying = ({ metadata }: Resource): boolean => metadata.deletionTimestamp === undefined

/** The side of a Vpc that names another, and stays. */
const agreeing = (vpc: string, peer: string, truth: Truth): Peering | undefined =>
  [...truth.values('VpcPeering')].find((each) => isStaying(each) && vpcKeyOf(each) === vpc && each.spec.peer === peer)

function tellsMore(before: Peering | undefined, after: Peering): boolean {
  const told = (of: Peering | undefined): readonly string[] => [
    ...(of?.status?.blocks ?? []),
    ...(of?.status?.peer?.blocks.map((block) => `${of.status!.peer!.vni} ${block}`) ?? []),
  ]
  const was = new Set(told(before))
  return told(after).some((each) => !was.has(each))
}

type HasStood = (subnet: Resource<'Subnet'>, cidr: string) => boolean

/** Blocks of l3 Subnets that nodes were not told of before, and that nobody may say. */
function newUnsaid(before: Peering | undefined, after: Peering, truth: Truth, hasStood: HasStood): readonly string[] {
  const told = (of: Peering | undefined) => [of?.status?.blocks ?? [], of?.status?.peer?.blocks ?? []] as const
  const [is, was] = [told(after), told(before)]
  return [vpcKeyOf(after), after.spec.peer].flatMap((giver, side) =>
    subnetsOf(giver, truth)
      .filter(({ spec }) => spec.mode === 'l3')
      .flatMap((subnet) => blocksIn(subnet).filter((cidr) => !hasStood(subnet, cidr)))
      .filter((cidr) => is[side]!.includes(cidr) && !was[side]!.includes(cidr)),
  )
}

function standsApart(side: Peering, fail: Fail): void {
  for (const own of side.status?.blocks ?? [])
    for (const other of side.status?.peer?.blocks ?? [])
      if (isBoth(own, other)) fail(`VpcPeering ${keyOfItem(side)} tells of ${own} and of ${other}, which overlap`)
}

const isBoth = (one: string, other: string): boolean => overlaps(parseCidr(one)!, parseCidr(other)!)

function goneWhileTold(gone: Peering, truth: Truth, fail: Fail): void {
  const [vpc, peer] = [vpcKeyOf(gone), gone.spec.peer]
  if (agreeing(vpc, peer, truth) !== undefined) return
  const still = [...truth.values('VpcPeering')].find((each) => vpcKeyOf(each) === peer && each.spec.peer === vpc && each.status?.peer)
  if (still !== undefined) fail(`VpcPeering ${keyOfItem(gone)} is gone, and ${keyOfItem(still)} still tells nodes of ${vpc}`)
}

function isExchanged(side: Peering, truth: Truth, fail: Fail): void {
  const [vpc, peer] = [vpcKeyOf(side), side.spec.peer]
  const other = agreeing(peer, vpc, truth)
  const { status: { blocks = [], peer: told } = {} } = side
  const key = keyOfItem(side)
  if (!isStaying(side)) return fail(`VpcPeering ${key} was deleted and is still there`)
  if (other === undefined || ![vpc, peer].every((each) => vniOf(each, truth) !== undefined)) {
    if (told !== undefined) fail(`VpcPeering ${key} tells nodes of ${peer}, and it is not in force`)
    return
  }
  isGiven(blocks, [side, vpc, peer], truth, (what) => fail(`VpcPeering ${key}: ${what}`))
  isGiven(told?.blocks ?? [], [other, peer, vpc], truth, (what) => fail(`VpcPeering ${key}: ${what}`))
}

function vniOf(key: string, truth: Truth): number | undefined {
  const vpc = truth.at('Vpc', key)
  return vpc === undefined || !isStaying(vpc) || vpc.spec.vlan !== undefined ? undefined : vpc.status?.vni
}

/** Of one side's blocks those that nobody on the other side has are exchanged. Of two peers that have the same one of both may be. */
function isGiven(told: readonly string[], [giver, from, into]: readonly [Peering, string, string], truth: Truth, fail: Fail): void {
  const { subnets } = giver.spec
  const offered = subnetsOf(from, truth)
    .filter(({ metadata, status }) => status?.validated === true && subnets?.includes(metadata.name) !== false)
    .flatMap((each) => blocksIn(each).filter((cidr) => each.spec.mode !== 'l3' || isLocked(each, cidr, truth)))
  const inside = subnetsOf(into, truth).flatMap(blocksIn)
  const apart = offered.filter((block) => !inside.some((own) => isBoth(own, block)))
  const wrong = told.find((block) => !apart.includes(block))
  if (wrong !== undefined) fail(`${wrong} of Vpc ${from} is exchanged with ${into}, which may not have it`)
  const rivals = [...truth.values('VpcPeering')]
    .filter((each) => vpcKeyOf(each) === into && each.spec.peer !== from && agreeing(each.spec.peer, into, truth) !== undefined)
    .flatMap((each) => subnetsOf(each.spec.peer, truth).flatMap(blocksIn))
  const missed = apart.find((block) => !told.includes(block) && !rivals.some((rival) => isBoth(rival, block)))
  if (missed !== undefined) fail(`${missed} of Vpc ${from} is not exchanged with ${into}, and nothing speaks against it`)
}

/** `uid cidr` of those that are there to stay. */
const entriesOf = (lock: Resource<'PrefixLock'> | undefined): readonly string[] =>
  (lock?.spec.prefixes ?? []).flatMap(({ uid, cidr, leaving }) => (leaving === undefined ? [`${uid} ${cidr}`] : []))
const isLocked = ({ metadata: { uid } }: Resource<'Subnet'>, cidr: string, truth: Truth): boolean =>
  [...truth.values('PrefixLock')].some((lock) => entriesOf(lock).includes(`${uid} ${cidr}`))

const subnetsOf = (vpc: string, truth: Truth): readonly Resource<'Subnet'>[] =>
  [...truth.values('Subnet')].filter((each) => isStaying(each) && `${each.metadata.namespace}/${each.spec.vpc}` === vpc)
const blocksIn = ({ spec: { ipv4, ipv6 } }: Resource<'Subnet'>): readonly string[] =>
  [ipv4, ipv6].flatMap((block) => (block === undefined ? [] : [block.cidr]))
