// What a group is to advertise: its Subnets, as far as their Vpcs agree, each prefix under a lock of its own.
import { inNamespaceOf, keyOfItem, type Resource, type SpecOf } from '../../kinds/index.ts'
import { allowingOf } from '../../kinds/vpc/routed-blocks.ts'
import { overlaps, parseCidr } from '../../net/cidr.ts'
import { bucketOf, bucketText } from '../../net/prefix-bucket.ts'
import { hasFamily, whyNotVpc, type BGPNet, type SessionGroup } from './net.ts'

export type LockedPrefix = SpecOf<'PrefixLock'>['prefixes'][number]
export interface WantedPrefix {
  readonly cidr: string
  readonly bucket: string
  readonly subnet: Resource<'Subnet'>
  /** It is no block of the Subnet's, but of what Ports of it may have behind them. */
  readonly isBehind?: true
}
export interface Refused {
  /** `Subnet a/blue`. */
  readonly what: string
  readonly message: string
}
export interface WantedPrefixes {
  readonly prefixes: readonly WantedPrefix[]
  readonly refused: readonly Refused[]
}

export const advertisedKeys = ({ spec }: SessionGroup): readonly string[] => (spec.advertise?.subnets ?? []).map(keyIn)

const cidrsOf = ({ spec }: Resource<'Subnet'>): readonly string[] => [spec.ipv4, spec.ipv6].flatMap((block) => block?.cidr ?? [])
/** Of those of a Subnet that some groups are to advertise. */
const blocksBehind = (key: string, groups: readonly SessionGroup[]): readonly string[] =>
  groups.flatMap(({ spec }) => (spec.advertise?.subnets ?? []).flatMap((each) => (keyIn(each) === key ? (each.routedBlocks ?? []) : [])))
const keyIn = ({ namespace, name }: { readonly namespace: string; readonly name: string }): string => `${namespace}/${name}`

/** In which locks the prefixes of a Subnet stand, whoever wants them. */
export const bucketsOf = (subnet: Resource<'Subnet'>, groups: readonly SessionGroup[]): readonly string[] =>
  [...cidrsOf(subnet), ...blocksBehind(keyOfItem(subnet), groups)].flatMap((cidr) => bucketOf(cidr) ?? [])

/** Of a group that goes nothing is wanted any more. */
export function wantedOf(group: SessionGroup, net: BGPNet): WantedPrefixes {
  if (group.metadata.deletionTimestamp !== undefined) return { prefixes: [], refused: [] }
  const each = advertisedKeys(group).map((key) => wantedIn(key, group, net))
  return { prefixes: each.flatMap(({ prefixes }) => prefixes), refused: each.flatMap(({ refused }) => refused) }
}

function wantedIn(key: string, group: SessionGroup, net: BGPNet): WantedPrefixes {
  const refuse = (message: string): WantedPrefixes => ({ prefixes: [], refused: [{ what: `Subnet ${key}`, message }] })
  const subnet = net.subnet(key)
  if (subnet === undefined) return refuse('not found')
  const why = whyNotSubnet(subnet, group, net)
  if (why !== undefined) return refuse(why)
  const behind = blocksBehind(key, [group])
  const allowed = behind.filter((cidr) => allowingOf(cidr, subnet).length > 0)
  const all = [...cidrsOf(subnet).map((cidr) => ({ cidr })), ...allowed.map((cidr) => ({ cidr, isBehind: true as const }))].filter(
    ({ cidr }) => hasFamily(group, cidr),
  )
  return {
    prefixes: all.flatMap((each) => {
      const bucket = bucketOf(each.cidr)
      return bucket === undefined ? [] : [{ ...each, bucket, subnet }]
    }),
    refused: [
      ...behind
        .filter((cidr) => !allowed.includes(cidr))
        .map((cidr) => ({ what: `Subnet ${key}`, message: `${cidr} is not in its spec.allowedRoutedBlocks: its owner says so there` })),
      ...all
        .filter(({ cidr }) => bucketOf(cidr) === undefined)
        .map(({ cidr }) => ({ what: `Subnet ${key}`, message: `${cidr} is larger than ${bucketText(cidr)}: advertise smaller blocks` })),
    ],
  }
}

function whyNotSubnet(subnet: Resource<'Subnet'>, group: SessionGroup, net: BGPNet): string | undefined {
  if (subnet.metadata.deletionTimestamp !== undefined) return 'is being deleted'
  if (subnet.spec.vpc === undefined) return 'is of an L2Service: the router of its VLAN announces it'
  const key = inNamespaceOf(subnet, subnet.spec.vpc)
  const why = whyNotVpc(key, net.vpc(key), group)
  if (why !== undefined) return why
  return subnet.status?.validated === true ? undefined : 'is not valid yet'
}

/** The entry of a prefix in its lock, of this very Subnet. */
export function lockedAs({ cidr, bucket, subnet }: WantedPrefix, net: Pick<BGPNet, 'prefixLock'>): LockedPrefix | undefined {
  return net.prefixLock(bucket)?.spec.prefixes.find((each) => each.cidr === cidr && each.uid === subnet.metadata.uid)
}

/** Whose prefix is in the way of this one. */
export function rivalOf({ cidr, subnet }: Pick<WantedPrefix, 'cidr' | 'subnet'>, there: readonly LockedPrefix[]): LockedPrefix | undefined {
  const mine = parseCidr(cidr)
  return there.find((each) => {
    const other = parseCidr(each.cidr)
    return each.uid !== subnet.metadata.uid && mine !== undefined && other !== undefined && overlaps(mine, other)
  })
}

export const entryOf = ({ cidr, subnet }: WantedPrefix): LockedPrefix => ({
  cidr,
  subnet: keyOfItem(subnet),
  uid: subnet.metadata.uid,
})
