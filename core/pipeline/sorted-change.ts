// A change of a node's items as a switch takes it: by bridges, ports, groups, meters and flows, and what must not be done before what.
import type { Item } from '../node/item.ts'
import type { Action } from './openflow/actions.ts'
import { inPort } from './openflow/fields.ts'
import type { Flow } from './openflow/flow.ts'
import type { Group } from './openflow/group.ts'
import type { Meter } from './openflow/meter.ts'
import type { Qos, Queue } from './ovsdb/queueing.ts'
import { owners } from './registers.ts'
import type { Bridge, Hybrid, SwitchPort, SwitchValue } from './ovsdb/switch.ts'

export interface Sorted {
  readonly bridges: Bridge[]
  readonly hybrids: Hybrid[]
  readonly ports: SwitchPort[]
  readonly qos: Qos[]
  readonly queues: Queue[]
  /** By bridge, as the two after it. */
  readonly flows: Map<string, Flow[]>
  readonly groups: Map<string, Group[]>
  readonly meters: Map<string, Meter[]>
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
 * Where they could not be corrected, no flow or group is put that speaks of their numbers, those that they have and those that they should
 * have, nor a flow that uses such a group.
 */
export function withoutUncorrected(change: SortedChange): SortedChange {
  const { put, replaced, corrected } = change
  const numbers = new Set([...corrected, ...replaced.ports].map(({ number }) => number))
  const held = new Set<number>()
  const groups = kept(put.groups, ({ id, buckets }) => {
    const isHeld = buckets.some(({ actions }) => actions.some((action) => sendsTo(action, numbers)))
    if (isHeld) held.add(id)
    return !isHeld
  })
  const flows = kept(
    put.flows,
    (flow) => !speaksOf(flow, numbers) && !flow.actions.some((action) => action.do === 'group' && held.has(action.group)),
  )
  return { ...change, put: { ...put, groups, flows } }
}

const kept = <Value>(by: ReadonlyMap<string, readonly Value[]>, isKept: (value: Value) => boolean): Map<string, Value[]> =>
  new Map([...by].map(([bridge, values]) => [bridge, values.filter(isKept)]))

const sendsTo = (action: Action, numbers: ReadonlySet<number>): boolean =>
  (action.do === 'output' && numbers.has(action.number)) ||
  (action.do === 'set' && action.field === owners.out.field && numbers.has(Number(action.value)))

const speaksOf = ({ match, actions }: Flow, numbers: ReadonlySet<number>): boolean =>
  match.some(({ field, value }) => field === inPort && numbers.has(Number(value))) || actions.some((action) => sendsTo(action, numbers))

function apart(drop: Items, put: Items): Readonly<Record<'gone' | 'replaced', Items>> {
  if (drop.length === 0) return { gone: drop, replaced: drop }
  const keys = new Set(put.map(({ key }) => key))
  return { gone: drop.filter(({ key }) => !keys.has(key)), replaced: drop.filter(({ key }) => keys.has(key)) }
}

function sortedOut(items: Items): Sorted {
  const sorted: Sorted = {
    bridges: [],
    hybrids: [],
    ports: [],
    qos: [],
    queues: [],
    flows: new Map(),
    groups: new Map(),
    meters: new Map(),
  }
  for (const { value } of items) {
    if (value.kind === 'flow') addTo(sorted.flows, value.bridge, value.flow)
    else sortOther(sorted, value)
  }
  return sorted
}

function sortOther(sorted: Sorted, value: Exclude<SwitchValue, { readonly kind: 'flow' }>): void {
  switch (value.kind) {
    case 'bridge':
      return void sorted.bridges.push(value.bridge)
    case 'hybrid':
      return void sorted.hybrids.push(value.hybrid)
    case 'port':
      return void sorted.ports.push(value.port)
    case 'qos':
      return void sorted.qos.push(value.qos)
    case 'queue':
      return void sorted.queues.push(value.queue)
    case 'group':
      return addTo(sorted.groups, value.bridge, value.group)
    case 'meter':
      return addTo(sorted.meters, value.bridge, value.meter)
  }
}

function addTo<Value>(by: Map<string, Value[]>, bridge: string, value: Value): void {
  const there = by.get(bridge)
  if (there === undefined) by.set(bridge, [value])
  else there.push(value)
}
