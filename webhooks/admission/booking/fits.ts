// Pods that no node could ever carry are refused at once; of all others the scheduler says where, and when, there is enough left.
import { pointerTo, refuse, type Refusal } from '../../../core/admit/refusal.ts'
import type { Store } from '../../../core/contracts/store.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { uplinkResource } from '../../../core/node/booking/booking.ts'

/** @param mbps megabits a second */
export async function uplinkRefusal({ store }: { readonly store: Pick<Store, 'list'> }, mbps: number): Promise<Refusal | undefined> {
  const [widest] = (await store.list('Node')).items
    .map((node) => ({ name: node.metadata.name, has: capacityOf(node) }))
    .sort((a, b) => b.has - a.has)
  // Where no node says how much it has, one may come that does.
  if (widest === undefined || widest.has === 0 || mbps <= widest.has) return undefined
  return refuse(
    pointerTo('spec', 'containers', '0', 'resources', 'requests', uplinkResource),
    `its policy books ${mbps} Mbit/s of its node's uplink, and no node has more than the ${widest.has} Mbit/s of ${widest.name}`,
  )
}

const capacityOf = ({ status }: Resource<'Node'>): number => Number(status?.capacity?.[uplinkResource] ?? 0) || 0
