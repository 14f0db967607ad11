// What is booked of this node's uplink. The ledger has it with each Port, so that an agent that comes again takes nothing from anybody.
import { bookedFor, notBookedText, type BookingWish } from '../../core/node/booking/booking.ts'
import type { Unsupported } from '../../core/node/unsupported.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { policyText } from '../../core/kinds/policy/policy-rule-set.ts'
import { portPiece } from '../../core/pieces/port.ts'
import type { AgentEnv } from '../agent-env.ts'

type Around = Pick<AgentEnv, 'ledger' | 'loop' | 'ruleSets' | 'uplink' | 'node'>

/** What each Port has booked, by UID: of one that is carried as it is carried, else as the ledger has it. */
function bookedHere({ ledger, loop }: Pick<Around, 'ledger' | 'loop'>): ReadonlyMap<string, number> {
  const all = new Map<string, number>()
  for (const { port } of ledger.wired()) all.set(port.uid, port.policy?.booked ?? 0)
  for (const { uid, policy } of loop.pieces.of(portPiece).values()) all.set(uid, policy?.booked ?? 0)
  return all
}

/** As it is carried, else as the ledger has it. */
const carriedAs = (uid: string, { ledger, loop }: Pick<Around, 'ledger' | 'loop'>): LocalPort | undefined =>
  loop.pieces.of(portPiece).get(uid) ?? ledger.wiredOf(uid)?.port

/** Undefined: it asks for none. */
function wishOf({ uid, attachment, policy }: LocalPort, env: Pick<Around, 'ledger' | 'loop'>): BookingWish | undefined {
  const min = policy?.traffic?.minEgress
  if (min === undefined || attachment.kind !== 'vni') return undefined
  const all = bookedHere(env)
  const before = all.get(uid) ?? 0
  return { min, before, others: [...all.values()].reduce((sum, each) => sum + each, -before) }
}

/** A Port with what it has booked from now on. While its rules are not all here it keeps what it has. */
export function withBooking(local: LocalPort, env: Around): LocalPort {
  const { policy } = local
  if (policy === undefined || !('rate' in env.uplink)) return local
  const wish = wishOf(local, env)
  const isWaiting = policy.ruleSets.some((name) => env.ruleSets.get(name) === undefined)
  const kept = isWaiting ? carriedAs(local.uid, env)?.policy?.booked : undefined
  const booked = wish === undefined ? kept : bookedFor(wish, env.uplink)
  return booked === undefined || booked === 0 ? local : { ...local, policy: { ...policy, booked } }
}

/** Whether it asks for more than it has. */
export const isShort = ({ attachment, policy }: LocalPort): boolean =>
  attachment.kind === 'vni' && (policy?.traffic?.minEgress ?? 0) > (policy?.booked ?? 0)

export function notBooked(local: LocalPort, env: Around): readonly Unsupported[] {
  const wish = isShort(local) ? wishOf(local, env) : undefined
  if (wish === undefined) return []
  const set = (local.policy?.ruleSets ?? []).map((name) => env.ruleSets.get(name)).find((each) => each?.traffic?.minEgress !== undefined)
  const why = 'rate' in env.uplink ? notBookedText(wish, env.uplink, env.node) : `nothing is booked on node ${env.node}: ${env.uplink.why}`
  return [{ name: 'bandwidth', why: `${set === undefined ? 'a policy' : policyText(set)}: /spec/bandwidth/min: ${why}` }]
}
