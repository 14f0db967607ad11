// Which addresses of a Subnet are taken, and by whom: its locks say it, and nothing else does.
import type { Item } from '../../contract/kinds.ts'
import { objects } from '../../live/objects.ts'
import type { TakenAddress } from './block.ts'

export interface LockedAddress extends TakenAddress {
  /** When its lock was made, in milliseconds since 1970. */
  readonly since: number
}

export function takenIn({ metadata }: Item<'Subnet'>): readonly LockedAddress[] {
  const taken: LockedAddress[] = []
  for (const { spec, metadata: of } of objects.of('IPLock').values()) {
    if (of.namespace !== metadata.namespace || spec.subnet !== metadata.name || spec.address === undefined) continue
    const reserved = spec.reservation === undefined ? undefined : `${spec.reservation.owner}, reserved until ${spec.reservation.until}`
    const state = spec.holder !== undefined ? 'used' : reserved === undefined ? 'resting' : 'reserved'
    const holder = spec.holder === undefined ? reserved : `${spec.holder.kind} ${spec.holder.name}`
    taken.push({ address: spec.address, state, holder, since: Date.parse(of.creationTimestamp) })
  }
  return taken
}
