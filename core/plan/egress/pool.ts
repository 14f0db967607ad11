// The pool of an EgressClass: whether a Vpc may have addresses of it, on which nodes, and what it has there.
import type { Draft } from '../../contracts/store.ts'
import { egressAddressFinalizer } from '../../kinds/annotations.ts'
import { apiVersionOf, inNamespaceOf, keyOfItem, refOf, type Resource } from '../../kinds/index.ts'
import { segmentOf } from '../../kinds/vpc/segment.ts'
import { egressAddressName } from '../../net/names.ts'
import { lockedAs, wantedOf } from '../bgp/advertised.ts'
import { speaksIn, tableHolder, type BGPNet, type SessionGroup } from '../bgp/net.ts'
import { firstAndMore, type Step } from '../plan.ts'

type Vpc = Resource<'Vpc'>
type Address = Resource<'EgressAddress'>

export type EgressAction =
  | { readonly do: 'makeEgressAddress'; readonly draft: Draft<'EgressAddress'> }
  | { readonly do: 'deleteEgressAddress'; readonly address: Address }

export interface EgressPool {
  /** `namespace/name` of the Subnet. */
  readonly key: string
  readonly vni: number
  /** For each of its blocks those that advertise it. */
  readonly groups: readonly (readonly SessionGroup[])[]
}
export interface NoPool {
  readonly reason: string
  readonly message: string
}

/** Its owner agrees as for pods and Services of other namespaces: of one that is for others nothing is said but that it is not there. */
export function poolFor(vpc: Vpc, key: string, net: BGPNet): EgressPool | NoPool {
  const from = vpc.metadata.namespace ?? ''
  const subnet = subnetFor(from, key, net)
  if (subnet === undefined)
    return {
      reason: 'PoolNotFound',
      message: `Subnet ${key} not found for namespace ${from}: the owner of its Vpc names that in spec.sharedWith`,
    }
  const vni = segmentOf(subnet)
  if (vni === undefined || subnet.status?.validated !== true || subnet.metadata.deletionTimestamp !== undefined)
    return { reason: 'PoolNotReady', message: `Subnet ${key} is not valid, or is being deleted` }
  return advertisedPool(subnet, vni, net)
}

function subnetFor(from: string, key: string, net: BGPNet): Resource<'Subnet'> | undefined {
  const subnet = net.subnet(key)
  const owner = subnet?.spec.vpc === undefined ? undefined : net.vpc(inNamespaceOf(subnet, subnet.spec.vpc))
  const isLent = owner !== undefined && (owner.metadata.namespace === from || owner.spec.sharedWith?.includes(from) === true)
  return isLent ? subnet : undefined
}

function advertisedPool(subnet: Resource<'Subnet'>, vni: number, net: BGPNet): EgressPool | NoPool {
  const key = keyOfItem(subnet)
  const prefixes = net.groups
    .filter((group) => tableHolder(group, net.groups) === undefined)
    .flatMap((group) =>
      wantedOf(group, net)
        .prefixes.filter((prefix) => prefix.subnet === subnet && isSaid(lockedAs(prefix, net)))
        .map(({ cidr }) => ({ cidr, group })),
    )
  const blocks = [subnet.spec.ipv4, subnet.spec.ipv6].flatMap((block) => block?.cidr ?? [])
  const silent = blocks.find((cidr) => !prefixes.some((each) => each.cidr === cidr))
  if (silent !== undefined)
    return { reason: 'PoolNotAdvertised', message: `no BGPSessionGroup advertises ${silent} of Subnet ${key}: nothing would come back` }
  return { key, vni, groups: blocks.map((cidr) => prefixes.filter((each) => each.cidr === cidr).map(({ group }) => group)) }
}
/** Of what is about to be free nobody begins to tell. */
const isSaid = (entry: ReturnType<typeof lockedAs>): boolean => entry !== undefined && entry.leaving === undefined

/** A node that has Ports of the Vpc, and no address. */
export interface NodeWithout {
  readonly node: string
  readonly why: string
}
export interface PoolPlan {
  readonly nodes: readonly { readonly node: string; readonly addresses: string[] }[]
  readonly without: readonly NodeWithout[]
  readonly steps: readonly Step<EgressAction>[]
}

/**
 * A node without an address of its own sends nothing. One that is given back rests under its name, so a node that comes back meanwhile has
 * one of another name.
 *
 * @param nodes that have Ports of the Vpc, in order
 * @param addresses all of the Vpc
 */
