// Random nodes: pieces with all that can be said of them, and ways from one node to the next.
import { mayHaveMoreMacs } from '../../core/node/broadcast.ts'
import type { AddressPair, SegmentAttachment, Endpoint, LocalPort, PortPolicy, RuleSet, Segment } from '../../core/node/wanted.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { pieceSet, type NodePieces } from '../../core/pieces/piece-set.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { kosMac } from '../../core/net/mac.ts'
import { hostInterfaceName } from '../../core/net/names.ts'
import { drawRuleSets, drawTraffic, identities } from './rule-sets.ts'

/** Of the kinds that nodes have: Ports by UID, Segments by VNI. */
export interface NodeWanted {
  readonly ports: ReadonlyMap<string, LocalPort>
  readonly endpoints: ReadonlyMap<string, Endpoint>
  readonly segments: ReadonlyMap<number, Segment>
  /** Of VNIs with policies. */
  readonly ruleSets?: readonly RuleSet[]
}

/** As a renderer walks through it. */
export function piecesOf({ ports, endpoints, segments, ruleSets = [] }: NodeWanted): NodePieces {
  return pieceSet([
    [portPiece, ports.values()],
    [segmentPiece, segments.values()],
    [endpointPiece, endpoints.values()],
    [ruleSetPiece, ruleSets],
  ])
}

/** What a data plane can take; what it cannot is not drawn. */
export interface Drawing {
  readonly vnis: readonly number[]
  /** Physical networks; none: no VLAN ports. */
  readonly physicalNetworks: readonly string[]
  readonly types: readonly LocalPort['type'][]
  readonly portsMax: number
  readonly endpointsMax: number
}

export const usualDrawing: Drawing = {
  vnis: [4096, 5000, 70_000],
  physicalNetworks: ['physnet1'],
  types: ['kernel'],
  portsMax: 6,
  endpointsMax: 12,
}

/** Numbers in [0, 1). */
type Random = () => number
const below = (random: Random, n: number): number => Math.floor(random() * n)
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!
const chance = (random: Random, p: number): boolean => random() < p

const macOf = (vni: number, address: string): string => kosMac(vni, address) ?? '02:00:00:00:00:01'
const v6Of = (n: number): string => `2001:db8::${n.toString(16)}`

/** Numbers of the address in its block: below 100 on this node, above on others, so that no address is in two places. */
function drawPort(n: number, random: Random, drawing: Drawing): LocalPort {
  const uid = `uid-${n}`
  const attachment = drawAttachment(random, drawing)
  const vni = attachment.kind === 'vni' ? attachment.vni : 1
  const v4 = `10.0.0.${n}`
  const pairs: AddressPair[] = chance(random, 0.3) ? [{ ip: '10.0.9.0/24' }, { ip: v6Of(0x900 + n), mac: '02:aa:00:00:00:09' }] : []
  return {
    uid,
    of: { kind: 'Port', namespace: 'a', name: `port-${n}` },
    number: n,
    ifcName: hostInterfaceName(uid),
    attachment,
    mac: macOf(vni, v4),
    addresses: oneOf(random, [[v4], [v4, v6Of(n)], [v6Of(n)]]),
    allowedAddressPairs: pairs,
    portSecurity: !chance(random, 0.2),
    type: oneOf(random, drawing.types),
    mtu: oneOf(random, [1400, 1450]),
    ...(chance(random, 0.5) && { policy: drawPolicy(random), ...(attachment.kind === 'vlan' && numbersIn(attachment.vlans, n)) }),
  }
}

/** Those of a Port in VLANs that policies judge. */
const numbersIn = (vlans: readonly number[], n: number): Pick<LocalPort, 'wayNumber' | 'zones'> => ({
  wayNumber: 1_000 + n,
  ...(vlans.length > 1 && { zones: vlans.map((vlan, i) => ({ vlan, number: 2_000 + 10 * n + i })) }),
})

function drawPolicy(random: Random): PortPolicy {
  const traffic = chance(random, 0.5) ? drawTraffic(random) : undefined
  return { identity: oneOf(random, identities), ruleSets: [], isClosed: chance(random, 0.2), ...(traffic !== undefined && { traffic }) }
}

function drawAttachment(random: Random, { vnis, physicalNetworks }: Drawing): SegmentAttachment {
  if (physicalNetworks.length === 0 || chance(random, 0.75)) return { kind: 'vni', vni: oneOf(random, vnis) }
  const mode = oneOf(random, ['access', 'trunk', 'selectivetrunk'] as const)
  return {
    kind: 'vlan',
    physicalNetwork: oneOf(random, physicalNetworks),
    mode,
    vlans: mode === 'access' ? [100 + below(random, 50)] : [200, 201 + below(random, 50)],
  }
}

