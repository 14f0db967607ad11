// What the matrix is about, from the address: a Vpc, and a first packet.
import type { paths } from '../../../openapi/types.ts'
import type { Item } from '../../contract/kinds.ts'
import type { PagePlace } from '../../frame/place.ts'

type Ask = paths['/v1/policy/matrix']['get']
type Query = NonNullable<Ask['parameters']['query']>
/** The number by which policies know where something is: its VNI, or that of its VLAN. */
export const segmentOf = (item: Pick<Item<'Vpc'>, 'status'> | Pick<Item<'Port'>, 'status'> | undefined): number | undefined =>
  item?.status?.vni ?? item?.status?.segment

export type MatrixAnswer = Ask['responses'][200]['content']['application/json']
export type Group = MatrixAnswer['groups'][number]
export type Cell = MatrixAnswer['cells'][number][number]
export type Protocol = NonNullable<Query['protocol']>

export const protocols = ['tcp', 'udp', 'sctp', 'icmp', 'icmpv6'] as const satisfies readonly Protocol[]
const protocolUsual: Protocol = 'tcp'
const portUsual = 80

export const hasPorts = (protocol: Protocol): boolean => !protocol.startsWith('icmp')
export const protocolIn = (place: PagePlace): Protocol => protocols.find((each) => each === place['protocol']) ?? protocolUsual

export function portIn(place: PagePlace): number {
  const port = Number(place['port'] ?? portUsual)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : portUsual
}

/** @param vpc as namespace/name */
export function questionIn(place: PagePlace, vpc: string): Query {
  const protocol = protocolIn(place)
  const family = protocol === 'icmpv6' || place['family'] === '6' ? 6 : 4
  return { vpc, protocol, family, ...(hasPorts(protocol) && { port: portIn(place) }) }
}

export const nameOf = ({ namespace, ports }: Group): string => `${namespace}/${ports[0] ?? ''}`
