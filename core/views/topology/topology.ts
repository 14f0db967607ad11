// Draws a part of what is seen. Only what the index holds is drawn, and what that names: who may not see an object has it in no index.
import { keyOf, resolveReference, type Resource } from '../../kinds/index.ts'
import { Tally, type Bundle } from './bundle.ts'
import { GraphDraft, vertexId, type Graph } from './graph.ts'
import type { NetworkIndex, Part } from './network-index.ts'
import { networkOfPart, networkPart, restPart, segmentPart, usualNetwork, type PartKey } from './parts.ts'

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

/** Draws onto one draft: first what a part rests on, with counts of its Ports; then, where they are wanted, Ports and pods by the piece. */
export class Drawing {
  readonly #graph = new GraphDraft()
  readonly #index: NetworkIndex
  readonly #part: Part
  readonly #key: PartKey
  readonly #counts: PartCounts

  constructor(index: NetworkIndex, key: PartKey, part: Part) {
    this.#index = index
    this.#part = part
    this.#key = key
    this.#counts = countsOf(part)
  }

  get size(): number {
    return this.#graph.size
  }

  done(): Graph {
    return this.#graph.done()
  }

  frame(): void {
    for (const key of this.#part.vpcs) this.#drawVpc(this.#index.objects.Vpc.get(key)!)
    for (const key of this.#part.subnets) this.#drawSubnet(this.#index.objects.Subnet.get(key)!)
    this.#drawTunnels()
    this.#drawServices()
    const network = networkOfPart(this.#key)
    if (this.#key === restPart) this.#drawFabrics()
    else if (network !== undefined) this.#drawNetwork(network)
  }

  #drawVpc(vpc: Resource<'Vpc'>): void {
    const vni = vpc.status?.vni ?? vpc.spec.vni
    const id = this.#graph.see({ ...common(vpc), ...(vni !== undefined && { vni }) })
    if (vni !== undefined) this.#graph.join(id, 'carried-by', this.#segment(vni))
  }

  #drawSubnet(subnet: Resource<'Subnet'>): string {
    const { vpc, l2Service, ipv4, ipv6 } = subnet.spec
    const vni = subnet.status?.vni
    const addresses = [ipv4?.cidr, ipv6?.cidr].filter((each) => each !== undefined)
    const ports = this.#counts.subnets.of(keyOf(subnet.metadata))
    const id = this.#graph.see({ ...common(subnet), addresses, ports, ...(vni !== undefined && { vni }) })
    const { namespace } = subnet.metadata
    if (vpc !== undefined) this.#graph.join(id, 'in', this.#graph.name('Vpc', vpc, namespace))
    if (l2Service !== undefined) this.#graph.join(id, 'in', this.#graph.name('L2Service', l2Service, namespace))
    return id
  }

  #drawTunnels(): void {
    for (const { vni } of this.#part.bundles) if (vni !== undefined) this.#segment(vni)
    for (const [node, ports] of this.#counts.nodes.entries()) this.#drawNode(node, ports)
    for (const { node, vni, ports, addresses } of this.#counts.tunnels.values()) {
      const address = addresses.least()
      this.#graph.join(vertexId('Node', node), 'tunnel', this.#segment(vni), { ports, ...(address !== undefined && { address }) })
    }
  }

  /** One that this part has no frame of, as it goes on from a page before, is joined to what it names all the same. */
  port(key: string): void {
    const port = this.#index.objects.Port.get(key)
    if (port === undefined) return
    const { status = {}, spec } = port
    const { vni, mac, addresses = spec.ips } = status
    const id = this.#graph.see({
      ...common(port),
      ...(addresses && { addresses }),
      ...(mac !== undefined && { mac }),
      ...(vni !== undefined && { vni }),
    })
    this.#graph.join(id, 'in', this.#subnetOf(port))
    if (spec.node !== undefined) this.#graph.join(id, 'on', this.#drawNode(spec.node))
    if (spec.claim !== undefined) this.#graph.join(this.#podOf(port, spec.claim.pod), 'has', id)
  }

  #subnetOf(port: Resource<'Port'>): string {
    const at = resolveReference(port.spec.subnet, port.metadata.namespace ?? '')
    const subnet = this.#index.objects.Subnet.get(keyOf(at))
    if (subnet === undefined || this.#index.finder.ofSubnet(subnet) !== this.#key) return this.#graph.name('Subnet', at.name, at.namespace)
    return this.#graph.has(vertexId('Subnet', at.namespace, at.name)) ?? this.#drawSubnet(subnet)
  }

  #podOf({ metadata: { namespace } }: Resource<'Port'>, name: string): string {
    const pod = this.#index.objects.Pod.get(keyOf({ namespace: namespace ?? '', name }))
    return pod === undefined ? this.#graph.name('Pod', name, namespace) : this.#drawPod(pod)
  }

  pod(key: string): void {
    const pod = this.#index.objects.Pod.get(key)
    if (pod !== undefined) this.#drawPod(pod)
  }

