// All of a network that somebody sees, filed as it comes and goes, so that what is asked of it costs what is answered.
import { inNamespaceOf, keyOf, keyOfItem, resolveReference, type Resource } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'
import { Bundle } from './bundle.ts'
import {
  PartFinder,
  networkPart,
  restPart,
  topologyKinds,
  usualNetwork,
  type PartKey,
  type TopologyKind,
  type TopologyMaps,
} from './parts.ts'
import { SortedKeys } from './sorted-keys.ts'

/** What a part is made of, by keys; Nodes, Fabrics and bridge domains are looked up from each. */
export interface Part {
  readonly bundles: Bundle[]
  readonly vpcs: string[]
  readonly subnets: string[]
  readonly services: string[]
  readonly attachments: string[]
  readonly points: string[]
}

interface SortedParts {
  readonly finder: PartFinder
  readonly all: ReadonlyMap<PartKey, Part>
}

export class NetworkIndex {
  readonly #items = Object.fromEntries(topologyKinds.map((kind) => [kind, new Map()])) as unknown as {
    readonly [K in TopologyKind]: Map<string, Resource<K>>
  }
  readonly #bundles = new Map<string, Bundle>()
  readonly #byNode = new Map<string, SortedKeys>()
  /** Of each pod the Ports that it has. */
  readonly #claims = new Map<string, Set<string>>()
  /** Pods that have none. */
  readonly loosePods = new SortedKeys()
  #parts: SortedParts | undefined

  get objects(): TopologyMaps {
    return this.#items
  }

  get bundles(): Iterable<Bundle> {
    return this.#bundles.values()
  }

  portsOn = (node: string): SortedKeys => this.#byNode.get(node) ?? new SortedKeys()
  portsOfPod = (pod: string): Iterable<string> => this.#claims.get(pod) ?? []

  put(item: Resource): void {
    const key = keyOfItem(item)
    const items = this.#items[item.kind as TopologyKind] as unknown as Map<string, Resource>
    const before = items.get(key)
    items.set(key, item)
    this.#changed(key, before, item)
  }

  gone(kind: TopologyKind, key: string): void {
    const before = this.#items[kind].get(key)
    if (before === undefined) return
    this.#items[kind].delete(key)
    this.#changed(key, before, undefined)
  }

  #changed(key: string, before: Resource | undefined, after: Resource | undefined): void {
    const kind = (after ?? before)?.kind
    if (kind === 'Port') this.#portChanged(key, before as Resource<'Port'> | undefined, after as Resource<'Port'> | undefined)
    else if (kind === 'Pod') this.#placePod(key)
    else if (!sameJson(placeOf(before), placeOf(after))) this.#parts = undefined
  }

  #portChanged(key: string, before: Resource<'Port'> | undefined, after: Resource<'Port'> | undefined): void {
    const [from, to] = [before && this.#bundleOf(before), after && this.#bundleOf(after)]
    if (before !== undefined) from?.count(before, -1)
    if (after !== undefined) to?.count(after, 1)
    if (from !== to) this.#rebundle(key, from, to)
    this.#move(before?.spec.node, after?.spec.node, key)
    this.#reclaim(key, podOf(before), podOf(after))
  }

  #reclaim(port: string, had: string | undefined, has: string | undefined): void {
    if (had === has) return
    this.#claim(had, port, false)
    this.#claim(has, port, true)
  }

  #rebundle(key: string, from: Bundle | undefined, to: Bundle | undefined): void {
    from?.ports.delete(key)
    to?.ports.add(key)
    if (from?.ports.size !== 0) return
    this.#bundles.delete(bundleName(from.vni, from.subnet))
    this.#parts = undefined
  }

  #move(from: string | undefined, to: string | undefined, key: string): void {
    if (from === to) return
    const left = from === undefined ? undefined : this.#byNode.get(from)
    left?.delete(key)
    if (from !== undefined && left?.size === 0) this.#byNode.delete(from)
    if (to === undefined) return
    const file = this.#byNode.get(to) ?? new SortedKeys()
    file.add(key)
    this.#byNode.set(to, file)
  }

  #claim(pod: string | undefined, port: string, has: boolean): void {
    if (pod === undefined) return
    const ports = this.#claims.get(pod) ?? new Set()
    if (has) ports.add(port)
    else ports.delete(port)
    if (ports.size === 0) this.#claims.delete(pod)
    else this.#claims.set(pod, ports)
    this.#placePod(pod)
  }

  #placePod(key: string): void {
    const before = this.loosePods.size
    if (this.#items.Pod.has(key) && !this.#claims.has(key)) this.loosePods.add(key)
    else this.loosePods.delete(key)
    if ((before === 0) !== (this.loosePods.size === 0)) this.#parts = undefined
  }

  #bundleOf(port: Resource<'Port'>): Bundle {
    const subnet = keyOf(resolveReference(port.spec.subnet, port.metadata.namespace ?? ''))
    const name = bundleName(port.status?.vni, subnet)
    const known = this.#bundles.get(name)
    if (known !== undefined) return known
    const made = new Bundle(port.status?.vni, subnet)
    this.#bundles.set(name, made)
    this.#parts = undefined
    return made
  }

  get finder(): PartFinder {
    return this.#sorted().finder
  }

  /** In order. Sorted anew only where an object has come, gone or moved that decides on parts: a Port that comes decides nothing. */
  get parts(): ReadonlyMap<PartKey, Part> {
    return this.#sorted().all
  }

  #sorted(): SortedParts {
    if (this.#parts !== undefined) return this.#parts
    const finder = new PartFinder(this.#items)
    const parts = new Map<PartKey, Part>()
    const part = (key: PartKey): Part => parts.get(key) ?? parts.set(key, emptyPart()).get(key)!
    this.#fileObjects(finder, part)
    for (const each of this.#bundles.values()) part(finder.ofBundle(each)).bundles.push(each)
    for (const { bundles } of parts.values()) bundles.sort((a, b) => (bundleName(a.vni, a.subnet) < bundleName(b.vni, b.subnet) ? -1 : 1))
    this.#parts = { finder, all: new Map([...parts].sort(([a], [b]) => (a < b ? -1 : 1))) }
    return this.#parts
  }

  #fileObjects(finder: PartFinder, part: (key: PartKey) => Part): void {
    const { Vpc, Subnet, Fabric, Node } = this.#items
    for (const [key, each] of Vpc) part(finder.ofVpc(each)).vpcs.push(key)
    for (const [key, each] of Subnet) part(finder.ofSubnet(each)).subnets.push(key)
    if (Node.size + Fabric.size + this.loosePods.size > 0) part(restPart)
    this.#fileNetworks(finder, part)
  }

  #fileNetworks(finder: PartFinder, part: (key: PartKey) => Part): void {
    const { L2Service, L2ServiceAttachment, ConnectionPoint, Fabric } = this.#items
    for (const key of L2Service.keys()) part(finder.ofService(key)).services.push(key)
    for (const [key, each] of L2ServiceAttachment) part(finder.ofAttachment(each)).attachments.push(key)
    for (const [key, { spec }] of ConnectionPoint) part(networkPart(spec.physicalNet ?? usualNetwork)).points.push(key)
    for (const { spec } of Fabric.values()) for (const { physicalNetwork } of spec.gateways ?? []) part(networkPart(physicalNetwork))
  }
}

const emptyPart = (): Part => ({ bundles: [], vpcs: [], subnets: [], services: [], attachments: [], points: [] })
export const bundleName = (vni: number | undefined, subnet: string): string => `${vni ?? ''} ${subnet}`

const podOf = (port: Resource<'Port'> | undefined): string | undefined =>
  port?.spec.claim === undefined ? undefined : inNamespaceOf(port, port.spec.claim.pod)

/** What of an object decides on the parts that it and others are of. */
function placeOf(item: Resource | undefined): unknown {
  if (item === undefined) return undefined
  const { spec, status = {} } = item as { readonly spec: Fields; readonly status?: Fields }
  return { spec: pick(spec, deciding.spec), status: pick(status, deciding.status) }
}
type Fields = Readonly<Record<string, unknown>>
const deciding = {
  spec: ['vni', 'vpc', 'l2Service', 'physicalNW', 'l2Services', 'connectionPoint', 'physicalNet', 'gateways'],
  status: ['vni', 'physicalNetwork'],
}
const pick = (from: Fields, names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, from[name]]))
