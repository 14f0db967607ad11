// Draws what is seen. Only what is handed in is drawn, and what it names: who may not see an object is not handed it.
import { keyOf, resolveReference, type Resource } from '../../kinds/index.ts'
import { GraphDraft, vertexId, type Graph } from './graph.ts'
import { networkPart, PartFinder, restPart, segmentPart, usualNetwork, type PartKey, type TopologyObjects } from './parts.ts'

export interface TopologyWish {
  /** False: Ports and pods stand as numbers on Subnets, Nodes and tunnels. */
  readonly ports: boolean
}

/** Parts by their keys, in order. */
export function partsOfTopology(objects: TopologyObjects, wish: TopologyWish): ReadonlyMap<PartKey, () => Graph> {
  const finder = new PartFinder(objects)
  const parts = new Map<PartKey, TopologyObjects>()
  const sort = <K extends keyof TopologyObjects>(kind: K, ofWhich: (item: TopologyObjects[K][number]) => PartKey): void => {
    for (const item of objects[kind] as readonly TopologyObjects[K][number][]) {
      const key = ofWhich(item)
      const part = parts.get(key) ?? parts.set(key, emptyPart(objects)).get(key)!
      ;(part[kind] as TopologyObjects[K][number][]).push(item)
    }
  }
  sort('Vpc', finder.ofVpc)
  sort('Subnet', finder.ofSubnet)
  sort('Port', finder.ofPort)
  if (wish.ports) sort('Pod', finder.ofPod)
  sort('L2Service', finder.ofService)
  sort('L2ServiceAttachment', finder.ofAttachment)
  sort('ConnectionPoint', (point) => networkPart(point.spec.physicalNet ?? usualNetwork))
  for (const { spec } of objects.Fabric)
    for (const { physicalNetwork } of spec.gateways ?? []) ensure(parts, networkPart(physicalNetwork), objects)
  if (objects.Node.length > 0 || objects.Fabric.length > 0) ensure(parts, restPart, objects)
  const drawn = [...parts].sort(([a], [b]) => (a < b ? -1 : 1))
  return new Map(drawn.map(([key, part]) => [key, () => new Drawing(part, finder, wish).draw(key)]))
}

function ensure(parts: Map<PartKey, TopologyObjects>, key: PartKey, objects: TopologyObjects): void {
  if (!parts.has(key)) parts.set(key, emptyPart(objects))
}

/** What belongs to no one part is looked up from each. */
const emptyPart = ({ Node, Fabric, L2BridgeDomain }: TopologyObjects): TopologyObjects => ({
  Node,
  Fabric,
  L2BridgeDomain,
  Vpc: [],
  Subnet: [],
  Port: [],
  Pod: [],
  L2Service: [],
  L2ServiceAttachment: [],
  ConnectionPoint: [],
})

const common = ({ kind, metadata, status }: Resource) => ({
  kind,
  name: metadata.name,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  ...phaseOf(status),
})

function phaseOf(status: unknown): { readonly phase?: string; readonly message?: string } {
  const { phase, message } = (status ?? {}) as { readonly phase?: string; readonly message?: string }
  return { ...(phase !== undefined && { phase }), ...(message !== undefined && { message }) }
}

const count = <T>(counts: Map<T, number>, of: T): void => void counts.set(of, (counts.get(of) ?? 0) + 1)

interface Tunnel {
  readonly node: string
  readonly vni: number
  readonly address: string | undefined
  readonly ports: number
}

/** One of each node and VNI, whatever number of Ports is behind it. */
function addTunnel(tunnels: Map<string, Tunnel>, { spec: { node }, status: { vni, hostIP } = {} }: Resource<'Port'>): void {
  if (node === undefined || vni === undefined) return
  const key = `${vni} ${node}`
  const known = tunnels.get(key)
  tunnels.set(key, { node, vni, address: lesser(known?.address, hostIP), ports: (known?.ports ?? 0) + 1 })
}

class Drawing {
  readonly #graph = new GraphDraft()
  readonly #part: TopologyObjects
  readonly #finder: PartFinder
  readonly #wish: TopologyWish
  readonly #used = new Map<string, number>()