  #drawPod(pod: Resource<'Pod'>): string {
    const id = this.#graph.see(common(pod))
    const { nodeName } = pod.spec
    if (nodeName !== undefined) this.#graph.join(id, 'on', this.#drawNode(nodeName))
    return id
  }

  /** Seen where it was handed in; else a name. */
  #drawNode(name: string, ports?: number): string {
    const node = this.#index.objects.Node.get(name)
    if (node === undefined) return this.#graph.name('Node', name)
    const there = ports === undefined ? this.#graph.has(vertexId('Node', name)) : undefined
    if (there !== undefined) return there
    const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address
    return this.#graph.see({
      kind: 'Node',
      name,
      ...(address !== undefined && { addresses: [address] }),
      ...(ports !== undefined && { ports }),
    })
  }

  #segment(vni: number): string {
    return this.#graph.see({ kind: 'Segment', name: String(vni), vni, ports: this.#key === segmentPart(vni) ? this.#counts.carried : 0 })
  }

  #drawServices(): void {
    const { L2Service, L2ServiceAttachment, ConnectionPoint } = this.#index.objects
    for (const key of this.#part.services) {
      const service = L2Service.get(key)!
      const vlan = service.status?.vlan ?? service.spec.segmentationID
      const id = this.#graph.see({ ...common(service), vlan })
      this.#graph.join(id, 'carried-by', this.#vlan(networkOfPart(this.#key) ?? usualNetwork, vlan))
    }
    for (const key of this.#part.attachments) {
      const attachment = L2ServiceAttachment.get(key)!
      const id = this.#graph.see(common(attachment))
      for (const name of attachment.spec.l2Services)
        this.#graph.join(id, 'brings', this.#graph.name('L2Service', name, attachment.metadata.namespace))
      this.#graph.join(id, 'at', this.#graph.name('ConnectionPoint', attachment.spec.connectionPoint))
    }
    for (const key of this.#part.points) {
      const point = ConnectionPoint.get(key)!
      this.#graph.join(this.#graph.see(common(point)), 'of', this.#network(point.spec.physicalNet ?? usualNetwork))
    }
  }

  #network = (name: string): string => this.#graph.see({ kind: 'PhysicalNetwork', name })

  #vlan(network: string, vlan: number): string {
    const id = this.#graph.see({ kind: 'VLAN', namespace: network, name: String(vlan), vlan })
    this.#graph.join(id, 'of', this.#network(network))
    return id
  }

  /** Of the whole data centre: which node is on which switch. */
  #drawFabrics(): void {
    for (const name of this.#index.objects.Node.keys()) this.#drawNode(name)
    for (const fabric of this.#index.objects.Fabric.values()) {
      for (const each of fabric.spec.switches) this.#switch(fabric, each.name)
      for (const link of fabric.spec.links ?? [])
        this.#graph.join(this.#drawNode(link.node), 'wired-to', this.#switch(fabric, link.switch), {
          interface: link.interface,
          switchPort: link.switchPort,
        })
    }
  }

  #drawNetwork(name: string): void {
    const { Fabric, L2Service, L2BridgeDomain } = this.#index.objects
    for (const fabric of Fabric.values())
      for (const { physicalNetwork, switch: of, switchPort } of fabric.spec.gateways ?? [])
        if (physicalNetwork === name) this.#graph.join(this.#network(name), 'gateway', this.#switch(fabric, of), { switchPort })
    const own = new Set(this.#part.services.map((key) => L2Service.get(key)!.metadata.uid))
    for (const { spec, status } of L2BridgeDomain.values()) {
      if (!own.has(spec.holder.uid)) continue
      for (const at of status?.switches ?? []) this.#graph.join(this.#vlan(name, spec.vlan), 'open-on', this.#switchNamed(at))
    }
  }

  #switch(fabric: Resource<'Fabric'>, name: string): string {
    return this.#graph.see({ kind: 'Switch', namespace: fabric.metadata.name, name, ...stateOfSwitch(fabric, name) })
  }

  /** `fabric/switch`, as a bridge domain says it. */
  #switchNamed(text: string): string {
    const [fabric = '', name = ''] = text.split('/')
    return this.#graph.name('Switch', name, fabric)
  }
}

/** As it was when it was last looked at. */
export function stateOfSwitch({ status }: Resource<'Fabric'>, name: string): { readonly phase?: string; readonly message?: string } {
  const found = status?.switches?.find((each) => each.name === name)
  return { ...(found && { phase: found.state }), ...(found?.message !== undefined && { message: found.message }) }
}

interface Tunnel {
  readonly node: string
  readonly vni: number
  ports: number
  readonly addresses: Tally
}
interface PartCounts {
  readonly subnets: Tally
  readonly nodes: Tally
  readonly tunnels: ReadonlyMap<string, Tunnel>
  /** Ports on the VNI of the part. */
  readonly carried: number
}

function countsOf({ bundles }: Part): PartCounts {
  const [subnets, nodes] = [new Tally(), new Tally()]
  const tunnels = new Map<string, Tunnel>()
  let carried = 0
  for (const bundle of bundles) {
    subnets.add(bundle.subnet, bundle.ports.size)
    if (bundle.vni !== undefined) carried += bundle.ports.size
    for (const [node, { ports }] of bundle.cells) if (node !== '') nodes.add(node, ports)
    addTunnels(bundle, tunnels)
  }
  return { subnets, nodes, tunnels, carried }
}

/** One of each node and VNI, whatever number of Ports is behind it. */
function addTunnels({ vni, cells }: Bundle, tunnels: Map<string, Tunnel>): void {
  if (vni === undefined) return
  for (const [node, cell] of cells) {
    if (node === '') continue
    const tunnel = tunnels.get(node) ?? { node, vni, ports: 0, addresses: new Tally() }
    tunnel.ports += cell.ports
    for (const [address, count] of cell.addresses.entries()) tunnel.addresses.add(address, count)
    tunnels.set(node, tunnel)
  }
}

/** Whether a part is of this VNI or physical network. */
export function isWanted(key: PartKey, { vni, physicalNetwork }: { readonly vni?: number; readonly physicalNetwork?: string }): boolean {
  if (vni === undefined && physicalNetwork === undefined) return true
  return (vni !== undefined && key === segmentPart(vni)) || (physicalNetwork !== undefined && key === networkPart(physicalNetwork))
}
