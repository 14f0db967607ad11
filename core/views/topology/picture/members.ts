// What is in a group that is open: pods, and the Ports by which they are joined to Subnets; Ports without a pod by themselves.
import type { Resource } from '../../../kinds/index.ts'
import { newPhase, phaseOfPort, Tally } from '../bundle.ts'
import { cardOf, subnetOfPort, worstOf } from './count.ts'
import { nameOf } from './fold.ts'
import { drawSubnet } from './groups.ts'
import type { PictureNode } from './question.ts'
import { keyOfPod, vertexOf, type Scene } from './scene.ts'

/** A Port is a link, and mostly a pod. */
const elementsOfPort = 2
const openedMost = 2_000

/** @param room elements that stay free for what else is drawn */
export function openGroups(scene: Scene, { reserved }: { readonly reserved: number }): void {
  const { open } = scene.question
  const groups = [...scene.nodes.values()].filter(({ open: of, ports = 0 }) => of !== undefined && ports > 0)
  if (open === 'none') return
  if (Array.isArray(open)) return openNamed(scene, open as readonly string[])
  const small = groups.filter(({ members }) => members === undefined).sort((a, b) => (a.ports ?? 0) - (b.ports ?? 0))
  let room = scene.room - (open === 'all' ? 0 : reserved)
  const fitting = small.filter(({ ports = 0 }) => (room -= elementsOfPort * ports) >= 0)
  // Some open among many that are closed say nothing: then all are closed.
  if (open === undefined && fitting.length * 2 < groups.length) return
  for (const { id } of fitting) openGroup(scene, id)
}

function openNamed(scene: Scene, ids: readonly string[]): void {
  for (const id of ids) if (scene.nodes.get(id)?.open === false && scene.nodes.get(id)?.members === undefined) openGroup(scene, id)
}

function openGroup(scene: Scene, id: string): void {
  let shown = 0
  for (const key of portsOf(scene, id)) {
    if (scene.room < elementsOfPort || shown >= openedMost) break
    if (drawPort(scene, key, id)) shown++
  }
  markOpen(scene, id, shown)
}

function markOpen(scene: Scene, id: string, shown: number): void {
  const group = scene.nodes.get(id)
  if (group === undefined || shown === 0) return
  scene.nodes.set(id, { ...group, open: true, ...(shown < (group.ports ?? 0) && { shown }) })
}

function* portsOf({ index, question: of, counts }: Scene, id: string): Generator<string> {
  if (of.by === 'node' && id !== 'Node/') return yield* index.portsOn(nameOf(id)).after()
  for (const { bundle, card } of counts.bundles) if (of.by === 'node' || card === id) yield* bundle.ports.after()
}

/** @returns whether it is wanted */
function drawPort(scene: Scene, key: string, group: string): boolean {
  const port = scene.item('Port', key)
  if (port === undefined || !isWanted(scene, port) || groupOf(scene, port) !== group) return false
  const to = drawSubnet(scene, subnetOfPort(port))
  if (to === undefined) return false
  const { addresses = port.spec.ips } = port.status ?? {}
  const phase = phaseOfPort(port)
  scene.join({
    id: `Port/${key}`,
    from: endOf(scene, port, key, group),
    to,
    relation: 'port',
    phase,
    count: 1,
    ...(addresses && { addresses }),
  })
  return true
}

function endOf(scene: Scene, port: Resource<'Port'>, key: string, parent: string): string {
  const pod = keyOfPod(port)
  const node = pod === undefined ? { ...vertexOf('Port', key, port), id: `Dot/${key}`, parent } : podNode(scene, pod, parent)
  if (!scene.nodes.has(node.id)) scene.put(node)
  return node.id
}

/** Its phase is what we report of it, which stands in an annotation; before that, the worst of its Ports. */
function podNode(scene: Scene, key: string, parent: string): PictureNode {
  const pod = scene.item('Pod', key)
  return { ...vertexOf('Pod', key, pod), phase: reportedOf(pod) ?? worstPhaseOf(scene, key), parent }
}

function worstPhaseOf({ index }: Scene, pod: string): string {
  const phases = new Tally()
  for (const key of index.portsOfPod(pod)) {
    const port = index.objects.Port.get(key)
    if (port !== undefined) phases.add(phaseOfPort(port))
  }
  return worstOf(phases) ?? newPhase
}

function reportedOf(pod: Resource<'Pod'> | undefined): string | undefined {
  try {
    const { phase } = JSON.parse(pod?.metadata.annotations?.['megrez.io/nic-status'] ?? '{}') as { readonly phase?: unknown }
    return typeof phase === 'string' ? phase : undefined
  } catch {
    return undefined
  }
}

function isWanted({ index, question: { vni, vpc, node, phase } }: Scene, port: Resource<'Port'>): boolean {
  const is = <T>(wanted: T | undefined, found: () => T | undefined): boolean => wanted === undefined || wanted === found()
  return (
    is(vni, () => port.status?.vni) &&
    is(node, () => port.spec.node ?? '') &&
    is(phase, () => phaseOfPort(port)) &&
    is(vpc, () => nameOf(cardOf(index, subnetOfPort(port), port.status?.vni)))
  )
}

function groupOf({ index, question: { by } }: Scene, port: Resource<'Port'>): string {
  return by === 'node' ? `Node/${port.spec.node ?? ''}` : cardOf(index, subnetOfPort(port), port.status?.vni)
}

/** The groups that a pod has Ports in. */
export function groupsOfPod(index: Scene['index'], by: Scene['question']['by'], pod: string): ReadonlySet<string> {
  const ports = [...index.portsOfPod(pod)].flatMap((key) => index.objects.Port.get(key) ?? [])
  return new Set(ports.map((port) => groupOf({ index, question: { by } } as Scene, port)))
}

/** Drawn whatever is closed. */
export function drawFollowed(scene: Scene): void {
  for (const pod of scene.question.follow ?? []) drawPodsPorts(scene, pod)
}

function drawPodsPorts(scene: Scene, pod: string): void {
  for (const key of scene.index.portsOfPod(pod)) {
    const port = scene.item('Port', key)
    if (port === undefined || scene.edges.has(`Port/${key}`)) continue
    const group = groupOf(scene, port)
    if (drawPort(scene, key, group)) markOpen(scene, group, (scene.nodes.get(group)?.shown ?? 0) + 1)
  }
}
