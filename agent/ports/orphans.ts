// Interfaces of ours that no sandbox has, when an agent starts: the one before it was killed before it could answer.
import { isExpectedOn } from '../../core/plan/vpc/move.ts'
import type { AgentEnv } from '../agent-env.ts'

/**
 * What is being made is in the ledger before its interface is listed; a call for the same Port waits meanwhile until the orphan is removed.
 *
 * @throws where the store does not answer: then nothing was removed
 */
export async function removeOrphans(env: AgentEnv): Promise<void> {
  const { links, ledger, log, making } = env
  const isKnown = (ifcName: string): boolean => [...ledger.wired()].some(({ port }) => port.ifcName === ifcName)
  const orphans = (await links.list()).filter(({ ifcName }) => !isKnown(ifcName))
  if (orphans.length === 0) return
  const ofGuests = await uidsOfGuests(env)
  for (const { ifcName, uid } of orphans) {
    if (uid !== undefined && ofGuests.has(uid)) continue
    await making.during(uid ?? ifcName, async () => {
      if (isKnown(ifcName)) return
      if (!ledger.isComplete)
        return log.warn({ ifcName, uid }, 'an interface of ours that no sandbox has, as far as the ledger could be read: it stays')
      log.warn({ ifcName, uid }, 'an interface of ours that no sandbox has: removed')
      await links.remove(ifcName)
    })
  }
}

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