/** Both addresses of a dual-stack endpoint have one MAC and one host. */
function drawEndpoints(n: number, random: Random, vnis: readonly number[]): readonly Endpoint[] {
  const vni = oneOf(random, vnis)
  const mac = macOf(vni, `10.0.0.${n}`)
  const hostIP = `192.0.2.${1 + below(random, 5)}`
  return oneOf(random, [[`10.0.0.${n}`], [`10.0.0.${n}`, v6Of(n)], [v6Of(n)]]).map((address) => ({
    vni,
    address,
    mac,
    hostIP,
    ...(chance(random, 0.5) && { identity: oneOf(random, identities) }),
  }))
}

function drawSegment(vni: number, random: Random, ports: readonly LocalPort[]): Segment {
  const flood = vni % 2 === 0 && chance(random, 0.5)
  const subnets = [
    { cidr: '10.0.0.0/24', ...(chance(random, 0.8) && { gateway: '10.0.0.254' }) },
    ...(chance(random, 0.5) ? [{ cidr: '2001:db8::/64', gateway: '2001:db8::fffe' }] : []),
  ]
  const numbers = ports.filter(({ attachment }) => attachment.kind === 'vni' && attachment.vni === vni).map(({ number }) => number)
  const isJudged = ({ attachment, policy }: LocalPort): boolean =>
    attachment.kind === 'vni' && attachment.vni === vni && policy !== undefined && !policy.isClosed
  const judged = ports.filter(isJudged).map(({ number }) => number)
  const isLoose = (port: LocalPort): boolean => numbers.includes(port.number) && mayHaveMoreMacs(port)
  const loose = flood ? ports.filter(isLoose).map(({ number }) => number) : []
  const hosts = ['192.0.2.1', '192.0.2.2'].slice(0, 1 + below(random, 2))
  return {
    vni,
    subnets,
    flood,
    hosts,
    numbers: flood ? numbers : [],
    ...(loose.length > 0 && { loose }),
    ...(judged.length > 0 && { judged }),
  }
}

function assembled(ports: readonly LocalPort[], endpoints: readonly Endpoint[], random: Random): NodeWanted {
  const vnis = [...new Set(ports.flatMap(({ attachment }) => (attachment.kind === 'vni' ? [attachment.vni] : [])))].sort((a, b) => a - b)
  return {
    ports: new Map(ports.map((port) => [port.uid, port])),
    // Of VNIs without a port here nothing is known.
    endpoints: new Map(endpoints.filter(({ vni }) => vnis.includes(vni)).map((each) => [`${each.vni}-${each.address}`, each])),
    segments: new Map(vnis.map((vni) => [vni, drawSegment(vni, random, ports)])),
    ruleSets: vnis.flatMap((vni) => drawRuleSets(random, vni, 2)),
  }
}

export const emptyNode: NodeWanted = { ports: new Map(), endpoints: new Map(), segments: new Map() }

/** Any node. */
export function drawNode(random: Random, drawing: Drawing): NodeWanted {
  const ports = Array.from({ length: 1 + below(random, drawing.portsMax) }, (_, i) => drawPort(i + 1, random, drawing))
  const endpoints = Array.from({ length: below(random, drawing.endpointsMax + 1) }, (_, i) =>
    drawEndpoints(100 + i, random, drawing.vnis),
  ).flat()
  return assembled(ports, endpoints, random)
}

/** The node after one small change: a port or an endpoint comes, goes, or is another. */
export function drawNext(node: NodeWanted, random: Random, drawing: Drawing): NodeWanted {
  const ports = new Map([...node.ports.values()].map((port) => [port.number, port]))
  const remote = new Map<string, Endpoint[]>()
  for (const each of node.endpoints.values()) remote.set(each.mac, [...(remote.get(each.mac) ?? []), each])
  if (chance(random, 0.5)) {
    const number = 1 + below(random, drawing.portsMax)
    if (!ports.delete(number) || chance(random, 0.5)) ports.set(number, drawPort(number, random, drawing))
  } else {
    const drawn = drawEndpoints(100 + below(random, drawing.endpointsMax), random, drawing.vnis)
    const { mac } = drawn[0]!
    if (!remote.delete(mac) || chance(random, 0.5)) remote.set(mac, [...drawn])
  }
  return assembled([...ports.values()], [...remote.values()].flat(), random)
}
