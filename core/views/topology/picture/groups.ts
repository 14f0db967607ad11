// The boxes of a picture: nodes, and what Subnets are of, each a group of Ports or what those are joined to.
import type { Resource } from '../../../kinds/index.ts'
import { Tally } from '../bundle.ts'
import type { VertexKind } from '../graph.ts'
import { cardOf, worstOf, type Count } from './count.ts'
import { inPeoplesOrder, nameOf, unitsOf, type Unit } from './fold.ts'
import { isFiltered, type PictureNode } from './question.ts'
import { vertexOf, type Scene } from './scene.ts'

/** Boxes that there is room for: of groups, and of what stands beside them. */
const [groupsMost, besideMost, subnetsMost] = [240, 80, 160]

/** @param opened ids that are to stand by themselves, and ranges that are to be taken apart */
export function drawGroups(scene: Scene, opened: ReadonlySet<string>): void {
  const { by } = scene.question
  const folding = { open: opened, single: opened }
  const nodes = unitsOf(nodesOf(scene), { ...folding, kind: 'Node', most: by === 'node' ? groupsMost : besideMost })
  const cards = unitsOf(cardsOf(scene), { ...folding, kind: 'Vpc', most: by === 'vpc' ? groupsMost : besideMost })
  scene.stand('Vpc', cards, (id) => cardNode(scene, id), moreOf(scene.counts.cards, by === 'vpc'))
  scene.stand('Node', nodes, (id) => nodeNode(scene, id), moreOf(scene.counts.nodes, by === 'node'))
  if (by === 'node') drawSubnets(scene)
}

/** With Ports, and where nothing is filtered those without. */
function nodesOf({ index: { objects }, counts, question: of }: Scene): readonly string[] {
  const ids = new Set(counts.nodes.keys())
  if (!isFiltered(of)) {
    for (const name of objects.Node.keys()) ids.add(`Node/${name}`)
    for (const { spec } of objects.Fabric.values()) for (const { node } of spec.links ?? []) ids.add(`Node/${node}`)
  }
  return inPeoplesOrder(of.by === 'vpc' ? [...ids].filter((id) => id !== 'Node/') : ids)
}

function cardsOf({ index: { objects }, counts, question: of }: Scene): readonly string[] {
  const ids = new Set(counts.cards.keys())
  if (!isFiltered(of)) for (const key of objects.Vpc.keys()) ids.add(`Vpc/${key}`)
  return inPeoplesOrder(ids)
}

const moreOf =
  (counts: ReadonlyMap<string, Count>, isGroup: boolean) =>
  ({ ids }: Unit): Partial<PictureNode> => {
    const phases = new Tally()
    let ports = 0
    for (const id of ids) {
      const count = counts.get(id)
      ports += count?.ports ?? 0
      for (const [phase, of] of count?.phases.entries() ?? []) phases.add(phase, of)
    }
    const phase = worstOf(phases)
    return { ports, ...(phase !== undefined && { phase }), ...((isGroup || ids.length > 1) && { open: false }) }
  }

function nodeNode({ index: { objects } }: Scene, id: string): PictureNode {
  const node = objects.Node.get(nameOf(id))
  const address = node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address
  return {
    id,
    kind: 'Node',
    name: nameOf(id),
    seen: node !== undefined,
    ...(address !== undefined && { addresses: [address] }),
  }
}

function cardNode(scene: Scene, id: string): PictureNode {
  const kind = id.slice(0, id.indexOf('/')) as VertexKind
  const key = nameOf(id)
  if (kind === 'Segment') return { id, kind, name: key, seen: true, vni: Number(key) }
  return kind === 'L2Service' ? serviceNode(scene.item('L2Service', key), key) : vpcNode(scene.item('Vpc', key), key)
}

function serviceNode(service: Resource<'L2Service'> | undefined, key: string): PictureNode {
  const vlan = service?.status?.vlan ?? service?.spec.segmentationID
  return { ...vertexOf('L2Service', key, service), ...(vlan !== undefined && { vlan }) }
}

function vpcNode(vpc: Resource<'Vpc'> | undefined, key: string): PictureNode {
  const vni = vpc?.status?.vni ?? vpc?.spec.vni
  return { ...vertexOf('Vpc', key, vpc), ...(vni !== undefined && { vni }) }
}

/** In what they are of, where that stands by itself and there is room for all. */
function drawSubnets(scene: Scene): void {
  const { counts, index, question: of } = scene
  const keys = new Set(counts.subnets.keys())
  if (!isFiltered(of) && index.objects.Subnet.size <= subnetsMost) for (const key of index.objects.Subnet.keys()) keys.add(key)
  if (keys.size > subnetsMost) return
  for (const key of inPeoplesOrder(keys)) drawSubnet(scene, key)
}

/** @returns its id, or that of what stands for it */
export function drawSubnet(scene: Scene, key: string): string | undefined {
  const id = `Subnet/${key}`
  if (scene.nodes.has(id)) return id
  const card = scene.boxOf(scene.counts.cardOfSubnet.get(key) ?? cardOf(scene.index, key, undefined))
  if (card === undefined || scene.nodes.get(card)?.members !== undefined) return card
  scene.put({ ...subnetNode(scene.item('Subnet', key), key), parent: card, ports: scene.counts.subnets.get(key)?.ports ?? 0 })
  return id
}

function subnetNode(subnet: Resource<'Subnet'> | undefined, key: string): PictureNode {
  const blocks = [subnet?.spec.ipv4?.cidr, subnet?.spec.ipv6?.cidr].filter((each) => each !== undefined)
  return { ...vertexOf('Subnet', key, subnet), addresses: blocks }
}
