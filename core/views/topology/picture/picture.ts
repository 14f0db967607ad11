// A picture of a network, of so many elements at most whatever its size: groups with their counts, those that are open with what is in
// them, and what they stand on.
import type { NetworkIndex } from '../network-index.ts'
import { countPorts } from './count.ts'
import { drawFabric } from './fabric.ts'
import { inPeoplesOrder } from './fold.ts'
import { drawGroups } from './groups.ts'
import { linesOf } from './links.ts'
import { drawFollowed, groupsOfPod, openGroups } from './members.ts'
import type { Picture, PictureQuestion } from './question.ts'
import { Scene } from './scene.ts'

export const offeredMost = 500

/** Yields now and then, so that whoever runs it lets others in between; what changes meanwhile may be in it in part. */
export function* pictureOf(index: NetworkIndex, question: PictureQuestion): Generator<void, Picture> {
  const { open, by, follow = [] } = question
  const counts = yield* countPorts(index, question)
  const scene = new Scene(index, question, counts)
  const opened = new Set(Array.isArray(open) ? (open as readonly string[]) : [])
  for (const pod of follow) for (const id of groupsOfPod(index, by, pod)) opened.add(id)
  drawGroups(scene, opened)
  drawFabric(scene, opened)
  openGroups(scene, { reserved: (yield* linesOf(scene)).length })
  drawFollowed(scene)
  const lines = yield* linesOf(scene)
  const drawn = lines.slice(0, Math.max(0, scene.room))
  for (const line of drawn) scene.join(line)
  return {
    nodes: [...scene.nodes.values()],
    edges: [...scene.edges.values()],
    ports: counts.ports,
    hidden: lines.length - drawn.length,
    offered: offeredBy(index),
  }
}

function offeredBy({ objects }: NetworkIndex): Picture['offered'] {
  const vnis = new Set<number>()
  for (const { status, spec } of objects.Vpc.values()) {
    const vni = status?.vni ?? spec.vni
    if (vni !== undefined) vnis.add(vni)
  }
  return {
    nodes: inPeoplesOrder(objects.Node.keys()).slice(0, offeredMost),
    vpcs: inPeoplesOrder(objects.Vpc.keys()).slice(0, offeredMost),
    vnis: [...vnis].sort((a, b) => a - b).slice(0, offeredMost),
  }
}
