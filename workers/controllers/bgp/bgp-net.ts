// What plans of BGP look at, from the caches; and what of that is read live before somebody says more than before.
import type { Ref } from '../../../core/kinds/index.ts'
import { inNamespaceOf, keyOfItem, refFromKey, refOf, type Resource } from '../../../core/kinds/index.ts'
import { advertisedKeys, bucketsOf } from '../../../core/plan/bgp/advertised.ts'
import type { BGPNet } from '../../../core/plan/bgp/net.ts'
import { subnetKeyOf } from '../../../platform/cache/caches.ts'
import type { Env } from '../../controller-env.ts'
import type { LiveKind } from '../../loop/live-reads.ts'

export function bgpNetOf({ caches }: Pick<Env, 'caches'>): BGPNet {
  return {
    groups: [...caches.BGPSessionGroup.values()],
    vpc: (key) => caches.Vpc.get(key),
    subnet: (key) => caches.Subnet.get(key),
    prefixLock: (bucket) => caches.PrefixLock.get(bucket),
  }
}

/** The Subnets that have a Port on a node. */
export const subnetsOn = (node: string, { caches }: Pick<Env, 'caches'>): ReadonlySet<string> =>
  new Set([...caches.Port.by('node', node)].map(subnetKeyOf))

/** Those of a node, as the store itself has them. */
export const portsOn = (node: string): LiveKind => ({
  kind: 'Port',
  within: { fields: { '.spec.node': node } },
  isWithin: (item) => (item as Resource<'Port'>).spec.node === node,
})

/** What decides whether these Subnets are to be advertised, those that nobody has heard of here among them. */
export function wantedBasis(subnets: readonly string[], net: BGPNet): readonly Ref[] {
  const vpcs = subnets.flatMap((key) => {
    const subnet = net.subnet(key)
    return subnet?.spec.vpc === undefined ? [] : [inNamespaceOf(subnet, subnet.spec.vpc)]
  })
  return [
    ...net.groups.map(refOf),
    ...subnets.map((key) => refFromKey('Subnet', key)),
    ...[...new Set(vpcs)].map((key) => refFromKey('Vpc', key)),
  ]
}

/** What decides what may be said, and let in, of these Subnets: groups, Vpcs, Subnets and locks. */
export function bgpBasis(subnets: ReadonlySet<string>, net: BGPNet): readonly (Ref | Resource)[] {
  const advertisedByAny = new Set(net.groups.flatMap(advertisedKeys))
  const here = [...subnets].flatMap((key) => net.subnet(key) ?? [])
  const advertised = here.filter((subnet) => advertisedByAny.has(keyOfItem(subnet)))
  const vpcs = new Set(here.flatMap(({ metadata, spec }) => (spec.vpc === undefined ? [] : [`${metadata.namespace}/${spec.vpc}`])))
  return [
    ...net.groups.map(refOf),
    ...[...vpcs].map((key) => refFromKey('Vpc', key)),
    ...[...subnets].filter((key) => advertisedByAny.has(key)).map((key) => refFromKey('Subnet', key)),
    ...new Set(advertised.flatMap((subnet) => bucketsOf(subnet, net.groups)))
      .values()
      .map((name) => ({ kind: 'PrefixLock' as const, name })),
  ]
}

/** Service addresses in Vpcs that have a Port among these Subnets. */
export function servicesIn(subnets: ReadonlySet<string>, { caches }: Pick<Env, 'caches'>): readonly Resource<'ServiceAddress'>[] {
  const vnis = new Set([...subnets].flatMap((key) => caches.Subnet.get(key)?.status?.vni ?? []))
  return [...caches.ServiceAddress.values()]
    .filter(({ metadata, spec }) => vnis.has(spec.vni) && metadata.deletionTimestamp === undefined)
    .sort((a, b) => (keyOfItem(a) < keyOfItem(b) ? -1 : 1))
}

/** What Vpcs send outside from on a node, and goes on to. */
export const egressOn = (node: string, { caches }: Pick<Env, 'caches'>): readonly Resource<'EgressAddress'>[] =>
  [...caches.EgressAddress.by('node', node)]
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .sort((a, b) => (keyOfItem(a) < keyOfItem(b) ? -1 : 1))