export function planPool(vpc: Vpc, pool: EgressPool, nodes: readonly Resource<'Node'>[], addresses: readonly Address[]): PoolPlan {
  const able = nodes.filter((node) => pool.groups.every((groups) => groups.some((group) => speaksIn(group, node))))
  const own = addresses.filter(({ spec, metadata }) => isOf(vpc, metadata) && spec.subnet === pool.key && spec.vni === pool.vni)
  const chosen = new Map(able.map((node) => [node.metadata.name, chosenFor(node.metadata.name, own)]))
  const missing = able.filter((node) => chosen.get(node.metadata.name) === undefined)
  return {
    nodes: [...chosen].flatMap(([node, address]) =>
      address === undefined || address.spec.addresses.length < pool.groups.length ? [] : [{ node, addresses: [...address.spec.addresses] }],
    ),
    without: nodes.flatMap(({ metadata: { name } }) => whyWithout(name, { pool, able: chosen.has(name), address: chosen.get(name) })),
    steps: [
      ...missing.map((node): Step<EgressAction> => ({
        action: { do: 'makeEgressAddress', draft: draftOf(vpc, pool, { node, addresses }) },
        because: { rule: 'a node that has Ports of a Vpc that sends outside from a pool', of: refOf(vpc) },
      })),
      ...givenBack(
        vpc,
        addresses.filter((each) => chosen.get(each.spec.node) !== each),
      ),
    ],
  }
}

/** What is not going already. */
export const givenBack = (vpc: Vpc, addresses: readonly Address[]): readonly Step<EgressAction>[] =>
  addresses
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((address) => ({
      action: { do: 'deleteEgressAddress', address },
      because: { rule: 'an address of a pool that a Vpc does not send from on this node', of: refOf(vpc) },
    }))

const isOf = ({ metadata: { uid } }: Vpc, { ownerReferences = [], deletionTimestamp }: Address['metadata']): boolean =>
  deletionTimestamp === undefined && ownerReferences.some((owner) => owner.uid === uid)

/** Of two that two workers have made the one that has addresses, else the first of their names. */
const chosenFor = (node: string, own: readonly Address[]): Address | undefined =>
  own
    .filter(({ spec }) => spec.node === node)
    .sort((a, b) => b.spec.addresses.length - a.spec.addresses.length || (a.metadata.name < b.metadata.name ? -1 : 1))[0]

interface NodeOfPool {
  readonly pool: EgressPool
  readonly able: boolean
  readonly address: Address | undefined
}
function whyWithout(node: string, { pool, able, address }: NodeOfPool): readonly NodeWithout[] {
  if (!able) return [{ node, why: `in no BGPSessionGroup that advertises Subnet ${pool.key}` }]
  if (address !== undefined && address.spec.addresses.length >= pool.groups.length) return []
  return [{ node, why: address?.status?.message ?? 'an address is being locked' }]
}

/** As many of a kind are named. */
const namedMost = 16
export const withoutText = (without: readonly NodeWithout[]): string =>
  [...Map.groupBy(without, ({ why }) => why)]
    .map(([why, all]) => {
      const names = all.slice(0, namedMost).map(({ node }) => node)
      return `by ${firstAndMore(names.join(', '), all.length - names.length)}: ${why}`
    })
    .join('; ')

/** Its finalizer from birth: its locks are made after it. */
function draftOf(
  vpc: Vpc,
  { key, vni }: EgressPool,
  { node, addresses }: { readonly node: Resource<'Node'>; readonly addresses: readonly Address[] },
): Draft<'EgressAddress'> {
  const { namespace = '', name, uid } = vpc.metadata
  const taken = new Set(addresses.map((each) => each.metadata.name))
  const nameAt = (place: number): string => egressAddressName({ vpc: name, uid, node: node.metadata.name, pool: key, place })
  let place = 0
  while (taken.has(nameAt(place))) place++
  return {
    kind: 'EgressAddress',
    metadata: {
      namespace,
      name: nameAt(place),
      finalizers: [egressAddressFinalizer],
      ownerReferences: [{ apiVersion: apiVersionOf('Vpc'), kind: 'Vpc', name, uid, controller: true }],
    },
    spec: { subnet: key, vni, vpc: keyOfItem(vpc), node: node.metadata.name, addresses: [] },
  }
}
