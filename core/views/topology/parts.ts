// A network falls into parts that are looked at by themselves: what is on one VNI, in one Vpc without a VNI, on one physical network;
// and the rest.
import { inNamespaceOf, keyOf, keyOfItem, type Resource } from '../../kinds/index.ts'
import type { Bundle } from './bundle.ts'

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
] as const
export type TopologyKind = (typeof topologyKinds)[number]
export type ByKey<K extends TopologyKind> = ReadonlyMap<string, Resource<K>>
/** All that is seen of each kind, by its key. */
export type TopologyMaps = { readonly [K in TopologyKind]: ByKey<K> }

/** The physical network of VLANs that name none. */
export const usualNetwork = 'default'

/** `segment 00000007`, `vpc a/b`, `network default`, `rest`: their order as texts is the order of pages. */
export type PartKey = string
export const restPart: PartKey = 'rest'
export const segmentPart = (vni: number): PartKey => `segment ${String(vni).padStart(8, '0')}`
export const networkPart = (name: string): PartKey => `network ${name}`
export const networkOfPart = (part: PartKey): string | undefined =>
  part.startsWith(networkPart('')) ? part.slice(networkPart('').length) : undefined
const vpcPart = (key: string): PartKey => `vpc ${key}`

/** Says of each object which part it is of. */
export class PartFinder {
  readonly #objects: TopologyMaps
  readonly #services = new Map<string, PartKey>()

  constructor(objects: TopologyMaps) {
    this.#objects = objects
    for (const each of objects.L2ServiceAttachment.values())
      for (const name of each.spec.l2Services) this.#found(inNamespaceOf(each, name), networkPart(this.networkOf(each)))
    const attached = new Set(this.#services.keys())
    for (const [key, { spec }] of objects.L2Service) {
      const [first] = spec.physicalNW ?? []
      if (first !== undefined && !attached.has(key)) this.#found(key, networkPart(first))
    }
  }

  /** Of several the same, whichever is come upon first. */
  #found(service: string, part: PartKey): void {
    const known = this.#services.get(service)
    if (known === undefined || part < known) this.#services.set(service, part)
  }

  ofVpc = (vpc: Resource<'Vpc'>): PartKey => this.#ofVpc(vpc, keyOfItem(vpc))

  ofSubnet = (subnet: Resource<'Subnet'>): PartKey => {
    const { vpc, l2Service } = subnet.spec
    const namespace = subnet.metadata.namespace ?? ''
    if (l2Service !== undefined) return this.ofService(keyOf({ namespace, name: l2Service }))
    if (subnet.status?.vni !== undefined) return segmentPart(subnet.status.vni)
    const key = keyOf({ namespace, name: vpc ?? '' })
    return this.#ofVpc(this.#objects.Vpc.get(key), key)
  }

  ofBundle = ({ vni, subnet: key }: Bundle): PartKey => {
    if (vni !== undefined) return segmentPart(vni)
    const subnet = this.#objects.Subnet.get(key)
    return subnet === undefined ? restPart : this.ofSubnet(subnet)
  }

  /** By its key. */
  ofService = (key: string): PartKey => this.#services.get(key) ?? networkPart(usualNetwork)

  ofAttachment = (attachment: Resource<'L2ServiceAttachment'>): PartKey => networkPart(this.networkOf(attachment))

  networkOf({ status, spec }: Resource<'L2ServiceAttachment'>): string {
    return status?.physicalNetwork ?? this.#objects.ConnectionPoint.get(spec.connectionPoint)?.spec.physicalNet ?? usualNetwork
  }

  #ofVpc(vpc: Resource<'Vpc'> | undefined, key: string): PartKey {
    const vni = vpc?.status?.vni ?? vpc?.spec.vni
    return vni === undefined ? vpcPart(key) : segmentPart(vni)
  }
}
