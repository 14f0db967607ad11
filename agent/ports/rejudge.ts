// Ports whose rules have changed while they are wired: no restart, no CNI.
import { segmentNumberOf } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import type { AgentEnv } from '../agent-env.ts'
import { portOf, reportUnsupported } from './node-status.ts'
import { judgedAnew } from './policy.ts'

/** The rules of these Ports are others than before: each is opened, or closed, by what they are now. */
export function rejudge(uids: readonly string[], env: AgentEnv): void {
  const { pieces } = env.loop
  for (const uid of uids) {
    const local = pieces.of(portPiece).get(uid)
    if (local === undefined) continue
    pieces.set(portPiece, uid, judgedAnew(local, env))
    env.segments.refresh(segmentNumberOf(local.attachment))
    const port = portOf(uid, env)
    if (port !== undefined) reportUnsupported(port, env)
  }
}
