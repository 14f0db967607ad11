// Which tables of each node the first packet of a connection meets, and what connection tracking says of it there: the nodes are not asked,
// but worked out from what is stored of both ends. Of whoever the caller does not see nothing is told that depends on their being there.
import type { Resource } from '../../kinds/index.ts'
import { ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import type { Waypoint } from '../../policy/trace/way.ts'
import { frameMac, macSeen, macsIn } from '../../policy/trace/peer-mac.ts'
import type { TraceEnd, VlanInterface } from '../../policy/trace/trace.ts'
import { isFrameType, type Carried } from '../../policy/verdict.ts'
import { planeName } from '../explain/plane-names.ts'
import { ephemeral } from '../../pipeline/trace/frame.ts'
import { carriedOn, hosts, isOn, numberOf, sides, type Side, type StoredNetwork } from './carried.ts'
import type { Frame } from '../../pipeline/model/frame.ts'
import { frameOf, plainFrame } from './packet.ts'
import { closedBecause } from './closed.ts'
import { chainedOn } from './chained.ts'
import { graphWalk } from './graph.ts'
import { kernelWalk } from './kernel.ts'
import { pipelineWalk } from './pipeline.ts'
import { inVlan, policyInVlans } from './vlan.ts'
import { nobodysMac, type Arrival, type ConnectionState, type Walked, type WalkedPart, type WalkedPlane } from './walked.ts'

/** By what agents call them. */
const planes: Readonly<Record<string, WalkedPlane>> = { ovs: pipelineWalk, bess: graphWalk, linux: kernelWalk }

export interface NodeWalk {
  /** In order; of what a node does not tell: `untold`. */
  readonly tables?: readonly string[]
  readonly conntrack?: readonly TrackedZone[]
  /** Why nobody knows its tables. */
  readonly untold?: string
}

/** What the zone of a Port says of the packet, or that of a pod's interface in the VLAN. */
export interface TrackedZone {
  readonly port: { readonly kind?: 'Pod'; readonly namespace?: string; readonly name: string }
  readonly says: ConnectionState
  /** From then on its connection is known: what follows is established, and ICMP errors about it are related. */
  readonly isKept: boolean
}

type WalkedWaypoint = Waypoint & NodeWalk

/**
 * The way with what its first packet meets on each node that it reaches. What policies let pass dies where a data plane does not do all
 * that they ask, and has closed a Port for it.
 */
export function withWalks(way: readonly Waypoint[], stored: StoredNetwork, transport: Carried): readonly WalkedWaypoint[] {
  const closed = way.map((waypoint) =>
    waypoint.at === 'Node' && waypoint.fate === 'passes' ? closedOn(waypoint.name!, stored) : undefined,
  )
  const last = closed.findIndex((why) => why !== undefined)
  return way.map((waypoint, i): WalkedWaypoint => {
    if (last >= 0 && i > last) return { ...waypoint, fate: 'unreached' }
    const is: Waypoint = i === last ? { ...waypoint, fate: 'dies', message: closed[last]! } : waypoint
    return is.at !== 'Node' || is.fate === 'unreached'
      ? is
      : { ...is, ...chainedOn(is, stored, transport), ...walkOn(is, stored, transport) }
  })
}

const planeOf = (dataplane = ''): WalkedPlane | undefined => (Object.hasOwn(planes, dataplane) ? planes[dataplane] : undefined)

const localOn = (node: string, { ends }: StoredNetwork): readonly Side[] => sides.filter((side) => isOn(ends[side], node))

function closedOn(node: string, stored: StoredNetwork): string | undefined {
  const local = localOn(node, stored)
  const dataplane = dataplaneOf(stored.ends[local[0]!])
  const plane = planeOf(dataplane)
  if (plane === undefined || planeUntold(local, stored, dataplane) !== undefined) return undefined
  return closedBecause(
    local.map((side) => stored.ends[side]),
    stored.sets,
    { renderer: plane.renderer, name: planeName(dataplane!) },
  )
}

function walkOn(
  { name: node = '', fate, message = '' }: Waypoint,
  stored: StoredNetwork,
  transport: Carried,
): NodeWalk & Pick<Waypoint, 'message'> {
  const local = localOn(node, stored)
  const dataplane = dataplaneOf(stored.ends[local[0]!])
  const plane = planeOf(dataplane)
  const untold = untoldBecause(node, local, stored, dataplane) ?? unknownMac(stored, transport) ?? planeUntold(local, stored, dataplane)
  if (plane === undefined || untold !== undefined) return { untold: untold ?? '' }
  const walked = plane.walk(carriedOn(node, stored, plane.renderer), arrivalOf(local, stored, transport))
  return { ...shownOf(walked, stored), ...(fate === 'dies' && isLetPass(walked, stored) && { message: `${message}; ${notDone}` }) }
}

const isLetPass = ({ comesOut }: Walked, { ends }: StoredNetwork): boolean =>
  comesOut && sides.every((side) => ends[side].port !== undefined)

function planeUntold(local: readonly Side[], stored: StoredNetwork, dataplane = ''): string | undefined {
  const plane = planeOf(dataplane)
  const ends = sides.map((side) => stored.ends[side])
  const isWalked = plane !== undefined && !ends.some(isPortInVlan) && (plane.isInVlans || interfaceOf(stored.ends) === undefined)
  return isWalked ? tooMany(local, stored, plane) : `what ${planeName(dataplane)} does is told by its node alone`
}

const isPortInVlan = ({ port }: TraceEnd): boolean => port?.status?.vlan !== undefined

/** Of what policies deny. */
const notDone = 'what carries it there does not do that, and lets it pass, as the policy says (onUnsupported: allow)'

/** What a trace may cost whoever answers it: a tenant's thousand rules are a second of work, and its node has them anyway. */
const rulesMost = 512

function tooMany(local: readonly Side[], { ends, sets }: StoredNetwork, { pairsMost }: WalkedPlane): string | undefined {
  const names = new Set(local.flatMap((side) => judging(ends[side])))
  const rules = sets.filter((set) => names.has(ruleSetName(set))).flatMap((set) => set.rules)
  if (rules.length > rulesMost) return `${rules.length} rules judge a Port on it, and of more than ${rulesMost} its node alone tells`
  const blocks = new Set(rules.flatMap(({ peers }) => peers?.blocks ?? [])).size
  return rules.length * blocks > pairsMost
    ? `${rules.length} rules with ${blocks} blocks judge a Port on it, and of more than ${pairsMost} pairs of these its node alone tells`
    : undefined
}

function untoldBecause(node: string, local: readonly Side[], { ends }: StoredNetwork, dataplane: string | undefined): string | undefined {
  const here = local.flatMap((side) => ends[side].port ?? [])
  if (dataplane === undefined) return `${node} has not told what carries its Ports`
  const at = interfaceOf(ends)
  if (at !== undefined && policyInVlans(at) === undefined)
    return 'no policy is in force in its VLAN: Open vSwitch itself says there who gets what'
  if (overIpv6(local, ends)) return 'what comes by a tunnel over IPv6 is told by its node alone'
  const ofPort = here.flatMap(({ status }) => untoldOfPort(status) ?? [])[0]
  if (ofPort !== undefined) return ofPort
  if (here.length === 2 && here[0]!.metadata.uid === here[1]!.metadata.uid) return 'what a pod sends to itself does not leave it'
  return undefined
}

function untoldOfPort({ vif, mac }: NonNullable<Resource<'Port'>['status']> = {}): string | undefined {
  if (vif !== undefined) return 'what becomes of its packets is decided on a bridge of its cloud'
  return mac === undefined ? 'a Port on it has no MAC yet' : undefined
}

/** Of a packet of IP no rule counts that is for frames that are none. */
function unknownMac({ ends, sets }: StoredNetwork, transport: Carried): string | undefined {
  const rules = sets.flatMap((set) => set.rules).filter(({ frame }) => isFrameType(transport) || frame?.etherType === undefined)
  if (macsIn(rules).size === 0 || !sides.some((side) => isUnknown(ends[side]))) return undefined
  return 'rules ask for MACs, and nobody here knows that of the other end'
}

const isUnknown = ({ port, interface: at, mac }: TraceEnd): boolean => port === undefined && at === undefined && mac === undefined
const dataplaneOf = ({ port, interface: at }: TraceEnd): string | undefined => port?.status?.node?.dataplane ?? at?.dataplane
const interfaceOf = ({ from, to }: StoredNetwork['ends']): VlanInterface | undefined => from.interface ?? to.interface
const judging = ({ port, interface: at }: TraceEnd): readonly string[] =>
  (at === undefined ? port?.status?.policy : policyInVlans(at))?.ruleSets ?? []

const overIpv6 = (local: readonly Side[], { from }: StoredNetwork['ends']): boolean =>
  !local.includes('from') && from.port?.status?.hostIP?.includes(':') === true

function arrivalOf(local: readonly Side[], { ends, vni }: StoredNetwork, transport: Carried): Arrival {
  const { from, to } = ends
  const isSent = local.includes('from')
  const coming = { frame: carriedFrame({ from, to }, transport, isSent), by: isSent ? numberOf.from : ('tunnel' as const) }
  const at = interfaceOf(ends)
  return { ...(at === undefined ? coming : inVlan(at, coming)), vni, host: from.port?.status?.hostIP ?? hosts.there }
}

function carriedFrame({ from, to }: StoredNetwork['ends'], transport: Carried, isSent: boolean): Frame {
  if (isFrameType(transport)) return plainFrame(transport.etherType, { src: frameMac(from) ?? nobodysMac, dst: frameMac(to) ?? nobodysMac })
  const [src, dst] = isSent ? [macOf(from), macSeen(to, from)] : [macSeen(from, to), macOf(to)]
  return frameOf(
    { from: addressOf(from, to), to: addressOf(to, from), transport, l4From: ephemeral },
    { src: src ?? nobodysMac, dst: dst ?? nobodysMac },
  )
}

/** Of an interface in a VLAN nobody knows it, and no rule asks for it. */
function addressOf({ address, interface: at }: TraceEnd, other: TraceEnd): string {
  if (at === undefined) return address
  return other.address.includes(':') ? '::' : '0.0.0.0'
}

const macOf = ({ port }: TraceEnd): string | undefined => port?.status?.mac

function shownOf({ steps, tracked }: Walked, { ends }: StoredNetwork): NodeWalk {
  const at = interfaceOf(ends)
  const hidden: readonly WalkedPart[] = [
    ...((at ?? ends.to.port) !== undefined ? [] : (['between', 'receiving'] as const)),
    ...((at ?? ends.from.port) !== undefined ? [] : (['sending', 'between'] as const)),
  ]
  const portOf = (number: number): TrackedZone['port'] => {
    const { namespace, name } = (at?.pod ?? ends[number === numberOf.from ? 'from' : 'to'].port!).metadata
    return { ...(at && { kind: 'Pod' }), ...(namespace !== undefined && { namespace }), name }
  }
  return {
    tables: steps.filter(({ part }) => !hidden.includes(part)).map(({ place }) => place),
    conntrack: tracked.map(({ number, ...said }) => ({ port: portOf(number), ...said })),
  }
}
