// Below the network: switches and what is plugged into which of their ports, VLANs and where they are open, physical networks.
import type { Resource } from '../../../kinds/index.ts'
import { vertexId } from '../graph.ts'
import { networkOfPart, usualNetwork } from '../parts.ts'
import { stateOfSwitch } from '../topology.ts'
import { inPeoplesOrder, nameOf, unitsOf } from './fold.ts'
import { isFiltered, type PictureEdge, type PictureNode } from './question.ts'
import { vertexOf, type Scene } from './scene.ts'

const [switchesMost, vlansMost] = [60, 60]

export function drawFabric(scene: Scene, opened: ReadonlySet<string>): void {
  const fabrics = [...scene.index.objects.Fabric.values()]
  drawSwitches(scene, fabrics, opened)
  drawVlans(scene, opened)
  for (const fabric of fabrics) drawGateways(scene, fabric)
}

const switchId = (fabric: Resource<'Fabric'>, name: string): string => vertexId('Switch', fabric.metadata.name, name)

/** Where something is filtered, those that a node that is drawn is plugged into. */
function drawSwitches(scene: Scene, fabrics: readonly Resource<'Fabric'>[], opened: ReadonlySet<string>): void {
  const ids = new Set<string>()
  for (const fabric of fabrics) {
    if (!isFiltered(scene.question)) for (const { name } of fabric.spec.switches) ids.add(switchId(fabric, name))
    for (const link of fabric.spec.links ?? []) if (scene.boxOf(`Node/${link.node}`) !== undefined) ids.add(switchId(fabric, link.switch))
  }
  const units = unitsOf(inPeoplesOrder(ids), { kind: 'Switch', most: switchesMost, open: opened, single: opened })
  scene.stand(
    'Switch',
    units,
    (id) => switchNode(scene, id),
    ({ ids: of }) => (of.length > 1 ? { open: false } : {}),
  )
  for (const fabric of fabrics) for (const link of fabric.spec.links ?? []) drawWire(scene, fabric, link)
}

function switchNode(scene: Scene, id: string): PictureNode {
  const [of = '', name = ''] = nameOf(id).split('/')
  const fabric = scene.index.objects.Fabric.get(of)
  return { ...vertexOf('Switch', nameOf(id), undefined), seen: true, ...(fabric && stateOfSwitch(fabric, name)) }
}

type Wire = NonNullable<Resource<'Fabric'>['spec']['links']>[number]

/** Each by itself between a node and a switch; between ranges one for all. */
function drawWire(scene: Scene, fabric: Resource<'Fabric'>, { node, switch: of, switchPort, interface: at }: Wire): void {
  const [from, to] = [scene.boxOf(`Node/${node}`), scene.boxOf(switchId(fabric, of))]
  if (from === undefined || to === undefined) return
  const isOne = from === `Node/${node}` && to === switchId(fabric, of)
  if (isOne) scene.join({ id: `${from} wired-to ${to} ${at} ${switchPort}`, from, to, relation: 'wired-to', interface: at, switchPort })
  else addUp(scene, { from, to, relation: 'wired-to' })
}

function addUp(scene: Scene, { from, to, relation }: Pick<PictureEdge, 'from' | 'to' | 'relation'>): void {
  const id = `${from} ${relation} ${to}`
  scene.join({ id, from, to, relation, count: (scene.edges.get(id)?.count ?? 0) + 1 })
}

interface Vlan {
  readonly id: string
  readonly network: string
  readonly vlan: number
  readonly services: { readonly key: string; readonly vrf: string | undefined }[]
}

function drawVlans(scene: Scene, opened: ReadonlySet<string>): void {
  const { vlans, ofService } = vlansOf(scene)
  const units = unitsOf(inPeoplesOrder(vlans.keys()), { kind: 'VLAN', most: vlansMost, open: opened, single: opened })
  for (const { network } of vlans.values()) networkNode(scene, network)
  scene.stand(
    'VLAN',
    units,
    (id) => vlanNode(vlans.get(id)!),
    ({ ids }) => (ids.length > 1 ? { open: false } : {}),
  )
  for (const { id, network, services } of vlans.values()) {
    if (scene.boxOf(id) !== id) join(scene, id, 'of', networkNode(scene, network))
    for (const { key } of services) join(scene, `L2Service/${key}`, 'carried-by', id)
  }
  for (const { spec, status } of scene.index.objects.L2BridgeDomain.values()) {
    const id = ofService.get(spec.holder.uid)
    for (const at of status?.switches ?? []) if (id !== undefined) join(scene, id, 'open-on', `Switch/${at}`)
  }
}

interface Vlans {
  readonly vlans: ReadonlyMap<string, Vlan>
  /** By the UID of an L2Service. */
  readonly ofService: ReadonlyMap<string, string>
}
/** Where something is filtered, those of services that are drawn. */
function vlansOf({ index: { objects, finder }, question: of, boxOf }: Scene): Vlans {
  const [vlans, ofService] = [new Map<string, Vlan>(), new Map<string, string>()]
  for (const [key, { spec, status, metadata }] of objects.L2Service) {
    if (isFiltered(of) && boxOf(`L2Service/${key}`) === undefined) continue
    const network = networkOfPart(finder.ofService(key)) ?? usualNetwork
    const vlan = status?.vlan ?? spec.segmentationID
    const id = vertexId('VLAN', network, vlan)
    const known = vlans.get(id) ?? { id, network, vlan, services: [] }
    known.services.push({ key, vrf: spec.vrf })
    vlans.set(id, known)
    ofService.set(metadata.uid, id)
  }
  return { vlans, ofService }
}

/** In its physical network. Of whom it is stands in its message: a box has one name. */
const vlanNode = ({ network, vlan, services }: Vlan): PictureNode => ({
  ...vertexOf('VLAN', `${network}/${vlan}`, undefined),
  seen: true,
  vlan,
  parent: vertexId('PhysicalNetwork', network),
  message: services.slice(0, 3).map(textOf).join(', ') + (services.length > 3 ? ` and ${services.length - 3} more` : ''),
})

const textOf = ({ key, vrf }: Vlan['services'][number]): string => (vrf === undefined ? key : `${key} in VRF ${vrf}`)

function networkNode(scene: Scene, name: string): string {
  const id = vertexId('PhysicalNetwork', name)
  if (!scene.nodes.has(id)) scene.put({ ...vertexOf('PhysicalNetwork', name, undefined), seen: true })
  return id
}

function join(scene: Scene, from: string, relation: 'of' | 'open-on' | 'carried-by', to: string): void {
  const [a, b] = [scene.boxOf(from), scene.boxOf(to)]
  if (a === undefined || b === undefined) return
  if (a === from && b === to) scene.join({ id: `${a} ${relation} ${b}`, from: a, to: b, relation })
  else addUp(scene, { from: a, to: b, relation })
}

function drawGateways(scene: Scene, fabric: Resource<'Fabric'>): void {
  for (const { physicalNetwork, switch: of, switchPort } of fabric.spec.gateways ?? []) {
    const to = scene.boxOf(switchId(fabric, of))
    if (to === undefined || isFiltered(scene.question)) continue
    const from = networkNode(scene, physicalNetwork)
    scene.join({ id: `${from} gateway ${to} ${switchPort}`, from, to, relation: 'gateway', switchPort })
  }
}
