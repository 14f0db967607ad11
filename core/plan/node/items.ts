// A node's items: what its wanted pieces come to, and what has to change so that just those are there.
import type { NodeChange, NodeSeen, Renderer } from '../../contracts/dataplane.ts'
import type { Item } from '../../node/item.ts'
import { neededBy } from '../../pieces/needed.ts'
import { pieceKinds } from '../../pieces/index.ts'
import type { PieceKinds } from '../../pieces/kind.ts'
import type { NodePieces } from '../../pieces/piece-set.ts'
import { NodeComparison, type ComparisonOptions } from './comparison.ts'
import type { Plan } from '../plan.ts'

/** Every item of a node, one at a time: they may be millions. */
export function* itemsOf<Value>(
  renderer: Renderer<Value>,
  pieces: NodePieces,
  kinds: PieceKinds = pieceKinds,
): Generator<Item<Value>, void, undefined> {
  yield* renderer.base()
  for (const kind of kinds) for (const piece of pieces.values(kind)) yield* renderer.render(kind, piece, neededBy(kind, piece, pieces))
}

/** What is missing or wrong is put, what nobody wants is dropped: in one step, save where a piece may not be half there. */
export function planItems<Value>(
  wanted: Iterable<Item<Value>>,
  seen: NodeSeen,
  judging: ComparisonOptions<Value>,
): Plan<NodeChange<Value>> {
  const changes = differing(wanted, seen, judging)
  const [put, drop] = [changes.flatMap((each) => each.put), changes.flatMap((each) => each.drop)]
  if (changes.length === 0) return { steps: [], phase: 'ready', reason: 'InPlace', message: 'all is as it should be' }
  const because = put[0]?.because ?? { rule: 'a thing in the data plane that nobody wants any more', of: judging.of }
  return {
    steps: changes.map((action) => ({ action, because })),
    phase: 'ready',
    reason: 'Repaired',
    message: `${put.length} things put, ${drop.length} dropped`,
  }
}

function differing<Value>(wanted: Iterable<Item<Value>>, seen: NodeSeen, judging: ComparisonOptions<Value>): readonly NodeChange<Value>[] {
  const all = [...wanted]
  const comparison = new NodeComparison(judging)
  for (const item of all) comparison.want(item)
  for (const [key, text] of seen) comparison.see(key, text)
  return [...comparison.changes(() => all, Infinity)]
}
