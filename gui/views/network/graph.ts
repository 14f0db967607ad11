// What is drawn, worked out of what is there: groups that are open or closed, pods, segments, and Ports as the links between them.
import { reportOf } from '../../contract/report.ts'
import { factsOf, isFiltered, isWanted, vpcOf, type NetworkChoice, type NetworkObjects, type PortFacts } from './facts.ts'

export type DrawnKind = 'Node' | 'Vpc' | 'Subnet' | 'Pod' | 'Port'
export interface DrawnNode {
  readonly id: string
  readonly kind: DrawnKind
  readonly label: string
  readonly phase: string | undefined
  readonly parent: string | undefined
  /** A group: how many Ports it has, and whether it is open. */
  readonly group?: { readonly count: number; readonly open: boolean }
  /** Which of the colours of Vpcs. */
  readonly hue: number
  /** Absent for what is no object, as what is on no node. */
  readonly key: string | undefined
}
export interface DrawnLink {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly label: string
  readonly phase: string | undefined
  readonly hue: number
  /** How many Ports it stands for. */
  readonly count: number
  /** Of the Port, where it is one. */
  readonly key: string | undefined
}
export interface Graph {
  readonly nodes: readonly DrawnNode[]
  readonly links: readonly DrawnLink[]
  /** Links that there was no room for. */
  readonly hiddenLinks: number
  readonly ports: number
}

/** Elements that are drawn at most. */
export const drawnMost = 1_000
export const hues = 8

/** What is drawn so far, and from what. */
interface Drawing {
  readonly objects: NetworkObjects
  readonly choice: NetworkChoice
  /** Of a Vpc. */
  readonly hueOf: (vpc: string) => number
  /** How an object is called by its key. */
  readonly nameOf: (key: string) => string
  readonly nodes: Map<string, DrawnNode>
  readonly links: Map<string, DrawnLink>
}

/** How Ports are put together. */
interface Grouping {
  readonly prefix: 'node' | 'vpc'
  readonly kind: 'Node' | 'Vpc'
  readonly of: (each: PortFacts) => string
  readonly nameless: string
  /** Those that are there, with Ports or without. */
  readonly all: (objects: NetworkObjects) => ReadonlyMap<string, unknown>
  /** Of a group, in words. */
  readonly label: (key: string, drawing: Drawing) => string
}

const groupings: Readonly<Record<NetworkChoice['by'], Grouping>> = {
  node: { prefix: 'node', kind: 'Node', of: ({ node }) => node, nameless: 'on no node', all: ({ nodes }) => nodes, label: (key) => key },
  vpc: {
    prefix: 'vpc',
    kind: 'Vpc',
    of: ({ vpc }) => vpc,
    nameless: 'of no Vpc',
    all: ({ vpcs }) => vpcs,
    label: (key, { nameOf, objects }) => [nameOf(key), vniOf(key, objects)].filter((each) => each !== '').join(' · '),
  },
}
function vniOf(vpc: string, { vpcs }: NetworkObjects): string {
  const vni = vpcs.get(vpc)?.status?.vni
  return vni === undefined ? '' : `VNI ${vni}`
}

export function graphOf(objects: NetworkObjects, choice: NetworkChoice): Graph {
  const facts: PortFacts[] = []
  for (const [key, port] of objects.ports) {
    const each = factsOf(key, port, objects)
    if (isWanted(each, choice)) facts.push(each)
  }
  const drawing: Drawing = { objects, choice, hueOf: huesOf(objects), nameOf: namesOf(facts, objects), nodes: new Map(), links: new Map() }
  drawGroups(facts, groupings[choice.by], drawing)
  return within([...drawing.nodes.values()], [...drawing.links.values()], facts.length)
}

const huesOf = ({ vpcs }: NetworkObjects): ((vpc: string) => number) => {
  const order = new Map([...vpcs.keys()].sort().map((key, i) => [key, i % hues]))
  return (vpc) => order.get(vpc) ?? 0
}
const short = (key: string): string => key.slice(key.indexOf('/') + 1)

/** A name alone says nothing where there is more than one namespace. */
function namesOf(facts: readonly PortFacts[], { subnets }: NetworkObjects): (key: string) => string {
  const namespaces = new Set(facts.map(({ port }) => port.metadata.namespace))
  for (const { metadata } of subnets.values()) namespaces.add(metadata.namespace)
  return namespaces.size > 1 ? (key) => key : short
}

function drawGroups(facts: readonly PortFacts[], grouping: Grouping, drawing: Drawing): void {
  const { objects, choice } = drawing
  const groups = new Map([...Map.groupBy(facts, grouping.of)].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })))
  if (!isFiltered(choice)) for (const key of grouping.all(objects).keys()) if (!groups.has(key)) groups.set(key, [])
  const open = openOf(groups, grouping.prefix, choice)
  for (const [key, all] of groups) {
    const id = `${grouping.prefix}/${key}`
    const group = { key, id, all, isOpen: open.has(id) && all.length > 0 }
    drawGroup(group, grouping, drawing)
    drawMembers(group, grouping, drawing)
  }
  if (grouping.kind === 'Node') for (const key of subnetsOf(facts, drawing)) drawSubnet(key, undefined, drawing)
}

/** A Vpc holds its Subnets; between a node that is closed and a Subnet is one link for all its Ports. */
function drawMembers({ id, all, isOpen }: DrawnGroup, { kind }: Grouping, drawing: Drawing): void {
  for (const each of all) {
    if (isOpen && kind === 'Vpc') drawSubnet(each.subnet, id, drawing)
    if (isOpen) drawPort(each, id, drawing)
    else if (kind === 'Node') addUp(id, each, drawing)
  }
}

