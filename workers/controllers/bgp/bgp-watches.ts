// What rows of BGP are woken by, and whom.
import { inNamespaceOf, keyOfItem, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { advertisedKeys, bucketsOf } from '../../../core/plan/bgp/advertised.ts'
import { announcementOf } from '../../../core/plan/bgp/going-node.ts'
import { addressesOf } from '../../../core/plan/bgp/net.ts'
import { sameJson } from '../../../core/same-json.ts'
import { subnetKeyOf } from '../../../platform/cache/caches.ts'
import type { Env } from '../../controller-env.ts'
import { segmentChanges } from '../../watch/compared-fields.ts'
import { appears, either, goes, isBeingDeleted, part, when } from '../../watch/predicates.ts'
import { asItWasAndIs } from '../../watch/map-to-keys.ts'

type Port = Resource<'Port'>
type Subnet = Resource<'Subnet'>
type Vpc = Resource<'Vpc'>

const isAgreed = (vpc: Vpc | undefined): boolean => (vpc?.spec.bgpSessionGroups ?? []).length > 0

export const nodeSpeaksOtherwise = either(
  appears,
  goes,
  isBeingDeleted,
  part<'Node'>(
    'labels, addresses or whether it is about to go',
    (node) => node && [node.metadata.labels ?? {}, addressesOf(node), announcementOf(node)],
  ),
)
/** What its owner agrees to, or what routes come into. */
export const vpcAgreesOtherwise = either(
  part<'Vpc'>('spec.bgpSessionGroups, or whether it is there', (vpc) => vpc && [vpc.spec.bgpSessionGroups, vpc.metadata.deletionTimestamp]),
  segmentChanges,
)
const isOfGroup = ({ caches }: Env, subnet: Subnet | undefined): boolean =>
  subnet?.spec.vpc !== undefined && isAgreed(caches.Vpc.get(inNamespaceOf(subnet, subnet.spec.vpc)))
export const portMoves = when<'Port'>(
  'of a Vpc that names BGPSessionGroups comes, goes, or is on another node',
  ({ before, after }, env) => {
    if (before !== undefined && after !== undefined && sameJson(placeOf(before), placeOf(after))) return false
    return [before, after].some((port) => port !== undefined && isOfGroup(env, env.caches.Subnet.get(subnetKeyOf(port))))
  },
)
const placeOf = ({ spec }: Port): readonly unknown[] => [spec.node, spec.subnet]

const allNodes = ({ caches }: Env): readonly string[] => [
  ...new Set([...caches.Node.values(), ...caches.BGPSpeaker.values()].map(keyOfItem)),
]
export const speakerOfEachNode = asItWasAndIs<Kind, 'BGPSpeaker'>('BGPSpeaker', 'that of each node', (_, env) => allNodes(env))
export const speakerOfNode = asItWasAndIs<'Node', 'BGPSpeaker'>('BGPSpeaker', 'its own, and that of each other node', (node, env) => [
  node.metadata.name,
  ...allNodes(env),
])
export const speakerOfPort = asItWasAndIs<'Port', 'BGPSpeaker'>(
  'BGPSpeaker',
  'that of its node, and of the one it was on',
  ({ spec: { node } }) => (node === undefined ? [] : [node]),
)

/** Names of those that have a Port in one of these Subnets. */
export function nodesWithPorts(subnets: Iterable<Subnet>, { caches }: Env): readonly string[] {
  const ports = [...subnets].flatMap((subnet) => [...caches.Port.by('subnet', keyOfItem(subnet))])
  return [...new Set(ports.flatMap(({ spec: { node } }) => node ?? []))]
}
export const speakersOfVpc = asItWasAndIs<'Vpc', 'BGPSpeaker'>('BGPSpeaker', 'those of nodes that have a Port in it', (vpc, env) =>
  nodesWithPorts(env.caches.Subnet.by('vpc', keyOfItem(vpc)), env),
)
export const speakersOfSubnet = asItWasAndIs<'Subnet', 'BGPSpeaker'>(
  'BGPSpeaker',
  'those of nodes that have a Port in its Vpc',
  (subnet, env) =>
    isOfGroup(env, subnet)
      ? nodesWithPorts([subnet, ...env.caches.Subnet.by('vpc', inNamespaceOf(subnet, subnet.spec.vpc ?? ''))], env)
      : [],
)
/** Who serves is for the agents to say: they follow it themselves. */
export const addressesMove = part<'ServiceAddress'>(
  'spec.addresses, or whether it is there',
  (address) => address && [address.spec.addresses, address.metadata.deletionTimestamp],
)
export const speakersOfServices = asItWasAndIs<'ServiceAddress', 'BGPSpeaker'>(
  'BGPSpeaker',
  'those of nodes that have a Port in its Vpc',
  ({ spec }, env) => {
    const pool = env.caches.Subnet.get(spec.subnet)
    return isOfGroup(env, pool) ? nodesWithPorts(env.caches.Subnet.by('vpc', spec.vpc), env) : []
  },
)
export const speakerOfEgress = asItWasAndIs<'EgressAddress', 'BGPSpeaker'>('BGPSpeaker', 'that of its node', ({ spec }) => [spec.node])
/** Which blocks are ours is for each of them to know: from outside it takes nothing of them. */
export const speakersOfLock = asItWasAndIs<'PrefixLock', 'BGPSpeaker'>('BGPSpeaker', 'that of each node', (_, env) => allNodes(env))

export const locksOfGroup = asItWasAndIs<'BGPSessionGroup', 'PrefixLock'>('PrefixLock', 'those of its Subnets', (group, { caches }) =>
  advertisedKeys(group).flatMap((key) => {
    const subnet = caches.Subnet.get(key)
    return subnet === undefined ? [] : bucketsOf(subnet, [group])
  }),
)
export const locksOfVpc = asItWasAndIs<'Vpc', 'PrefixLock'>('PrefixLock', 'those of its Subnets', (vpc, { caches }) =>
  [...caches.Subnet.by('vpc', keyOfItem(vpc))].flatMap((subnet) => bucketsOf(subnet, [...caches.BGPSessionGroup.values()])),
)
/** Of one that nobody advertises there is none, and none is made. */
export const locksOfSubnet = asItWasAndIs<'Subnet', 'PrefixLock'>(
  'PrefixLock',
  'those of its blocks, where its Vpc names BGPSessionGroups',
  (subnet, env) => {
    const buckets = bucketsOf(subnet, [...env.caches.BGPSessionGroup.values()])
    return isOfGroup(env, subnet) || buckets.some((name) => env.caches.PrefixLock.get(name) !== undefined) ? buckets : []
  },
)
export const locksOfSpeaker = asItWasAndIs<'BGPSpeaker', 'PrefixLock'>(
  'PrefixLock',
  'those of which a prefix is about to be free',
  (_, { caches }) =>
    [...caches.PrefixLock.values()].filter(({ spec }) => spec.prefixes.some(({ leaving }) => leaving !== undefined)).map(keyOfItem),
)

const namedBy = (key: string, { spec }: Resource<'BGPSessionGroup'>): boolean =>
  [
    ...(spec.advertise?.subnets ?? []).map(({ namespace, name }) => `${namespace}/${name}`),
    ...(spec.imports ?? []).map(({ vpc }) => vpc),
  ].includes(key)
const groupsWhere = (env: Env, test: (group: Resource<'BGPSessionGroup'>) => boolean): readonly string[] =>
  [...env.caches.BGPSessionGroup.values()].filter(test).map(keyOfItem)
export const groupsOfSubnet = asItWasAndIs<'Subnet', 'BGPSessionGroup'>('BGPSessionGroup', 'those that advertise it', (subnet, env) =>
  groupsWhere(env, (group) => namedBy(keyOfItem(subnet), group)),
)
export const groupsOfVpc = asItWasAndIs<'Vpc', 'BGPSessionGroup'>(
  'BGPSessionGroup',
  'those that bring routes into it, or advertise a Subnet of it',
  (vpc, env) =>
    groupsWhere(
      env,
      (group) =>
        namedBy(keyOfItem(vpc), group) ||
        [...env.caches.Subnet.by('vpc', keyOfItem(vpc))].some((subnet) => namedBy(keyOfItem(subnet), group)),
    ),
)
export const groupsOfSpeaker = asItWasAndIs<'BGPSpeaker', 'BGPSessionGroup'>(
  'BGPSessionGroup',
  'those that its node is in, or was',
  ({ spec }) => spec.groups.map(({ name }) => name),
)
