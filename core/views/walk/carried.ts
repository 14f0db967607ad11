// What the node of a connection's end carries of it, by what is stored: its own Ports among the two, the other as an address elsewhere, the
// rules that judge its own, and the VNI or the VLANs. What only the node knows, as the numbers of its ports, is made up: no table depends
// on it.
import type { Renderer } from '../../contracts/dataplane.ts'
import type { Resource } from '../../kinds/index.ts'
import type { Endpoint, LocalPort, PortPolicy, RuleSet } from '../../node/wanted.ts'
import { endpointPiece } from '../../pieces/endpoint.ts'
import { pieceSet, type NodePieces } from '../../pieces/piece-set.ts'
import { isVlanSegment } from '../../net/segment.ts'
import { ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import { ruleSetPiece } from '../../pieces/policy/rule-set.ts'
import { portPiece } from '../../pieces/port.ts'
import { segmentPiece } from '../../pieces/segment.ts'
import { localPortOf, isFlooded, segmentFrom, subnetKeyOfPort } from '../../plan/node/pieces.ts'
import { policyHere, policyNamed, type NamedPolicy } from '../../plan/node/policy.ts'
import { world } from '../../kinds/policy/tiers.ts'
import { nodeOf, type TraceEnd } from '../../policy/trace/trace.ts'
import { portInVlans } from './vlan.ts'
import { nobodysMac } from './walked.ts'

export const sides = ['from', 'to'] as const
export type Side = (typeof sides)[number]
/** Of its ends' ports, as both may be on one node. */
export const numberOf = { from: 1, to: 2 } as const satisfies Readonly<Record<Side, number>>

export interface StoredNetwork {
  readonly vni: number
  readonly ends: Readonly<Record<Side, TraceEnd>>
  readonly sets: readonly RuleSet[]
  /** By `namespace/name`: those of both Ports. */
  readonly subnets: ReadonlyMap<string, Resource<'Subnet'>>
}

/** Tunnel addresses of nodes that have not told theirs; RFC 5737. */
export const hosts = { here: '192.0.2.1', there: '192.0.2.2' } as const

/** @param node of at least one end */
export function carriedOn(node: string, stored: StoredNetwork, renderer: Pick<Renderer, 'unsupported'>): NodePieces {
  const { vni, ends, sets, subnets } = stored
  const local = sides.filter((side) => isOn(ends[side], node))
  const ruleSets = new Map(sets.map((set) => [ruleSetName(set), set]))
  const ports = local.flatMap((side) => localPort(ends[side], numberOf[side], { ruleSets, renderer }) ?? [])
  const judging = new Set(ports.flatMap(({ policy }) => policy?.ruleSets ?? []))
  const rules = [...judging].flatMap((name) => ruleSets.get(name) ?? []).map((set) => setFor(set, { ends, renderer }))
  if (isVlanSegment(vni))
    return pieceSet([
      [portPiece, ports],
      [ruleSetPiece, rules],
    ])
  const near = local.flatMap((side) => (ends[side].port === undefined ? [] : (subnets.get(subnetKeyOfPort(ends[side].port)) ?? [])))
  const elsewhere = sides.filter((side) => !local.includes(side)).flatMap((side) => endpointOf(ends[side], vni))
  return pieceSet([
    [portPiece, ports],
    [segmentPiece, [segmentFrom({ vni, subnets: [...new Set(near)], flood: near.some(isFlooded), hosts: [hostOf(ends, local)], ports })]],
    [endpointPiece, elsewhere],
    [ruleSetPiece, rules],
  ])
}

export const isOn = (end: TraceEnd, node: string): boolean => nodeOf(end) === node

/**
 * A set as far as it is about these two: whom else it speaks of is one and the same stranger, as all of them cost work and change nothing.
 * That there is one may change something, for whoever may be anybody. A set of which a part is not done there is whole, so that the same
 * part is left out.
 */
function setFor(set: RuleSet, { ends, renderer }: Pick<StoredNetwork, 'ends'> & Pick<RulesThere, 'renderer'>): RuleSet {
  if (renderer.unsupported(ruleSetPiece, set).length > 0) return set
  const here = new Set(sides.map((side) => ends[side].identity))
  const stranger = [1, 2, 3].find((number) => !here.has(number))!
  const rules = set.rules.map(({ peers, ...rule }) => ({
    ...rule,
    ...(peers && { peers: { ...peers, identities: [...new Set(peers.identities.map((each) => (here.has(each) ? each : stranger)))] } }),
  }))
  return { ...set, rules }
}

const hostOf = (ends: StoredNetwork['ends'], local: readonly Side[]): string =>
  sides.filter((side) => !local.includes(side)).map((side) => ends[side].port?.status?.hostIP)[0] ?? hosts.there

interface RulesThere {
  readonly ruleSets: ReadonlyMap<string, RuleSet>
  readonly renderer: Pick<Renderer, 'unsupported'>
}

function localPort({ port, interface: at }: TraceEnd, number: number, there: RulesThere): LocalPort | undefined {
  if (at !== undefined) return portInVlans(at, number, (named) => policyThere(named, there))
  if (port === undefined) return undefined
  const named = policyNamed(port)
  const policy = named && policyThere(named, there, port.status?.vlan === undefined ? port.status?.mac : undefined)
  return localPortOf(port, { number, mtu: 1450, policy })
}

const policyThere = (named: NamedPolicy, { ruleSets, renderer }: RulesThere, mac?: string): PortPolicy =>
  policyHere(named, { ruleSet: (name) => ruleSets.get(name), unsupported: (set) => renderer.unsupported(ruleSetPiece, set) }, mac)

/** Who is nobody of the VNI is none. */
function endpointOf({ address, identity, port }: TraceEnd, vni: number): readonly Endpoint[] {
  if (port === undefined) return identity === world ? [] : [{ vni, address, mac: nobodysMac, hostIP: hosts.there, identity }]
  const { mac = nobodysMac, hostIP = hosts.there, policy } = port.status ?? {}
  return [{ vni, address, mac, hostIP, ...(policy !== undefined && { identity: policy.identity }) }]
}
