// From objects of the store to the pieces that a node should carry.
import { wiredFinalizer } from '../../kinds/annotations.ts'
import { refOf, resolveReference, type Resource, type SpecOf } from '../../kinds/index.ts'
import { segmentOf } from '../../kinds/vpc/segment.ts'
import { defaultGateway, isInBlock, parseCidr } from '../../net/cidr.ts'
import { parseIp, printIp } from '../../net/ip.ts'
import { hostInterfaceName, hybridNames } from '../../net/names.ts'
import { mayHaveMoreMacs } from '../../node/broadcast.ts'
import type { Endpoint, LocalPort, PortPolicy, Segment, SegmentAttachment, SegmentRouter } from '../../node/wanted.ts'
import type { LockedBlock } from '../builtin/routed-blocks.ts'
import { isEvicted } from '../vpc/eviction.ts'
import { onNode } from '../vpc/on-node.ts'

/** What only the node itself knows of a port of its own. */
export interface NodePlace {
  readonly number: number
  readonly mtu: number
  /** LocalPort.socket */
  readonly socket?: string | undefined
  /** LocalPort.policy */
  readonly policy?: PortPolicy | undefined
  /** LocalPort.type, where its Nic says another than the Port. */
  readonly type?: LocalPort['type'] | undefined
  /** LocalPort.wayNumber */
  readonly wayNumber?: number | undefined
}

/** A Port that can be wired here: addressed, and nobody is taking it away. */
export function isWireable(port: Resource<'Port'>, node: string): boolean {
  const { addresses, mac } = port.status ?? {}
  return (
    port.spec.node === node &&
    onNode(port) &&
    port.metadata.deletionTimestamp === undefined &&
    isServedFor(port, node) &&
    addresses !== undefined &&
    mac !== undefined
  )
}

/**
 * One of a cloud is wired as soon as that has bound it here: it is ready only after. A pod that comes waits while its cloud lets nothing
 * pass, or refuses something; a VM may run here already, since it moves whatever its Port's phase.
 */
function isServedFor(port: Resource<'Port'>, node: string): boolean {
  const { phase, vif } = port.status ?? {}
  if (vif === undefined) return phase === 'ready' && segmentOf(port) !== undefined
  return vif.node === node && (phase !== 'error' || port.spec.claim === undefined)
}

/** A Port that its node is to unwire: it is going, or its pod has left it, or it is to be elsewhere, or its Vpc is going. */
export const isLeaving = (port: Resource<'Port'>, node: string): boolean =>
  port.metadata.deletionTimestamp !== undefined || !onNode(port) || port.spec.node !== node || isEvicted(port)

export const isGuarded = (port: Resource<'Port'>): boolean => (port.metadata.finalizers ?? []).includes(wiredFinalizer)

/** Undefined as long as it has no addresses. */
export function localPortOf(
  port: Resource<'Port'>,
  { number, mtu, socket, type = port.spec.type ?? 'kernel', ...judged }: NodePlace,
): LocalPort | undefined {
  const { addresses, mac } = port.status ?? {}
  const attachment = attachmentOf(port)
  if (addresses === undefined || mac === undefined || attachment === undefined) return undefined
  const { uid } = port.metadata
  const { portSecurity = true } = port.spec
  return {
    uid,
    of: refOf(port),
    number,
    ifcName: endNameOf(port),
    attachment,
    mac,
    addresses,
    ...sourcesBeside(port),
    portSecurity,
    type,
    ...tapUseOf(port, type),
    ...(socket !== undefined && { socket }),
    mtu,
    ...judgedBy(judged),
  }
}

const sourcesBeside = ({
  spec: { allowedAddressPairs = [] },
  status: { routedBlocks = [] } = {},
}: Resource<'Port'>): Pick<LocalPort, 'allowedAddressPairs' | 'routedBlocks'> => ({
  allowedAddressPairs: [...allowedAddressPairs, ...routedBlocks.map((ip) => ({ ip }))],
  ...(routedBlocks.length > 0 && { routedBlocks }),
})

const tapUseOf = ({ spec: { tap } }: Resource<'Port'>, type: LocalPort['type']): Pick<LocalPort, 'tap'> =>
  type === 'tap' && tap !== undefined ? { tap } : {}

const judgedBy = ({ policy, wayNumber }: Pick<NodePlace, 'policy' | 'wayNumber'>): Pick<LocalPort, 'policy' | 'wayNumber'> => ({
  ...(policy !== undefined && { policy }),
  ...(wayNumber !== undefined && { wayNumber }),
})

/**
 * What we call the interface that we make on the node: as the cloud says, where it says so. One that somebody else makes has its own name.
 */
export function endNameOf({ metadata: { uid }, status: { vif } = {} }: Pick<Resource<'Port'>, 'metadata' | 'status'>): string {
  if (vif === undefined || vif.plug === 'interface') return hostInterfaceName(uid)
  return vif.interface ?? (vif.hybrid === true ? hybridNames(vif.interfaceID ?? uid).tap : hostInterfaceName(uid))
}

export function attachmentOf({ status: { vni, vlan, vif } = {} }: Pick<Resource<'Port'>, 'status'>): SegmentAttachment | undefined {
  if (vif === undefined && vlan !== undefined)
    return { kind: 'vlan', physicalNetwork: vlan.physicalNetwork, mode: 'access', vlans: [vlan.id] }
  if (vif === undefined) return vni === undefined ? undefined : { kind: 'vni', vni }
  const { plug, bridge, interfaceID, hybrid, interface: theirs } = vif
  return {
    kind: 'vif',
    plug,
    ...(bridge !== undefined && { bridge }),
    ...(interfaceID !== undefined && { interfaceID }),
    ...(hybrid === true && { hybrid }),
    ...(theirs !== undefined && { interface: theirs }),
  }
}

