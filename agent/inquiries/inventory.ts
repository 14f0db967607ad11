// All that this node has, for whoever audits it: what the ledger has as wired, what was told and is not so, and interfaces of ours that
// nobody has. It is read in an order in which what comes or goes meanwhile is not taken for amiss.
import { inventoriedMax, type Inventory, type InventoriedPort } from '../../core/kinds/node/inventory.ts'
import { keyOf, keyOfItem, type Resource } from '../../core/kinds/index.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { Wired } from '../ledger/record.ts'
import { orphansOn } from '../ports/orphans.ts'
import { lostOn } from '../ports/without-interface.ts'
import { putRight } from '../put-right.ts'
import type { UntimedAnswer } from './untimed-answer.ts'

const problemMax = 512

/** @param isRepair what is this node's own to put right is put right before */
export async function inventoryOf(env: AgentEnv, isRepair: boolean, signal: AbortSignal): Promise<UntimedAnswer> {
  if (isRepair) await putRight(env, signal)
  const interfaces = (await orphansOn(env)).map(({ ifcName: name, uid }) => ({ name, ...(uid !== undefined && { uid }) }))
  const lost = new Set(await lostOn(env))
  const ports = [
    ...[...env.ledger.wired()].flatMap((wired) => (wired.external === undefined ? [ofWired(wired, lost.has(wired), env)] : [])),
    ...[...env.ports.values()].flatMap((port) => unwired(port, env)),
  ]
  const { problem } = env.loop
  const inventory: Inventory = {
    ports: ports.slice(0, inventoriedMax),
    interfaces: interfaces.slice(0, inventoriedMax),
    ...(problem !== undefined && { problem: problem.replace(/[^ -~]/g, '?').slice(0, problemMax) }),
  }
  const truncated = ports.length > inventoriedMax || interfaces.length > inventoriedMax
  return { outcome: 'answered', inventory, ...(truncated && { truncated }) }
}

/** Something of it is being done, or has not been told yet. */
const isChanging = (uid: string, { making, outbox }: AgentEnv): boolean =>
  making.has(uid) || outbox.has(`port ${uid}`) || outbox.has(`status ${uid}`)

function ofWired({ port: { uid, of, ifcName }, pod }: Wired, isLost: boolean, env: AgentEnv): InventoriedPort {
  return {
    uid,
    port: keyOf(of),
    interface: ifcName,
    ...(pod && { pod: pod.uid }),
    state: isChanging(uid, env) ? 'changing' : isLost ? 'lost' : 'wired',
  }
}

/** What the store was told last, by this agent or the one before. */
function unwired(port: Resource<'Port'>, env: AgentEnv): InventoriedPort[] {
  const { uid } = port.metadata
  const last = env.reported.get(uid) ?? port.status?.node
  if (env.ledger.wiredOf(uid) !== undefined) return []
  if (isChanging(uid, env)) return [{ uid, port: keyOfItem(port), state: 'changing' }]
  return last?.wired === true ? [{ uid, port: keyOfItem(port), state: 'unwired' }] : []
}
