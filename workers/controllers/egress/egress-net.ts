// What decides how a Vpc sends outside, from the caches; and what wakes it.
import { inNamespaceOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { EgressNet } from '../../../core/plan/egress/vpc-egress.ts'
import { sameJson } from '../../../core/same-json.ts'
import { subnetKeyOf } from '../../../platform/cache/caches.ts'
import type { Env } from '../../controller-env.ts'
import { asItWasAndIs } from '../../watch/map-to-keys.ts'
import { appears, either, goes, isBeingDeleted, part, when } from '../../watch/predicates.ts'
import { bgpNetOf } from '../bgp/bgp-net.ts'
import { nodesWithPorts } from '../bgp/bgp-watches.ts'

export const egressNetOf = (env: Env): EgressNet => ({
  egressClass: (name) => env.caches.EgressClass.get(name),
  nodes: () => env.caches.Node.values(),
  bgp: () => bgpNetOf(env),
  addressesOf: (vpc) => env.caches.EgressAddress.by('vpc', vpc),
  nodesOf: (vpc) => nodesWithPorts(env.caches.Subnet.by('vpc', vpc), env),
})

/** Addresses that others must not be reached at, and that packets leave from; and which groups it is in. */
export const nodeIsOtherwise = either(
  appears,
  goes,
  isBeingDeleted,
  part<'Node'>(
    'addresses, spec.podCIDRs or labels',
    (node) => node && [node.status?.addresses, node.spec.podCIDRs, node.metadata.labels ?? {}],
  ),
)

const vpcOf = (port: Resource<'Port'>, { caches }: Env): Resource<'Vpc'> | undefined => {
  const subnet = caches.Subnet.get(subnetKeyOf(port))
  return subnet?.spec.vpc === undefined ? undefined : caches.Vpc.get(inNamespaceOf(subnet, subnet.spec.vpc))
}
const placeOf = ({ spec }: Resource<'Port'>): readonly unknown[] => [spec.node, spec.subnet]
const isTold = ({ status }: Resource<'Vpc'>, name: string | undefined): boolean =>
  status?.egress?.nodes.some(({ node }) => node === name) === true
export const portIsElsewhere = when<'Port'>(
  'of a Vpc with an EgressClass comes to a node that it did not send from, leaves one, or goes',
  ({ before, after }, env) => {
    if (before !== undefined && after !== undefined && sameJson(placeOf(before), placeOf(after))) return false
    const vpc = vpcOf((after ?? before)!, env)
    if (vpc?.spec.egressClass === undefined) return false
    return before?.spec.node !== undefined || !isTold(vpc, after?.spec.node)
  },
)

export const vpcOfPort = asItWasAndIs<'Port', 'Vpc'>('Vpc', 'that of its Subnet', (port, env) => {
  const vpc = vpcOf(port, env)
  return vpc === undefined ? [] : [keyOfItem(vpc)]
})
export const vpcsOfClass = asItWasAndIs<'EgressClass', 'Vpc'>('Vpc', 'those that name it', (egressClass, { caches }) =>
  [...caches.Vpc.by('egressClass', egressClass.metadata.name)].map(keyOfItem),
)
export const vpcsThatSend = asItWasAndIs<'Node' | 'BGPSessionGroup', 'Vpc'>('Vpc', 'those with an EgressClass', (_, { caches }) =>
  [...caches.EgressClass.values()].flatMap(({ metadata }) => [...caches.Vpc.by('egressClass', metadata.name)].map(keyOfItem)),
)

export const sendsOtherwise = part<'Vpc'>('status.egress', (vpc) => vpc?.status?.egress)

/** What a pool is advertised by, and who may have addresses of it. */
export const poolIsLent = part<'Vpc'>(
  'spec.sharedWith, spec.bgpSessionGroups, or whether it is there',
  (vpc) => vpc && [vpc.spec.sharedWith, vpc.spec.bgpSessionGroups, vpc.metadata.deletionTimestamp],
)
const sendingFrom = (pool: string, { caches }: Env): readonly string[] =>
  [...caches.EgressClass.by('pool', pool)].flatMap(({ metadata }) => [...caches.Vpc.by('egressClass', metadata.name)].map(keyOfItem))
export const vpcsOfPool = asItWasAndIs<'Subnet', 'Vpc'>('Vpc', 'those whose EgressClass has it as its pool', (subnet, env) =>
  sendingFrom(keyOfItem(subnet), env),
)
export const vpcsOfPoolsIn = asItWasAndIs<'Vpc', 'Vpc'>('Vpc', 'those whose EgressClass has a Subnet of it as its pool', (vpc, env) =>
  [...env.caches.Subnet.by('vpc', keyOfItem(vpc))].flatMap((subnet) => sendingFrom(keyOfItem(subnet), env)),
)
export const vpcsOfPrefixes = asItWasAndIs<'PrefixLock', 'Vpc'>('Vpc', 'those that send from a pool whose block is in it', (lock, env) =>
  [...new Set(lock.spec.prefixes.map(({ subnet }) => subnet))].flatMap((pool) => sendingFrom(pool, env)),
)
/** Reported too: a pool that is full says so there. */
export const vpcOfAddress = asItWasAndIs<'EgressAddress', 'Vpc'>('Vpc', 'the one that it is for', ({ spec }) => [spec.vpc])
