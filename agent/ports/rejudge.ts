// Ports whose rules have changed while they are wired: no restart, no CNI.
import { segmentNumberOf, type LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import type { AgentEnv } from '../agent-env.ts'
import { isShort } from '../uplink/bookings.ts'
import { reportRound } from '../chains/round.ts'
import { portOf, reportUnsupported } from './node-status.ts'
import { judgedAnew } from './policy.ts'

/** The rules of these Ports are others than before: each is opened, or closed, by what they are now. */
export function rejudge(uids: readonly string[], env: AgentEnv): void {
  const { pieces } = env.loop
  let isLess = false
  for (const uid of uids) {
    const local = pieces.of(portPiece).get(uid)
    if (local === undefined) continue
    const now = carryAnew(local, env)
    isLess ||= (now.policy?.booked ?? 0) < (local.policy?.booked ?? 0)
    env.segments.refresh(segmentNumberOf(local.attachment))
    const port = portOf(uid, env)
    if (port !== undefined) reportUnsupported(port, env)
    reportRound(uid, env)
  }
  if (isLess) bookAgain(env)
}

/** It is carried by the rules that are here now. What it has booked is its own, also after this agent. */
export function carryAnew(local: LocalPort, env: AgentEnv): LocalPort {
  const now = judgedAnew(local, env)
  env.loop.pieces.set(portPiece, local.uid, now)
  if (env.ledger.wiredOf(local.uid)?.port.policy?.booked !== now.policy?.booked) writeDown(now, env)
  return now
}

/** What the ledger has of a wired Port is this from now on. */
export function writeDown(local: LocalPort, env: AgentEnv): void {
  env.outbox.put(`ledger ${local.uid}`, async () => {
    const now = env.ledger.wiredOf(local.uid)
    if (now !== undefined) await env.ledger.put({ ...now, port: local })
  })
}

/** There is room again: whoever asks for more than they have may get it. */
export function bookAgain(env: AgentEnv): void {
  const short = [...env.loop.pieces.of(portPiece).values()].filter(isShort)
  rejudge(
    short.map(({ uid }) => uid),
    env,
  )
}
