// A change of a node's items as a switch takes it: by bridges, ports and flows, and what must not be done before what.
import type { Item } from '../node/item.ts'
import { inPort } from './fields.ts'
import type { Flow } from './flow.ts'
import { owners } from './registers.ts'
import type { Bridge, SwitchPort, SwitchValue } from './switch.ts'

export interface Sorted {
  readonly bridges: Bridge[]
  readonly ports: SwitchPort[]
  /** By bridge. */
  readonly flows: Map<string, Flow[]>
}

export interface SortedChange {
  /** What is put again under its key is not dropped before: putting replaces. */
  readonly drop: Sorted
  readonly put: Sorted
  /** What some of `put` take the place of. */
  readonly replaced: Sorted
  /** Ports of `put` that are there and otherwise than they should be. */
  readonly corrected: readonly SwitchPort[]
}

type Items = readonly Item<SwitchValue>[]

export function sortedChange({ drop, put }: { readonly drop: Items; readonly put: Items }): SortedChange {
  const { gone, replaced } = apart(drop, put)
  const again = new Set(replaced.flatMap(({ value }) => (value.kind === 'port' ? [value.port.name] : [])))
  const sorted = { drop: sortedOut(gone), put: sortedOut(put), replaced: sortedOut(replaced) }
  return { ...sorted, corrected: again.size === 0 ? [] : sorted.put.ports.filter(({ name }) => again.has(name)) }
}

/**
 * Ports that are corrected come before flows: until then they may have the number of another tenant's port, whose flows would be theirs.
 * Where they could not be corrected, no flow is put that speaks of their numbers, those that they have and those that they should have.
 */
export function withoutUncorrected({ put, replaced, corrected }: SortedChange): Map<string, Flow[]> {
  const numbers = new Set([...corrected, ...replaced.ports].map(({ number }) => number))
  return new Map([...put.flows].map(([bridge, flows]) => [bridge, flows.filter((flow) => !speaksOf(flow, numbers))]))
}

const speaksOf = ({ match, actions }: Flow, numbers: ReadonlySet<number>): boolean =>
  match.some(({ field, value }) => field === inPort && numbers.has(Number(value))) ||
  actions.some((action) => (action.do === 'output' && numbers.has(action.number)) || (action.do === 'set' && action.field === owners.out.field && numbers.has(Number(action.value))))

function apart(drop: Items, put: Items): Readonly<Record<'gone' | 'replaced', Items>> {
  if (drop.length === 0) return { gone: drop, replaced: drop }
  const keys = new Set(put.map(({ key }) => key))
  return { gone: drop.filter(({ key }) => !keys.has(key)), replaced: drop.filter(({ key }) => keys.has(key)) }
}

function sortedOut(items: Items): Sorted {
  const sorted: Sorted = { bridges: [], ports: [], flows: new Map() }
  for (const { value } of items) {
    if (value.kind === 'bridge') sorted.bridges.push(value.bridge)
    else if (value.kind === 'port') sorted.ports.push(value.port)
    else {
      const flows = sorted.flows.get(value.bridge)
      if (flows === undefined) sorted.flows.set(value.bridge, [value.flow])
      else flows.push(value.flow)
    }
  }
  return sorted
}
