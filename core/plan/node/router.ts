// What a node's BGPSpeaker, VpcPeerings and Vpcs say of VNIs, as what the kernel of the node routes of each.
import type { SpecOf } from '../../kinds/index.ts'
import { everywhere } from '../../net/cidr.ts'
import { stableNumbers } from '../../net/stable-numbers.ts'
import type { RoutedBlock, RoutedEgress, RoutedPeer, RoutedWay, SegmentRouter, Transit } from '../../node/wanted.ts'

export interface RouterSources {
  /** Absent: the node speaks with nobody. */
  readonly speaker?: Pick<SpecOf<'BGPSpeaker'>, 'groups' | 'serviceAddresses'> | undefined
  /** In place of the groups' own: a daemon of somebody else's has one. */
  readonly table?: number | undefined
  /** By VNI, of those that have a Port here. */
  readonly peers?: ReadonlyMap<number, readonly RoutedPeer[]>
  /** VNIs of Ports here with blocks behind Ports, wherever these are. */
  readonly routed?: Iterable<number>
  /** The same. */
  readonly egress?: ReadonlyMap<number, RoutedEgress>
}

/**
 * How long a route may be that a filter lets in (`ge`, `le`) is for the daemon to see to: which packets go by routes of a group at all is
 * said by where they go.
 *
 * @returns by VNI, also of peers that have no Port here; none of those that nobody says anything of, nor of more than there are numbers for
 */
export function routersOf(sources: RouterSources): ReadonlyMap<number, SegmentRouter> {
  const routed = partsOf(sources)
  const { serviceAddresses } = sources.speaker ?? {}
  const going = serviceAddresses && { serviceAddresses }
  const given = stableNumbers([...routed.keys()].map(String), numbers.count)
  return new Map(
    [...routed].flatMap(([vni, { blocks, elsewhere, ways, peers }]) => {
      const letOut = sources.egress?.get(vni)
      const number = given.get(String(vni))
      if (number === undefined) return []
      const more = { ...(elsewhere.length > 0 && { elsewhere }), ...(peers.length > 0 && { peers }), ...(letOut && { egress: letOut }) }
      return [[vni, { number: numbers.first + number, blocks, ways, ...more, ...going }] as const]
    }),
  )
}

interface RouterParts {
  readonly blocks: RoutedBlock[]
  readonly elsewhere: Transit[]
  readonly ways: RoutedWay[]
  readonly peers: RoutedPeer[]
}

function partsOf(sources: RouterSources): ReadonlyMap<number, RouterParts> {
  const { speaker, table } = sources
  const routed = new Map<number, RouterParts>()
  const groups = speaker?.groups ?? []
  const of = (vni: number): RouterParts => {
    const there = routed.get(vni) ?? { blocks: [], elsewhere: [], ways: [], peers: [] }
    routed.set(vni, there)
    return there
  }
  for (const group of groups) addGroup(of, group, table ?? group.table)
  addVpcs(of, sources)
  addElsewhere(routed, groups, table)
  return routed
}

function addVpcs(of: (vni: number) => RouterParts, sources: RouterSources): void {
  const { peers = new Map<number, readonly RoutedPeer[]>(), egress = new Map<number, RoutedEgress>(), routed = [] } = sources
  for (const [vni, all] of peers) {
    of(vni).peers.push(...all.map((peer) => withAnnounced(peer, sources)))
    for (const peer of all) of(peer.vni)
  }
  for (const vni of egress.keys()) of(vni)
  for (const vni of routed) of(vni)
}

/** Blocks of a peer that are routes of single addresses, whichever node has those. */
function withAnnounced(peer: RoutedPeer, { speaker, table }: RouterSources): RoutedPeer {
  const announced = (speaker?.groups ?? []).flatMap(({ table: own, advertise, elsewhere = [] }) =>
    [...advertise, ...elsewhere]
      .filter(({ cidr, vni, hostRoutes }) => hostRoutes && vni === peer.vni && peer.blocks.includes(cidr))
      .map(({ cidr }) => ({ cidr, table: table ?? own })),
  )
  return announced.length === 0 ? peer : { ...peer, announced }
}

function addGroup(of: (vni: number) => RouterParts, { advertise, imports }: Groups[number], into: number): void {
  for (const { cidr, vni, hostRoutes } of advertise) of(vni).blocks.push({ cidr, hostRoutes, table: into })
  for (const { vni, allow } of imports) of(vni).ways.push(...waysOf(allow, into))
}

/** To those that have a router anyway. */
function addElsewhere(routed: ReadonlyMap<number, RouterParts>, groups: Groups, table: number | undefined): void {
  for (const { table: own, elsewhere = [] } of groups)
    for (const { cidr, vni } of elsewhere) routed.get(vni)?.elsewhere.push({ cidr, table: table ?? own })
}
type Groups = readonly SpecOf<'BGPSpeaker'>['groups'][number][]

/** What other nodes of its groups announce: a neighbour may send it here, as this node has told it of the way. */
export const transitsOf = ({ speaker, table }: Pick<RouterSources, 'speaker' | 'table'>): readonly Transit[] =>
  (speaker?.groups ?? []).flatMap(({ table: own, elsewhere = [] }) => elsewhere.map(({ cidr }) => ({ cidr, table: table ?? own })))

/** Numbers of Ports end at 60,000, and tunnel and uplinks have 65,000 and more. */
const numbers = { first: 60_001, count: 4_999 } as const

/** A Vpc that names nothing lets in whatever its group has. */
const waysOf = (allow: readonly { readonly prefix: string }[], table: number): readonly RoutedWay[] =>
  [...new Set(allow.length === 0 ? everywhere : allow.map(({ prefix }) => prefix))].map((to) => ({ to, table }))
