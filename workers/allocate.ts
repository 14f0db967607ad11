// One address, from the free runs to its lock: what a Port's pass does for each of its addresses, by itself.
import type { Store } from '../core/contracts/store.ts'
import { AlreadyExists } from '../core/errors.ts'
import type { Resource } from '../core/kinds/index.ts'
import type { Holder } from '../core/kinds/meta.ts'
import { lockDraft, lockName } from '../core/plan/locks.ts'
import type { Family } from '../core/plan/port.ts'
import type { Addresses } from './addresses.ts'

/**
 * Locks a free address for a holder.
 *
 * @param subnet validated
 * @returns undefined where the Subnet is full: then and only then every address of its pools has a lock, rests, or is being locked
 * @throws  what the store throws; the address is free again
 * Cost: that of one create; finding the address costs the logarithm of the number of free runs.
 */
export async function allocate(subnet: Resource<'Subnet'>, family: Family, holder: Holder, { store, addresses }: { readonly store: Store; readonly addresses: Addresses }): Promise<Resource<'IPLock'> | undefined> {
  const { namespace = '', name } = subnet.metadata
  const vni = subnet.status?.vni ?? 0
  for (;;) {
    const picks = addresses.open()
    const offer = picks.pick(subnet, family)
    if (offer === undefined || 'full' in offer) return undefined
    try {
      const lock = await store.create(lockDraft(lockName(vni, offer) ?? '', { namespace, vni, subnet: name, holder }, offer))
      picks.settle(() => 'used')
      return lock
    } catch (problem) {
      const rival = problem instanceof AlreadyExists
      picks.settle(() => (rival ? 'rival' : 'back'))
      if (!rival) throw problem
    }
  }
}
