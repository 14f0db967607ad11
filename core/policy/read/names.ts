// Names outside that rules are about, and the addresses that they have: workers write what was answered into the policy's status, and
// everybody goes by that. An address counts as long as its answer said and a minute more, in which the name is asked for again.
import type { Resource } from '../../kinds/index.ts'
import type { KnownName, UnifiedSpec } from '../../kinds/policy/unified-network-policy.ts'
import { specialUse } from '../../net/forbidden.ts'
import { parseIp, printIp } from '../../net/ip.ts'

/** Of one policy. */
export const namesMost = 32
/** Of one name. */
export const addressesMost = 64

const minute = 60_000
/** However short an answer says it is good for: each time it is asked for again is a write. */
const keptMs = { least: minute, most: 60 * minute } as const
const graceMs = minute
/** While nobody answers (RFC 8767 section 5: a day and more). */
const staleMs = 24 * 60 * minute
const retryMs = minute / 2

/** What was answered for a name, or why nothing was. */
export interface NameAnswer {
  /** When, RFC 3339. */
  readonly at: string
  readonly addresses: readonly { readonly address: string; readonly ttlSeconds: number }[]
  readonly problem?: string
}

const spelled = (name: string): string => name.toLowerCase().replace(/\.$/, '')

/** In order, each once; no more than `namesMost`. */
export function namesIn({ ingress = [], egress = [], chains = [] }: Pick<UnifiedSpec, 'ingress' | 'egress' | 'chains'>): readonly string[] {
  const peers = [...ingress, ...egress, ...chains].flatMap((each) => each.peers ?? [])
  const all = peers.flatMap(({ fqdn }) => (fqdn === undefined ? [] : [spelled(fqdn)]))
  return [...new Set(all)].sort().slice(0, namesMost)
}

/** What a policy's rules go by, of each name that is asked for: of one that they spell otherwise it is the same. */
export function knownNames({ spec, status }: Resource<'UnifiedNetworkPolicy'>): (fqdn: string) => KnownName | undefined {
  const stored = new Map(status?.names?.map((known) => [known.name, known]))
  const all = new Map(namesIn(spec).map((name) => [name, stored.get(name) ?? { name, addresses: [] }]))
  return (fqdn) => all.get(spelled(fqdn))
}

/** How long after an answer the name is to be asked for again. */
export function askAgainMs({ addresses, problem }: NameAnswer): number {
  if (problem !== undefined) return retryMs
  return addresses.length === 0 ? keptMs.least : Math.min(...addresses.map(({ ttlSeconds }) => lastsMs(ttlSeconds)))
}

const lastsMs = (ttlSeconds: number): number => Math.min(Math.max(ttlSeconds * 1_000, keptMs.least), keptMs.most)

/** No packet outside goes there. */
const nowhere: readonly (string | undefined)[] = [
  'this network',
  'loopback',
  'link-local',
  'multicast',
  'broadcast',
  'unspecified',
  'IPv4-mapped',
]

/** @param answers of those names that somebody has answered for, or has not been able to */
export function namesAfter(
  policy: Resource<'UnifiedNetworkPolicy'>,
  answers: ReadonlyMap<string, NameAnswer>,
  { now }: { readonly now: number },
): readonly KnownName[] {
  return namesIn(policy.spec).flatMap((name) => {
    const known = policy.status?.names?.find((each) => each.name === name)
    const answer = answers.get(name)
    if (answer === undefined) return known ?? []
    return nameAfter(known ?? { name, addresses: [] }, answer, now)
  })
}

function nameAfter({ name, addresses }: KnownName, { at, addresses: answered, problem }: NameAnswer, now: number): KnownName {
  const until = new Map<string, number>()
  const last = problem === undefined ? now : now - staleMs
  for (const known of addresses) if (Date.parse(known.keptUntil) > last) until.set(known.address, Date.parse(known.keptUntil))
  for (const { address, ttlSeconds } of answered) {
    const ip = parseIp(address)
    if (ip === undefined || nowhere.includes(specialUse(ip))) continue
    const text = printIp(ip)
    until.set(text, Math.max(until.get(text) ?? 0, Date.parse(at) + lastsMs(ttlSeconds) + graceMs))
  }
  // Those that last longest, if there are too many.
  const kept = [...until].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, addressesMost)
  return {
    name,
    addresses: kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([address, ms]) => ({ address, keptUntil: new Date(ms).toISOString() })),
    ...(problem !== undefined && { problem }),
  }
}

/** In how many milliseconds something of it may be otherwise, although nobody tells. @param askedInMs a name is asked for again */
export function namesDueInMs(
  names: readonly KnownName[],
  askedInMs: number | undefined,
  { now }: { readonly now: number },
): number | undefined {
  const ends = names.flatMap(({ addresses }) => addresses.map(({ keptUntil }) => Date.parse(keptUntil) - now)).filter((ms) => ms > 0)
  const due = [...ends, ...(askedInMs === undefined ? [] : [askedInMs])]
  return due.length === 0 ? undefined : Math.max(Math.min(...due), 1_000)
}