interface DrawnGroup {
  readonly key: string
  readonly id: string
  readonly all: readonly PortFacts[]
  readonly isOpen: boolean
}

function drawGroup({ key, id, all, isOpen }: DrawnGroup, grouping: Grouping, drawing: Drawing): void {
  drawing.nodes.set(id, {
    id,
    kind: grouping.kind,
    label: key === '' ? grouping.nameless : grouping.label(key, drawing),
    phase: phaseOfAll(all),
    parent: undefined,
    group: { count: all.length, open: isOpen },
    hue: grouping.kind === 'Vpc' ? drawing.hueOf(key) : 0,
    key: grouping.all(drawing.objects).has(key) ? key : undefined,
  })
}

/** What was chosen, the small first, as many as there is room for. */
function openOf(groups: ReadonlyMap<string, readonly PortFacts[]>, prefix: string, { open = 'all' }: NetworkChoice): ReadonlySet<string> {
  const chosen = open === 'all' ? undefined : new Set(open.split(','))
  const sizes = [...groups].map(([key, all]) => ({ id: `${prefix}/${key}`, size: 2 * all.length })).sort((a, b) => a.size - b.size)
  let room = drawnMost - groups.size
  return new Set(sizes.filter(({ id, size }) => (chosen?.has(id) ?? true) && (room -= size) >= 0).map(({ id }) => id))
}

const worst = ['error', 'terminating', 'pending', 'ready']
const worstOf = (phases: ReadonlySet<string | undefined>): string | undefined => worst.find((phase) => phases.has(phase))
const phaseOfAll = (facts: readonly PortFacts[]): string | undefined => worstOf(new Set(facts.map(({ port }) => reportOf(port).phase)))

/** A Port of a pod is the link between it and the Subnet; one without a pod is a dot of its own. */
function drawPort(each: PortFacts, parent: string, drawing: Drawing): void {
  const { phase } = reportOf(each.port)
  const from = each.pod === undefined ? `dot/${each.key}` : `pod/${each.pod}`
  const hue = drawing.hueOf(each.vpc)
  if (!drawing.nodes.has(from))
    drawing.nodes.set(
      from,
      each.pod === undefined ? dotOf(each, { parent, phase, hue }, drawing) : podOf(each.pod, { parent, phase }, drawing),
    )
  const label = each.port.status?.addresses?.join(' ') ?? phase ?? 'new'
  const id = `port/${each.key}`
  drawing.links.set(id, { id, from, to: `subnet/${each.subnet}`, label, phase, hue, count: 1, key: each.key })
}

type Seat = Pick<DrawnNode, 'parent' | 'phase'>
const dotOf = ({ key }: PortFacts, seat: Seat & { readonly hue: number }, { nameOf }: Drawing): DrawnNode => ({
  id: `dot/${key}`,
  kind: 'Port',
  label: nameOf(key),
  key,
  ...seat,
})

function podOf(key: string, { parent, phase }: Seat, { objects, nameOf }: Drawing): DrawnNode {
  const pod = objects.pods.get(key)
  const own = pod === undefined ? undefined : reportOf(pod).phase
  return { id: `pod/${key}`, kind: 'Pod', label: nameOf(key), phase: own ?? phase, parent, hue: 0, key }
}

function addUp(from: string, { subnet, port, vpc }: PortFacts, { links, hueOf }: Drawing): void {
  const to = `subnet/${subnet}`
  const id = `${from} ${to}`
  const before = links.get(id)
  const count = (before?.count ?? 0) + 1
  const phase = worstOf(new Set([before?.phase, reportOf(port).phase]))
  links.set(id, { id, from, to, label: String(count), phase, hue: hueOf(vpc), count, key: undefined })
}

/** Those with Ports, and where nothing is filtered those without. In the order of their Vpcs: what belongs together stands so. */
function subnetsOf(facts: readonly PortFacts[], { objects, choice }: Drawing): readonly string[] {
  const all = new Set([...facts.map(({ subnet }) => subnet), ...(isFiltered(choice) ? [] : objects.subnets.keys())])
  return [...all].sort((a, b) => vpcOf(a, objects).localeCompare(vpcOf(b, objects)) || a.localeCompare(b, 'en', { numeric: true }))
}

function drawSubnet(key: string, parent: string | undefined, { objects, hueOf, nameOf, nodes }: Drawing): void {
  const subnet = objects.subnets.get(key)
  const blocks = [subnet?.spec.ipv4?.cidr, subnet?.spec.ipv6?.cidr].filter((each) => each !== undefined)
  const id = `subnet/${key}`
  nodes.set(id, {
    id,
    kind: 'Subnet',
    label: [nameOf(key), ...blocks].join('\n'),
    phase: subnet === undefined ? undefined : reportOf(subnet).phase,
    parent,
    hue: hueOf(vpcOf(key, objects)),
    key: subnet === undefined ? undefined : key,
  })
}

/** The links with the most Ports are drawn where there is no room for all. */
function within(nodes: readonly DrawnNode[], links: readonly DrawnLink[], ports: number): Graph {
  const room = Math.max(0, drawnMost - nodes.length)
  if (links.length <= room) return { nodes, links, hiddenLinks: 0, ports }
  const kept = [...links].sort((a, b) => b.count - a.count).slice(0, room)
  return { nodes, links: kept, hiddenLinks: links.length - room, ports }
}
