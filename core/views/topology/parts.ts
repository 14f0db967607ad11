// A network falls into parts that are looked at by themselves: what is on one VNI, in one Vpc without a VNI, on one physical network;
// and the rest.
import { inNamespaceOf, keyOf, keyOfItem, resolveReference, type Resource } from '../../kinds/index.ts'

/** All that is seen, of each kind that is drawn. */
export interface TopologyObjects {
  readonly Node: readonly Resource<'Node'>[]
  readonly Vpc: readonly Resource<'Vpc'>[]
  readonly Subnet: readonly Resource<'Subnet'>[]
  readonly Port: readonly Resource<'Port'>[]
  readonly Pod: readonly Resource<'Pod'>[]
  readonly L2Service: readonly Resource<'L2Service'>[]
  readonly L2ServiceAttachment: readonly Resource<'L2ServiceAttachment'>[]
  readonly ConnectionPoint: readonly Resource<'ConnectionPoint'>[]
  readonly L2BridgeDomain: readonly Resource<'L2BridgeDomain'>[]
  readonly Fabric: readonly Resource<'Fabric'>[]
}
export type TopologyKind = keyof TopologyObjects
export const topologyKinds = [
  'Node',
  'Vpc',
  'Subnet',
  'Port',
  'Pod',
  'L2Service',
  'L2ServiceAttachment',
  'ConnectionPoint',
  'L2BridgeDomain',
  'Fabric',
] as const satisfies readonly TopologyKind[]

/** The physical network of VLANs that name none. */
export const usualNetwork = 'default'

/** `segment 0000007`, `vpc a/b`, `network default`, `rest`: their order as texts is the order of pages. */
export type PartKey = string
export const restPart: PartKey = 'rest'
export const segmentPart = (vni: number): PartKey => `segment ${String(vni).padStart(8, '0')}`
export const networkPart = (name: string): PartKey => `network ${name}`
const vpcPart = (key: string): PartKey => `vpc ${key}`

/** Says of each object which part it is of, and knows what all parts share by its name. */
export class PartFinder {
  readonly nodes: ReadonlyMap<string, Resource<'Node'>>
  readonly #vpcs: ReadonlyMap<string, Resource<'Vpc'>>
  readonly #subnets: ReadonlyMap<string, Resource<'Subnet'>>
  readonly #ports = new Map<string, PartKey>()
  readonly #services = new Map<string, PartKey>()
  readonly #points: ReadonlyMap<string, Resource<'ConnectionPoint'>>

  constructor(objects: TopologyObjects) {
    this.nodes = new Map(objects.Node.map((each) => [each.metadata.name, each]))
    this.#vpcs = new Map(objects.Vpc.map((each) => [keyOfItem(each), each]))
    this.#subnets = new Map(objects.Subnet.map((each) => [keyOfItem(each), each]))
    this.#points = new Map(objects.ConnectionPoint.map((each) => [each.metadata.name, each]))
    this.#findServices(objects)
    for (const port of objects.Port) {
      const { claim } = port.spec
      if (claim !== undefined) this.#ports.set(inNamespaceOf(port, claim.pod), this.ofPort(port))
    }
  }

  #findServices({ L2Service, L2ServiceAttachment }: TopologyObjects): void {
    for (const each of L2ServiceAttachment)
      for (const name of each.spec.l2Services) this.#services.set(inNamespaceOf(each, name), networkPart(this.networkOf(each)))
    for (const each of L2Service) {
      const [first] = each.spec.physicalNW ?? []
      if (first !== undefined && !this.#services.has(keyOfItem(each))) this.#services.set(keyOfItem(each), networkPart(first))
    }
  }

  ofVpc = (vpc: Resource<'Vpc'>): PartKey => this.#ofVpc(vpc, keyOfItem(vpc))

  ofSubnet = (subnet: Resource<'Subnet'>): PartKey => {
    const { vpc, l2Service } = subnet.spec
    const namespace = subnet.metadata.namespace ?? ''
    if (l2Service !== undefined) return this.#services.get(keyOf({ namespace, name: l2Service })) ?? networkPart(usualNetwork)
    if (subnet.status?.vni !== undefined) return segmentPart(subnet.status.vni)
    const key = keyOf({ namespace, name: vpc ?? '' })
    return this.#ofVpc(this.#vpcs.get(key), key)
  }

  ofPort = (port: Resource<'Port'>): PartKey => {
    if (port.status?.vni !== undefined) return segmentPart(port.status.vni)
    const subnet = this.#subnets.get(keyOf(resolveReference(port.spec.subnet, port.metadata.namespace ?? '')))
    return subnet === undefined ? restPart : this.ofSubnet(subnet)
  }

  /** With its Ports; one that has several is drawn wherever they are, and stands in the part of the last. */
  ofPod = (pod: Resource<'Pod'>): PartKey => this.#ports.get(keyOfItem(pod)) ?? restPart

  ofService = (service: Resource<'L2Service'>): PartKey => this.#services.get(keyOfItem(service)) ?? networkPart(usualNetwork)

  ofAttachment = (attachment: Resource<'L2ServiceAttachment'>): PartKey => networkPart(this.networkOf(attachment))

  networkOf({ status, spec }: Resource<'L2ServiceAttachment'>): string {
    return status?.physicalNetwork ?? this.#points.get(spec.connectionPoint)?.spec.physicalNet ?? usualNetwork
  }

  #ofVpc(vpc: Resource<'Vpc'> | undefined, key: string): PartKey {
    const vni = vpc?.status?.vni ?? vpc?.spec.vni
    return vni === undefined ? vpcPart(key) : segmentPart(vni)
  }
}
