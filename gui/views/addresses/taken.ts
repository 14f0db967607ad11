// Which addresses of a Subnet are taken, and by whom: its locks say it, and nothing else does.
import type { Item } from '../../contract/kinds.ts'
import { objects } from '../../live/objects.ts'
import type { TakenAddress } from './block.ts'

export function takenIn({ metadata }: Item<'Subnet'>): readonly TakenAddress[] {
  const taken: TakenAddress[] = []
  for (const { spec, metadata: of } of objects.of('IPLock').values()) {
    if (of.namespace !== metadata.namespace || spec.subnet !== metadata.name || spec.address === undefined) continue
    const reserved = spec.reservation === undefined ? undefined : `${spec.reservation.owner}, reserved until ${spec.reservation.until}`
    const state = spec.holder !== undefined ? 'used' : reserved === undefined ? 'resting' : 'reserved'
    taken.push({ address: spec.address, state, holder: spec.holder === undefined ? reserved : `${spec.holder.kind} ${spec.holder.name}` })
  }
  return taken
}
