// Which sessions of a speaker a daemon is to have, each with what it needs; and why the others are left out.
import { parseCidr, isInBlock } from '../net/cidr.ts'
import { parseIp } from '../net/ip.ts'
import type { LeftOut, Surroundings } from './renderer.ts'
import { familyOf } from './safety.ts'
import type { Family, SpeakerGroup, SpeakerSession, SpeakerSpec } from './speaker.ts'
import { isPassword } from './validity.ts'

export interface ChosenSession {
  readonly group: SpeakerGroup
  readonly session: SpeakerSession
  /** Where it comes from. */
  readonly local: string
  readonly password?: string
  readonly families: readonly Family[]
  /** Whether the node has a link into the neighbour's block. */
  readonly onLink: boolean
}
export interface Chosen {
  readonly sessions: readonly ChosenSession[]
  readonly leftOut: readonly LeftOut[]
}

export function chosenSessions({ groups }: SpeakerSpec, around: Surroundings): Chosen {
  const sessions: ChosenSession[] = []
  const leftOut: LeftOut[] = []
  const taken = new Map<string, string>()
  const places = groups.map((group, i) => ({ group, at: `/spec/groups/${i}/sessions` }))
  // By name and not as they come, so that the neighbour's node chooses the same group of two.
  for (const { group, at } of places.toSorted((a, b) => (a.group.name < b.group.name ? -1 : 1)))
    group.sessions.forEach((session, j) => {
      const one = chosen(group, session, around)
      const twin = taken.get(session.address)
      // A daemon tells an incoming session by its two addresses: it would give the one group's routes to the other.
      if (twin !== undefined) leftOut.push({ at: `${at}/${j}`, reason: `group ${twin} has a session with ${session.address} already` })
      else if (typeof one === 'string') leftOut.push({ at: `${at}/${j}`, reason: one })
      else {
        taken.set(session.address, group.name)
        sessions.push(one)
      }
    })
  return { sessions, leftOut }
}

function chosen(group: SpeakerGroup, session: SpeakerSession, around: Surroundings): ChosenSession | string {
  const family = familyOf(session.address)
  const local = group.addresses[family]
  if (local === undefined) return `${session.name}: the node has no address of ${family} to come from`
  const password = passwordOf(session, around)
  if (typeof password === 'string') return `${session.name}: ${password}`
  // A next hop of IPv4 may be an IPv6 address (RFC 8950), and not the other way round.
  const families = session.addressFamilies.filter((each) => each === family || each === 'ipv4' || group.addresses.ipv6 !== undefined)
  if (families.length === 0) return `${session.name}: the node has no address of ipv6 that could be a next hop`
  const ip = parseIp(session.address)!
  const onLink = around.links.some((link) => parseCidr(link) !== undefined && isInBlock(link, ip))
  return { group, session, local, ...password, families, onLink }
}

/** A session whose password is not known would be one that anybody could open. */
function passwordOf({ passwordSecret }: SpeakerSession, { password }: Surroundings): { readonly password?: string } | string {
  if (passwordSecret === undefined) return {}
  const { name, key } = passwordSecret
  const found = password(passwordSecret)
  if (found === undefined) return `Secret ${name} has no key ${key}, or is not there`
  return isPassword(found) ? { password: found } : `${key} of Secret ${name} must be 1 to 80 printable characters without space and quote`
}
