// Who agrees with whom: a VpcPeering on each side, and Vpcs that can be joined.
import { inNamespaceOf, type Resource } from '../../kinds/index.ts'
import type { LockedBlock } from '../builtin/routed-blocks.ts'

export type Peering = Resource<'VpcPeering'>

/** All by `namespace/name`. */
export interface PeeringNet {
  /** Those that a Vpc has, those that are going too. */
  readonly peeringsOf: (vpc: string) => Iterable<Peering>
  readonly vpc: (key: string) => Resource<'Vpc'> | undefined
  readonly subnetsOf: (vpc: string) => Iterable<Resource<'Subnet'>>
  /** What Ports of a Vpc have behind them. */
  readonly routedBlocksOf: (vpc: string) => readonly LockedBlock[]
  /** Whether a group may say a block of a Subnet, and none is about to be taken back. */
  readonly isAnnounced: (subnet: Resource<'Subnet'>, cidr: string) => boolean
}

/** Two that name each other, from one of both sides. */
export interface Pair {
  readonly own: Peering
  readonly other: Peering
  /** Milliseconds since 1970: from when on both have been there. */
  readonly since: number
}

export const vpcKeyOf = (peering: Peering): string => inNamespaceOf(peering, peering.spec.vpc)
export const createdAt = ({ metadata }: Resource): number => Date.parse(metadata.creationTimestamp)

const isOlder = (a: Peering, b: Peering): boolean =>
  createdAt(a) < createdAt(b) || (createdAt(a) === createdAt(b) && a.metadata.name < b.metadata.name)

/** The one that counts of those by which a Vpc names another: the oldest that is there to stay. */
export function sideOf(vpc: string, peer: string, net: PeeringNet): Peering | undefined {
  let first: Peering | undefined
  for (const each of net.peeringsOf(vpc))
    if (each.spec.peer === peer && each.metadata.deletionTimestamp === undefined && (first === undefined || isOlder(each, first)))
      first = each
  return first
}

export const isSame = (a: Peering, b: Peering | undefined): boolean => a.metadata.uid === b?.metadata.uid

/** Why a Vpc is joined with none; undefined: it may be. */
export interface NotJoined {
  /** Undefined: it may come to be one that can. */
  readonly refused?: true
  readonly reason: string
  readonly message: string
}
export function whyNotJoined(key: string, net: PeeringNet): NotJoined | undefined {
  const vpc = net.vpc(key)
  if (vpc === undefined) return { reason: 'VpcNotFound', message: `Vpc ${key} not found` }
  if (vpc.metadata.deletionTimestamp !== undefined) return { reason: 'VpcGoing', message: `Vpc ${key} is being deleted` }
  if (vpc.spec.vlan !== undefined || vpc.spec.cloud !== undefined)
    return {
      refused: true,
      reason: 'Unsupported',
      message: `Vpc ${key} is ${vpc.spec.vlan === undefined ? 'of a cloud' : 'a VLAN'}: only Vpcs with a VNI are peered; let its router join them`,
    }
  return vpc.status?.vni === undefined ? { reason: 'VpcNotReady', message: `Vpc ${key} has no VNI yet` } : undefined
}

/** Those of a Vpc that are in force. */
export function pairsOf(vpc: string, net: PeeringNet): readonly Pair[] {
  if (whyNotJoined(vpc, net) !== undefined) return []
  return [...net.peeringsOf(vpc)].flatMap((own) => {
    if (!isSame(own, sideOf(vpc, own.spec.peer, net)) || own.spec.peer === vpc) return []
    const other = sideOf(own.spec.peer, vpc, net)
    if (other === undefined || whyNotJoined(own.spec.peer, net) !== undefined) return []
    return [{ own, other, since: Math.max(createdAt(own), createdAt(other)) }]
  })
}
