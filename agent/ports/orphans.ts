// Interfaces of ours that no sandbox has: an agent was killed before it could answer. The next removes them at its start.
import { isExpectedOn } from '../../core/plan/vpc/move.ts'
import type { AgentEnv } from '../agent-env.ts'
import type { OurLink } from '../links/links.ts'

/**
 * Interfaces of ours that no sandbox has. What is being made is in the ledger before its interface is there.
 *
 * @throws where the store does not answer
 */
export async function orphansOn(env: AgentEnv): Promise<readonly OurLink[]> {
  const known = namesIn(env.ledger)
  const orphans = (await env.links.list()).filter(({ ifcName }) => !known.has(ifcName) && !isKnown(ifcName, env))
  if (orphans.length === 0) return []
  const ofGuests = await uidsOfGuests(env)
  return orphans.filter(({ uid }) => uid === undefined || !ofGuests.has(uid))
}

/**
 * A call for the same Port waits meanwhile until the orphan is removed.
 *
 * @throws where the store does not answer: then nothing was removed
 */
export async function removeOrphans(env: AgentEnv): Promise<void> {
  const { links, ledger, log, making } = env
  for (const { ifcName, uid } of await orphansOn(env))
    await making.during(uid ?? ifcName, async () => {
      if (isKnown(ifcName, env)) return
      if (!ledger.isComplete)
        return log.warn({ ifcName, uid }, 'an interface of ours that no sandbox has, as far as the ledger could be read: it stays')
      log.warn({ ifcName, uid }, 'an interface of ours that no sandbox has: removed')
      await links.remove(ifcName)
    })
}

const namesIn = (ledger: AgentEnv['ledger']): ReadonlySet<string> => new Set([...ledger.wired()].map(({ port }) => port.ifcName))
const isKnown = (ifcName: string, { ledger }: AgentEnv): boolean => [...ledger.wired()].some(({ port }) => port.ifcName === ifcName)

/**
 * Of Ports whose TAP a hypervisor may have open: they are to come here, or have come and are not wired yet. A first list may be of a past
 * in which they were elsewhere, so the store itself is asked.
 */
async function uidsOfGuests({ store, node }: AgentEnv): Promise<ReadonlySet<string>> {
  const [coming, here] = await Promise.all(
    ['.spec.migratingTo', '.spec.node'].map(async (path) => (await store.list('Port', { fields: { [path]: node } })).items),
  )
  const expected = coming!.filter((port) => isExpectedOn(port, node))
  const without = here!.filter(({ spec }) => spec.type === 'tap' && spec.claim === undefined)
  return new Set([...expected, ...without].map(({ metadata }) => metadata.uid))
}
