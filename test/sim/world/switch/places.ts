// Flows that say where an address or a MAC is.
import { readCookie } from '../../../../core/pipeline/cookie.ts'
import { endpointFlows } from '../../../../core/pipeline/features/endpoint.ts'
import { vniPort } from '../../../../core/pipeline/features/port.ts'
import type { SwitchItem } from '../../../../core/pipeline/items.ts'
import { tables } from '../../../../core/pipeline/tables.ts'
import type { PlacedEnd } from '../planes/plane.ts'
import { bridge } from './names.ts'

export const isPlace = ({ value }: Pick<SwitchItem, 'value'>): boolean =>
  value.kind === 'flow' && places.includes(value.flow.table) && features.includes(readCookie(value.flow.cookie)?.feature)
const places: readonly number[] = [tables.neighbour.number, tables.forward.number]
const features: readonly (string | undefined)[] = ['neighbour', 'forward']

export function* placesOf(piece: PlacedEnd): Generator<readonly [key: string, text: string]> {
  for (const item of itemsOf(piece)) if (isPlace(item)) yield [item.key, item.text]
}

function itemsOf(piece: PlacedEnd): readonly SwitchItem[] {
  if ('endpoint' in piece) return endpointFlows(bridge, piece.endpoint, piece.isRouted)
  return piece.port.attachment.kind === 'vni' ? vniPort(bridge, piece.port, piece.port.attachment.vni) : []
}
