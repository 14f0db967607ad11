// A node's items: what its wanted pieces come to, and what has to change so that just those are there.
import type { NodeChange, NodeSeen, Renderer } from '../contracts/dataplane.ts'
import type { Ref } from '../kinds/index.ts'
import type { Item } from '../node/item.ts'
import type { Endpoint, LocalPort, Segment } from '../node/wanted.ts'
import type { Plan } from './plan.ts'

/** The Segment that a port is rendered with. */
export const segmentOf = ({ attachment }: LocalPort, segments: ReadonlyMap<number, Segment>): Segment | undefined =>
  attachment.kind === 'vni' ? segments.get(attachment.vni) : undefined

/** A NodeWanted, or whatever can be walked through like one. */
export interface Walkable {
  readonly ports: ReadonlyMap<string, LocalPort>
  readonly segments: ReadonlyMap<number, Segment>
  readonly endpoints: { values(): Iterable<Endpoint> }
}

/** Every item of a node, one at a time: they may be millions. */
export function* itemsOf<Value>(renderer: Renderer<Value>, { ports, endpoints, segments }: Walkable): Generator<Item<Value>, void, undefined> {
  yield* renderer.base()
  for (const port of ports.values()) yield* renderer.port(port, segmentOf(port, segments))
  for (const segment of segments.values()) yield* renderer.segment(segment)
  for (const endpoint of endpoints.values()) yield* renderer.endpoint(endpoint)
}

export interface Judging<Value> {
  readonly itemOf: (key: string, text: string) => Item<Value>
  /** What the whole change is done for, where no item says it. */
  readonly of: Ref
  /** false: what nobody wants is left there, and what is otherwise left as it is, as long as not every source has told all it knows. */
  readonly whole: boolean
}

/** What is missing or wrong is put, what nobody wants is dropped: one step, so that it can be one bundle. */
export function planItems<Value>(wanted: Iterable<Item<Value>>, seen: NodeSeen, judging: Judging<Value>): Plan<NodeChange<Value>> {
  const { drop, put } = differing(wanted, seen, judging)
  if (put.length === 0 && drop.length === 0) return { steps: [], phase: 'ready', reason: 'InPlace', message: 'all is as it should be' }
  const because = put[0]?.because ?? { rule: 'a thing in the data plane that nobody wants any more', of: judging.of }
  return { steps: [{ action: { drop, put }, because }], phase: 'ready', reason: 'Repaired', message: `${put.length} things put, ${drop.length} dropped` }
}

function differing<Value>(wanted: Iterable<Item<Value>>, seen: NodeSeen, judging: Judging<Value>): NodeChange<Value> {
  return [...differences(wanted, seen, judging, Infinity)][0] ?? { drop: [], put: [] }
}

/** The same in pieces of about so many items each, so that what is to be done is never in memory whole. */
export function* differences<Value>(wanted: Iterable<Item<Value>>, seen: NodeSeen, judging: Judging<Value>, size: number): Generator<NodeChange<Value>, void, undefined> {
  let change: { readonly put: Item<Value>[]; readonly drop: Item<Value>[] } = { put: [], drop: [] }
  for (const { put, drop } of stepsOf(wanted, seen, judging)) {
    if (drop !== undefined) change.drop.push(drop)
    if (put !== undefined) change.put.push(put)
    if (change.put.length + change.drop.length < size) continue
    yield change
    change = { put: [], drop: [] }
  }
  if (change.put.length + change.drop.length > 0) yield change
}

function* stepsOf<Value>(wanted: Iterable<Item<Value>>, seen: NodeSeen, { itemOf, whole }: Judging<Value>): Generator<{ readonly put?: Item<Value>; readonly drop?: Item<Value> }, void, undefined> {
  const kept = new Set<string>()
  for (const put of wanted) {
    const there = seen.get(put.key)
    const right = kept.has(put.key) || there === put.text || (there !== undefined && !whole)
    kept.add(put.key)
    if (!right) yield there === undefined ? { put } : { put, drop: itemOf(put.key, there) }
  }
  if (whole) for (const [key, text] of seen) if (!kept.has(key)) yield { drop: itemOf(key, text) }
}