  constructor(part: TopologyObjects, finder: PartFinder, wish: TopologyWish) {
    this.#part = part
    this.#finder = finder
    this.#wish = wish
  }

  draw(key: PartKey): Graph {
    this.#drawSegments()
    this.#drawPorts()
    this.#drawServices()
    if (key === restPart) this.#drawFabrics()
    else if (key.startsWith(networkPart(''))) this.#drawNetwork(key.slice(networkPart('').length))
    return this.#graph.done()
  }

  #drawSegments(): void {
    for (const vpc of this.#part.Vpc) {
      const vni = vpc.status?.vni ?? vpc.spec.vni
      const id = this.#graph.see({ ...common(vpc), ...(vni !== undefined && { vni }) })
      if (vni !== undefined) this.#graph.join(id, 'carried-by', this.#segment(vni))
    }
    const ports = new Map<string, number>()
    for (const port of this.#part.Port) count(ports, keyOf(subnetOf(port)))
    for (const subnet of this.#part.Subnet) this.#drawSubnet(subnet, ports.get(keyOf(subnet.metadata)) ?? 0)
  }

  #drawSubnet(subnet: Resource<'Subnet'>, ports: number): void {
    const { vpc, l2Service, ipv4, ipv6 } = subnet.spec
    const vni = subnet.status?.vni
    const addresses = [ipv4?.cidr, ipv6?.cidr].filter((each) => each !== undefined)
    const id = this.#graph.see({ ...common(subnet), addresses, ports, ...(vni !== undefined && { vni }) })
    const { namespace } = subnet.metadata
    if (vpc !== undefined) this.#graph.join(id, 'in', this.#graph.name('Vpc', vpc, namespace))
    if (l2Service !== undefined) this.#graph.join(id, 'in', this.#graph.name('L2Service', l2Service, namespace))
  }

