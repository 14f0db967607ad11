// A node's items: what its wanted pieces come to, and what has to change so that just those are there.
import type { NodeChange, NodeSeen, Renderer } from '../../contracts/dataplane.ts'
import type { Item } from '../../node/item.ts'
import type { Endpoint, LocalPort, Segment } from '../../node/wanted.ts'
import { NodeComparison, type ComparisonOptions } from './comparison.ts'
import type { Plan } from '../plan.ts'

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

/** What is missing or wrong is put, what nobody wants is dropped: one step, so that it can be one bundle. */
export function planItems<Value>(wanted: Iterable<Item<Value>>, seen: NodeSeen, judging: ComparisonOptions<Value>): Plan<NodeChange<Value>> {
  const { drop, put } = differing(wanted, seen, judging)
  if (put.length === 0 && drop.length === 0) return { steps: [], phase: 'ready', reason: 'InPlace', message: 'all is as it should be' }
  const because = put[0]?.because ?? { rule: 'a thing in the data plane that nobody wants any more', of: judging.of }
  return { steps: [{ action: { drop, put }, because }], phase: 'ready', reason: 'Repaired', message: `${put.length} things put, ${drop.length} dropped` }
}

function differing<Value>(wanted: Iterable<Item<Value>>, seen: NodeSeen, judging: ComparisonOptions<Value>): NodeChange<Value> {
  const all = [...wanted]
  const comparison = new NodeComparison(judging)
  for (const item of all) comparison.want(item)
  for (const [key, text] of seen) comparison.see(key, text)
  return [...comparison.changes(() => all, Infinity)][0] ?? { drop: [], put: [] }
}
