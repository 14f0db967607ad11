// Random nodes with fences.
import { endpointPiece } from '../../../core/pieces/endpoint.ts'
import { portPiece } from '../../../core/pieces/port.ts'
import { ruleSetPiece } from '../../../core/pieces/policy/rule-set.ts'
import { segmentPiece } from '../../../core/pieces/segment.ts'
import type { ReportedPieces } from '../../../core/pieces/piece-set.ts'
import { drawNode, drawNext, type Drawing, type NodeWanted } from '../node-wanted.ts'
import { fencePiece, type Fence } from './fence.ts'

const groups = [0, 1, 2, 3]
/** Of whom the fences that are drawn speak. */
export const members: readonly string[] = groups.flatMap((group) => [1, 2, 3].map((n) => `${group}.${n}`))

export interface FencedNode {
  readonly node: NodeWanted
  readonly fences: readonly Fence[]
}

export const reportedOf = ({ node: { ports, segments, endpoints, ruleSets = [] }, fences }: FencedNode): ReportedPieces => [
  [portPiece, ports.values()],
  [segmentPiece, segments.values()],
  [endpointPiece, endpoints.values()],
  [ruleSetPiece, ruleSets],
  [fencePiece, fences],
]

export const drawFenced = (random: () => number, drawing: Drawing): FencedNode => ({
  node: drawNode(random, drawing),
  fences: drawFences(random, drawing.vnis),
})

/** One small change of the node, and a few of the fences are other ones, or gone. */
export function drawNextFenced({ node, fences }: FencedNode, random: () => number, drawing: Drawing): FencedNode {
  const drawn = drawFences(random, drawing.vnis)
  const isOf =
    (fence: Fence) =>
    ({ vni, group }: Fence): boolean =>
      fence.vni === vni && fence.group === group
  const kept = fences.filter(() => random() < 0.7)
  return {
    node: drawNext(node, random, drawing),
    fences: [
      ...kept.map((fence) => (random() < 0.6 ? fence : (drawn.find(isOf(fence)) ?? fence))),
      ...drawn.filter((fence) => !fences.some(isOf(fence)) && random() < 0.5),
    ],
  }
}

function drawFences(random: () => number, vnis: readonly number[]): readonly Fence[] {
  return vnis.flatMap((vni) =>
    groups
      .filter(() => random() < 0.7)
      .map((group): Fence => ({ vni, group, way: random() < 0.6 ? 'open' : 'shut', but: members.filter(() => random() < 0.25) })),
  )
}