  #drawPorts(): void {
    const tunnels = new Map<string, Tunnel>()
    for (const port of this.#part.Port) {
      if (this.#wish.ports) this.#drawPort(port)
      if (port.status?.vni !== undefined) this.#segment(port.status.vni)
      if (port.spec.node !== undefined) count(this.#used, port.spec.node)
      addTunnel(tunnels, port)
    }
    for (const [node, ports] of this.#used) this.#drawNode(node, ports)
    for (const { node, vni, address, ports } of tunnels.values())
      this.#graph.join(vertexId('Node', node), 'tunnel', this.#segment(vni), { ports, ...(address !== undefined && { address }) })
    for (const pod of this.#part.Pod) this.#drawPod(pod)
  }

  #drawPod(pod: Resource<'Pod'>): void {
    const id = this.#graph.see(common(pod))
    const { nodeName } = pod.spec
    if (nodeName !== undefined) this.#graph.join(id, 'on', this.#drawNode(nodeName))
  }

  #drawPort(port: Resource<'Port'>): void {
    const { status = {}, spec } = port
    const { vni, mac, addresses = spec.ips } = status
    const id = this.#graph.see({
      ...common(port),
      ...(addresses && { addresses }),
      ...(mac !== undefined && { mac }),
      ...(vni !== undefined && { vni }),
    })
    const subnet = subnetOf(port)
    this.#graph.join(id, 'in', this.#graph.name('Subnet', subnet.name, subnet.namespace))
    if (spec.claim !== undefined) this.#graph.join(this.#graph.name('Pod', spec.claim.pod, port.metadata.namespace), 'has', id)
    if (spec.node !== undefined) this.#graph.join(id, 'on', vertexId('Node', spec.node))
  }

  /** Seen where it was handed in; else a name. */
  #drawNode(name: string, ports?: number): string {
    const node = this.#finder.nodes.get(name)
    if (node === undefined) return this.#graph.name('Node', name)
    const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address
    const used = ports ?? this.#used.get(name)
    return this.#graph.see({
      kind: 'Node',
      name,
      ...(address !== undefined && { addresses: [address] }),
      ...(used !== undefined && { ports: used }),
    })
  }

  #segment(vni: number): string {
    return this.#graph.see({ kind: 'Segment', name: String(vni), vni, ports: this.#portsOf(vni) })
  }

  #counted: ReadonlyMap<number, number> | undefined
  #portsOf(vni: number): number {
    if (this.#counted === undefined) {
      const counts = new Map<number, number>()
      for (const { status } of this.#part.Port) if (status?.vni !== undefined) count(counts, status.vni)
      this.#counted = counts
    }
    return this.#counted.get(vni) ?? 0
  }

  #drawServices(): void {
    for (const service of this.#part.L2Service) {
      const vlan = service.status?.vlan ?? service.spec.segmentationID
      const network = this.#finder.ofService(service).slice(networkPart('').length)
      const id = this.#graph.see({ ...common(service), vlan })
      this.#graph.join(id, 'carried-by', this.#vlan(network, vlan))
    }
    for (const attachment of this.#part.L2ServiceAttachment) {
      const id = this.#graph.see(common(attachment))
      for (const name of attachment.spec.l2Services)
        this.#graph.join(id, 'brings', this.#graph.name('L2Service', name, attachment.metadata.namespace))
      this.#graph.join(id, 'at', this.#graph.name('ConnectionPoint', attachment.spec.connectionPoint))
    }
    for (const point of this.#part.ConnectionPoint)
      this.#graph.join(this.#graph.see(common(point)), 'of', this.#network(point.spec.physicalNet ?? usualNetwork))
  }

  #network = (name: string): string => this.#graph.see({ kind: 'PhysicalNetwork', name })

  #vlan(network: string, vlan: number): string {
    const id = this.#graph.see({ kind: 'VLAN', namespace: network, name: String(vlan), vlan })
    this.#graph.join(id, 'of', this.#network(network))
    return id
  }

  /** Of the whole data centre: which node is on which switch. */
  #drawFabrics(): void {
    for (const node of this.#part.Node) this.#drawNode(node.metadata.name)
    for (const fabric of this.#part.Fabric) {
      for (const each of fabric.spec.switches) this.#switch(fabric, each.name)
      for (const link of fabric.spec.links ?? [])
        this.#graph.join(this.#drawNode(link.node), 'wired-to', this.#switch(fabric, link.switch), {
          interface: link.interface,
          switchPort: link.switchPort,
        })
    }
  }

  #drawNetwork(name: string): void {
    for (const fabric of this.#part.Fabric)
      for (const { physicalNetwork, switch: of, switchPort } of fabric.spec.gateways ?? [])
        if (physicalNetwork === name) this.#graph.join(this.#network(name), 'gateway', this.#switch(fabric, of), { switchPort })
    const own = new Map(this.#part.L2Service.map((service) => [service.metadata.uid, service]))
    for (const { spec, status } of this.#part.L2BridgeDomain) {
      if (!own.has(spec.holder.uid)) continue
      for (const at of status?.switches ?? []) this.#graph.join(this.#vlan(name, spec.vlan), 'open-on', this.#switchNamed(at))
    }
  }

  #switch(fabric: Resource<'Fabric'>, name: string): string {
    const found = fabric.status?.switches?.find((each) => each.name === name)
    return this.#graph.see({
      kind: 'Switch',
      namespace: fabric.metadata.name,
      name,
      ...(found && { phase: found.state }),
      ...(found?.message !== undefined && { message: found.message }),
    })
  }

  /** `fabric/switch`, as a bridge domain says it. */
  #switchNamed(text: string): string {
    const [fabric = '', name = ''] = text.split('/')
    return this.#graph.name('Switch', name, fabric)
  }
}

const subnetOf = ({ spec, metadata }: Resource<'Port'>): { readonly namespace: string; readonly name: string } =>
  resolveReference(spec.subnet, metadata.namespace ?? '')

/** Of two that differ the same, whichever comes first. */
const lesser = (a: string | undefined, b: string | undefined): string | undefined => (a === undefined || (b !== undefined && b < a) ? b : a)

/** Whether a part is of this VNI or physical network. */
export function isWanted(key: PartKey, { vni, physicalNetwork }: { readonly vni?: number; readonly physicalNetwork?: string }): boolean {
  if (vni === undefined && physicalNetwork === undefined) return true
  return (vni !== undefined && key === segmentPart(vni)) || (physicalNetwork !== undefined && key === networkPart(physicalNetwork))
}
