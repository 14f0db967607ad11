// One bucket of advertised prefixes: who wants to be advertised stands in it before a speaker says it, and until none does any more.
import { keyOfItem, type Resource } from '../../kinds/index.ts'
import type { Plan, Step } from '../plan.ts'
import { entryOf, rivalOf, wantedOf, type LockedPrefix, type WantedPrefix } from './advertised.ts'
import type { BGPNet } from './net.ts'

export type PrefixLockAction =
  | { readonly do: 'makePrefixLock'; readonly name: string; readonly prefixes: readonly LockedPrefix[] }
  | { readonly do: 'setPrefixes'; readonly lock: Resource<'PrefixLock'>; readonly prefixes: readonly LockedPrefix[] }
  | { readonly do: 'deletePrefixLock'; readonly lock: Resource<'PrefixLock'> }
export interface PrefixLockDesired {
  /** Of the bucket. */
  readonly name: string
  readonly net: BGPNet
  readonly speakers: Iterable<Resource<'BGPSpeaker'>>
}
type PrefixLockPlan = Plan<PrefixLockAction>

/**
 * A prefix that nobody wants is marked, and from then on nobody begins to say it. A worker that had looked before may still write what it
 * has planned: no request to a store is in flight for so long.
 */
export const leavingMs = 60_000

/** A speaker that stops wakes it; this is for the case that nobody heard. */
const stillSaidMs = 30_000

export function planPrefixLock({ name, net, speakers }: PrefixLockDesired, _: unknown, now: number): PrefixLockPlan {
  const lock = net.prefixLock(name)
  const there = lock?.spec.prefixes ?? []
  const wanted = wantedIn(name, net)
  const advertised = saidBy(speakers)
  const kept = there.flatMap((each) => keptOf(each, { wanted, advertised, now }))
  const prefixes = [...kept, ...added(wanted, kept)]
  const until = Math.min(...prefixes.flatMap(({ leaving }) => (leaving === undefined ? [] : [Date.parse(leaving) + leavingMs])))
  return {
    steps: stepsTo(prefixes, lock, name),
    phase: 'ready',
    reason: 'Locked',
    message: `${prefixes.length} prefixes`,
    ...(Number.isFinite(until) && { requeueAfterMs: until > now ? until - now : stillSaidMs }),
  }
}

/** Of all groups, the Subnet that was made first before others. */
function wantedIn(bucket: string, net: BGPNet): readonly WantedPrefix[] {
  const all = [...net.groups].flatMap((group) => wantedOf(group, net).prefixes).filter((each) => each.bucket === bucket)
  const once = new Map(all.map((each) => [keyOf(each.cidr, each.subnet.metadata.uid), each]))
  return [...once.values()].sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1))
}
const ageOf = ({ subnet: { metadata } }: WantedPrefix): string => `${metadata.creationTimestamp} ${metadata.namespace}/${metadata.name}`
const keyOf = (cidr: string, uid: string): string => `${cidr} ${uid}`

function saidBy(speakers: Iterable<Resource<'BGPSpeaker'>>): ReadonlySet<string> {
  return new Set([...speakers].flatMap(({ spec }) => spec.groups.flatMap(({ advertise }) => advertise.map(({ cidr }) => cidr))))
}

interface PrefixDemand {
  readonly wanted: readonly WantedPrefix[]
  /** No two prefixes overlap, so a block is that of one Subnet. */
  readonly advertised: ReadonlySet<string>
  readonly now: number
}

function keptOf(entry: LockedPrefix, { wanted, advertised, now }: PrefixDemand): readonly LockedPrefix[] {
  const { leaving, ...stays } = entry
  if (wanted.some(({ cidr, subnet }) => cidr === entry.cidr && subnet.metadata.uid === entry.uid)) return [stays]
  if (leaving === undefined) return [{ ...stays, leaving: new Date(now).toISOString() }]
  return advertised.has(entry.cidr) || now < Date.parse(leaving) + leavingMs ? [entry] : []
}

function added(wanted: readonly WantedPrefix[], kept: readonly LockedPrefix[]): readonly LockedPrefix[] {
  const found: LockedPrefix[] = []
  for (const each of wanted) {
    const there = [...kept, ...found]
    const has = there.some(({ cidr, uid }) => cidr === each.cidr && uid === each.subnet.metadata.uid)
    if (!has && rivalOf(each, there) === undefined) found.push(entryOf(each))
  }
  return found
}

function stepsTo(
  prefixes: readonly LockedPrefix[],
  lock: Resource<'PrefixLock'> | undefined,
  name: string,
): readonly Step<PrefixLockAction>[] {
  const because = {
    rule: 'the prefixes that are to be advertised, and those that somebody still says',
    of: { kind: 'PrefixLock' as const, name },
  }
  if (lock === undefined) return prefixes.length === 0 ? [] : [{ action: { do: 'makePrefixLock', name, prefixes }, because }]
  if (prefixes.length === 0) return [{ action: { do: 'deletePrefixLock', lock }, because }]
  return sameEntries(prefixes, lock.spec.prefixes) ? [] : [{ action: { do: 'setPrefixes', lock, prefixes }, because }]
}

const sameEntries = (a: readonly LockedPrefix[], b: readonly LockedPrefix[]): boolean =>
  a.length === b.length && a.every((each, i) => each.uid === b[i]?.uid && each.cidr === b[i]?.cidr && each.leaving === b[i]?.leaving)

/** By key, the Subnets that have a prefix in a lock, or want one there. */
export const subnetsIn = ({ name, net }: PrefixLockDesired): readonly string[] => [
  ...new Set([
    ...(net.prefixLock(name)?.spec.prefixes ?? []).map(({ subnet }) => subnet),
    ...wantedIn(name, net).map(({ subnet }) => keyOfItem(subnet)),
  ]),
]

/** Whether a plan frees a prefix: then what speakers say is read live. */
export const freesPrefix = ({ steps }: PrefixLockPlan): boolean =>
  steps.some(({ action }) =>
    action.do === 'setPrefixes'
      ? action.lock.spec.prefixes.some(({ cidr, uid }) => !action.prefixes.some((each) => each.cidr === cidr && each.uid === uid))
      : action.do === 'deletePrefixLock',
  )
