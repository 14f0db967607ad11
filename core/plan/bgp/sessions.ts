// With whom one node of a group speaks: its mesh and its external peers, resolved.
import type { Resource, SpecOf } from '../../kinds/index.ts'
import { parseV4, printV4 } from '../../net/ip.ts'
import { hash80 } from '../../net/names.ts'
import { addressesOf, selects, type Addresses, type SessionGroup } from './net.ts'

export type Session = SpecOf<'BGPSpeaker'>['groups'][number]['sessions'][number]
type Peer = NonNullable<SpecOf<'BGPSessionGroup'>['peers']>[number]
type Mesh = NonNullable<SpecOf<'BGPSessionGroup'>['mesh']>

export interface Sessions {
  readonly sessions: readonly Session[]
  /** What is asked for and cannot be, for people. */
  readonly problems: readonly string[]
}

/** RFC 4271 section 10 suggests 90 and a third of it; ConnectRetryTime of 120 would leave a node without routes after a restart. */
function timersOf({ holdSeconds = 90, keepaliveSeconds, connectRetrySeconds = 5 }: NonNullable<Peer['timers']> = {}) {
  return { holdSeconds, keepaliveSeconds: keepaliveSeconds ?? Math.max(1, Math.floor(holdSeconds / 3)), connectRetrySeconds }
}

/** An IPv4 address of the node's, else one that nobody has, of its name (RFC 6286: unique, and not zero). */
export const routerIDOf = (node: string, { ipv4 }: Addresses): string =>
  ipv4 !== undefined && parseV4(ipv4) !== undefined
    ? ipv4
    : printV4(1 + (Number.parseInt(hash80('router ID', node).slice(0, 6), 32) % 0xdfffffff))

/** Over an IPv6 session IPv4 goes with IPv6 next hops (RFC 8950); IPv6 over IPv4 alone would have no next hop. */
function familiesOf({ spec: { addressFamilies } }: SessionGroup, { ipv6 }: Addresses): Session['addressFamilies'] {
  const wanted = addressFamilies ?? ['ipv4-unicast', 'ipv6-unicast']
  return (['ipv4', 'ipv6'] as const).filter((family) => wanted.includes(`${family}-unicast`) && (family === 'ipv4' || ipv6 !== undefined))
}

/** @param nodes all of the group, this one among them */
export function sessionsOf(group: SessionGroup, node: Resource<'Node'>, nodes: readonly Resource<'Node'>[]): Sessions {
  const { peers = [], mesh = { mode: 'full' as const } } = group.spec
  const mine = peers.filter((peer) => selects(peer.nodes, node))
  const each = mine.map((peer, i) => externalOf(peer, { group, node, before: mine.slice(0, i) }))
  const inside = nodes
    .filter((other) => other.metadata.name !== node.metadata.name)
    .flatMap((other) => meshSession(mesh, { group, node, other }))
  return {
    sessions: [...each.flatMap((one) => (typeof one === 'string' ? [] : [one])), ...inside],
    problems: each.flatMap((one) => (typeof one === 'string' ? [one] : [])),
  }
}

interface AtPeer {
  readonly group: SessionGroup
  readonly node: Resource<'Node'>
  readonly before: readonly Peer[]
}

/** @returns why there is no session, where there cannot be one */
function externalOf(peer: Peer, { group, node, before }: AtPeer): Session | string {
  const { nodes, authentication, timers, l4Port, import: accepted = [], export: sent = [], ...fields } = peer
  const own = addressesOf(node)
  const family = peer.address.includes(':') ? 'ipv6' : 'ipv4'
  if (own[family] === undefined)
    return `peer ${peer.name} is at ${peer.address}, and the node has no ${family === 'ipv6' ? 'IPv6' : 'IPv4'} address`
  const twin = before.find((other) => other.address === peer.address && (other.l4Port ?? 179) === (l4Port ?? 179))
  if (twin !== undefined) return `peers ${twin.name} and ${peer.name} are at one address: select other nodes for one of them`
  return {
    ...fields,
    ...(l4Port !== undefined && { l4Port }),
    ...timersOf(timers),
    import: accepted,
    export: sent,
    external: peer.as !== group.spec.as,
    addressFamilies: familiesOf(group, own),
  }
}

const ofNode = 'node-'

interface InMesh {
  readonly group: SessionGroup
  readonly node: Resource<'Node'>
  readonly other: Resource<'Node'>
}

function meshSession(mesh: Mesh, { group, node, other }: InMesh): readonly Session[] {
  const [own, theirs] = [addressesOf(node), addressesOf(other)]
  const family = (['ipv4', 'ipv6'] as const).find((each) => own[each] !== undefined && theirs[each] !== undefined)
  if (family === undefined || !areJoined(mesh, node, other)) return []
  const { passwordSecret, bfd, timers } = mesh
  return [
    {
      name: `${ofNode}${other.metadata.name}`,
      address: theirs[family]!,
      as: group.spec.as,
      ...clientOf(mesh, node, other),
      ...(passwordSecret !== undefined && { passwordSecret }),
      ...(bfd !== undefined && { bfd }),
      ...timersOf(timers),
      import: [],
      export: [],
      external: false,
      addressFamilies: familiesOf(group, family === 'ipv6' || theirs.ipv6 !== undefined ? own : {}),
    },
  ]
}

/** Undefined where it is with somebody else; a peer that is called so is asked after in vain. */
export const nodeOfSession = (name: string): string | undefined => (name.startsWith(ofNode) ? name.slice(ofNode.length) : undefined)

const areJoined = (mesh: Mesh, node: Resource<'Node'>, other: Resource<'Node'>): boolean =>
  mesh.mode === 'full' || (mesh.mode === 'reflectors' && (isReflector(mesh, node) || isReflector(mesh, other)))

function clientOf(mesh: Mesh, node: Resource<'Node'>, other: Resource<'Node'>): Pick<Session, 'rrClient' | 'clusterID'> {
  if (!isReflector(mesh, node) || isReflector(mesh, other)) return {}
  const { clusterID } = mesh.reflectors ?? {}
  return { rrClient: true, ...(clusterID !== undefined && { clusterID }) }
}

const isReflector = ({ mode, reflectors }: Mesh, node: Resource<'Node'>): boolean =>
  mode === 'reflectors' && reflectors !== undefined && selects(reflectors.nodes, node)
