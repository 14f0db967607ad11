// What went wrong behind the agent's back: Ports that went, or left this node, and that nobody has told of; interfaces that nobody has;
// Ports whose interface is gone. An agent that begins looks for some of it; an Audit that repairs asks for all of it.
import type { Resource } from '../core/kinds/index.ts'
import { isLeaving } from '../core/plan/node/pieces.ts'
import type { AgentEnv } from './agent-env.ts'
import type { Wired } from './ledger/record.ts'
import { portOf } from './ports/node-status.ts'
import { removeOrphans } from './ports/orphans.ts'
import { onPortChange, whenGone } from './ports/ports.ts'
import { lostOn } from './ports/without-interface.ts'
import { isOfNode, unwire } from './ports/wiring.ts'

/**
 * Nothing is taken away by what a watch has told alone. A pod's interface that is gone is its runtime's to ask for anew.
 *
 * @throws where the store or the data plane does not answer: what is left is for the next time
 */
export async function putRight(env: AgentEnv, signal: AbortSignal): Promise<void> {
  for (const { port } of [...env.ledger.wired()]) await unwireForgotten(port.uid, env)
  await removeOrphans(env)
  for (const wired of await lostOn(env)) if (isOfNode(wired)) await unwire(wired, env)
  for (const port of [...env.ports.values()]) onPortChange({ key: port.metadata.uid, before: port, after: port }, env)
  env.loop.audit()
  await env.loop.applied(signal)
}

/** @throws where the store does not answer: then it stays. One without a pod that is here still and is to go has a change event. */
export async function unwireForgotten(uid: string, env: AgentEnv): Promise<void> {
  const wired = env.ledger.wiredOf(uid)
  if (wired === undefined || wired.external !== undefined || staysHere(portOf(uid, env), wired, env)) return
  // A first list may be of a past in which the Port was not here yet: what is taken from a pod does not come back, so the store itself is
  // asked.
  const { namespace, name } = wired.port.of
  const live = await env.store.get({ kind: 'Port', ...(namespace !== undefined && { namespace }), name })
  const port = live?.metadata.uid === uid ? live : undefined
  if (staysHere(port, wired, env)) return
  await unwire(wired, env, port === undefined ? {} : { gone: whenGone(port, wired, env) })
}

/** What was wired under another name of this node is its runtime's to take away. */
function staysHere(port: Resource<'Port'> | undefined, wired: Wired, { node, ledger: { formerNode } }: AgentEnv): boolean {
  if (port === undefined) return false
  // This node's watch tells of no other.
  if (isOfNode(wired) && port.spec.node === node) return true
  return !isLeaving(port, node) || (formerNode !== undefined && !isLeaving(port, formerNode))
}