/** Undefined for a lock that says nothing of another node: not of an address, not bound, or of an address here. */
export function endpointOf({ spec }: Resource<'IPLock'>, here: string): Endpoint | undefined {
  const { vni, address, mac, hostIP, identity } = spec
  if (address === undefined || mac === undefined || hostIP === undefined || hostIP === here) return undefined
  return { vni, address, mac, hostIP, ...(identity !== undefined && { identity }) }
}

/** The blocks of a Subnet with the gateways that are answered for. */
export function blocksAnswered(subnet: Resource<'Subnet'>): Segment['subnets'] {
  return [blockOf(subnet, 'ipv4'), blockOf(subnet, 'ipv6')].flatMap((block) => {
    const cidr = block === undefined ? undefined : parseCidr(block.cidr)
    if (block === undefined || cidr === undefined) return []
    const usual = defaultGateway(cidr)
    const gateway = block.gateway ?? (usual === undefined ? undefined : printIp(usual))
    return [{ cidr: block.cidr, ...(gateway !== undefined && { gateway }) }]
  })
}

/** As a cloud has it where it is one's. */
export const blockOf = ({ spec, status }: Resource<'Subnet'>, family: 'ipv4' | 'ipv6'): SpecOf<'Subnet'>['ipv4'] =>
  status?.learned?.[family] ?? spec[family]
export const routesOf = ({ spec, status }: Resource<'Subnet'>): NonNullable<SpecOf<'Subnet'>['routes']> =>
  status?.learned?.routes ?? spec.routes ?? []

export const dnsOf = ({ spec, status }: Resource<'Subnet'>): NonNullable<SpecOf<'Subnet'>['dns']> => status?.learned?.dns ?? spec.dns ?? {}

/** As workers have told it of the Subnet and its Vpc. */
export const isFlooded = ({ status }: Resource<'Subnet'>): boolean => status?.broadcast === true

export interface SegmentParts {
  readonly vni: number
  /** Of the Ports here. */
  readonly subnets: readonly Resource<'Subnet'>[]
  readonly flood: boolean
  /** Of the other nodes that have an address in it, in order. */
  readonly hosts: readonly string[]
  /** Of the nodes that have an address in one that it is peered with. */
  readonly peerHosts?: readonly string[]
  readonly ports: readonly LocalPort[]
  /** As the node's BGPSpeaker says, and who it is peered with. */
  readonly router?: SegmentRouter | undefined
  /** Of l3 Subnets, those too that no Port here is in. */
  readonly l3?: readonly string[]
  /** Of the VNI's lock. */
  readonly routedBlocks?: readonly LockedBlock[] | undefined
}

/** Blocks of the l3 Subnets among these, each once and in order. */
export const l3Blocks = (subnets: readonly Resource<'Subnet'>[]): readonly string[] =>
  [...new Set(subnets.filter(({ spec }) => spec.mode === 'l3').flatMap((subnet) => blocksAnswered(subnet).map(({ cidr }) => cidr)))].sort()

export function segmentFrom({ vni, subnets, flood, hosts, peerHosts = [], ports, router, l3 = [], routedBlocks }: SegmentParts): Segment {
  const open = ports
    .filter(({ attachment, policy }) => attachment.kind === 'vni' && attachment.vni === vni && policy?.isClosed !== true)
    .sort((a, b) => a.number - b.number)
  const numbersOf = (all: readonly LocalPort[]): readonly number[] => all.map(({ number }) => number)
  const judged = numbersOf(open.filter(({ policy }) => policy !== undefined))
  const loose = flood ? numbersOf(open.filter(mayHaveMoreMacs)) : []
  return {
    vni,
    subnets: subnets.flatMap(blocksAnswered),
    flood,
    hosts,
    ...(peerHosts.length > 0 && { peerHosts: [...new Set(peerHosts)].sort() }),
    numbers: flood ? numbersOf(open) : [],
    ...(loose.length > 0 && { loose }),
    ...(judged.length > 0 && { judged }),
    ...(router !== undefined && { router }),
    ...(l3.length > 0 && { l3 }),
    ...blocksLedTo(routedBlocks, l3, ports),
  }
}

/** No tunnel leads to an l3 Port of another node: what is behind that is reached where a group announces it. */
function blocksLedTo(all: readonly LockedBlock[] = [], l3: readonly string[], ports: readonly LocalPort[]): Pick<Segment, 'routedBlocks'> {
  const routedBlocks = all.flatMap(({ cidr, via, port }) => {
    const address = parseIp(via)
    const isHere = ports.some(({ uid }) => uid === port.uid)
    return isHere || address === undefined || !l3.some((block) => isInBlock(block, address)) ? [{ cidr, via }] : []
  })
  return routedBlocks.length === 0 ? {} : { routedBlocks }
}

/** `namespace/name` of the Subnet that a Port is in. */
export function subnetKeyOfPort(port: Resource<'Port'>): string {
  const { namespace, name } = resolveReference(port.spec.subnet, port.metadata.namespace ?? '')
  return `${namespace}/${name}`
}
