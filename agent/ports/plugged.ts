// A Port of a cloud once its interface is where the cloud wants it: told at once, since the cloud goes on by that, and waited for until
// packets pass.
import { PortNotReady } from '../../core/errors.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { Wired } from '../ledger/record.ts'
import { portOf, reportWired } from './node-status.ts'

/** @throws PortNotReady where the time for it is over */
export async function plugged(wired: Wired, env: AgentEnv, signal: AbortSignal): Promise<void> {
  const { uid, of } = wired.port
  reportWired(wired, env)
  for (let port = portOf(uid, env); port?.status?.phase !== 'ready'; port = portOf(uid, env)) {
    if (signal.aborted || port === undefined) throw new PortNotReady({ port: of.name, reason: port?.status?.message ?? 'it is gone' })
    await nextChange(env, signal)
  }
}

/** Of a Port of this node, or that the time is over. */
function nextChange({ portChanges }: AgentEnv, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      forget()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const forget = portChanges.once(done)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
