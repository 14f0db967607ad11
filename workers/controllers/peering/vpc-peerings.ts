// VpcPeerings: what each side tells nodes of the other, while both agree.
import { keyOfItem, refFromKey, refOf, inNamespaceOf, type Kind, type Ref, type Resource, type SpecOf } from '../../../core/kinds/index.ts'
import { bucketOf } from '../../../core/net/prefix-bucket.ts'
import { planPeering, tellsMore, type PeeringDesired } from '../../../core/plan/peering/peering.ts'
import { vpcKeyOf, type PeeringNet } from '../../../core/plan/peering/sides.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import { nothing } from '../../drivers/store-objects.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { segmentLockName, segmentOf } from '../../../core/kinds/vpc/segment.ts'
import { keyOfHolder, segmentChanges, subnetChanges } from '../../watch/compared-fields.ts'
import { asItWasAndIs, itself, named, type Keys } from '../../watch/map-to-keys.ts'
import { either, isReportedInAnotherPhase, part, specChanges } from '../../watch/predicates.ts'

const vpcOtherwise = either(
  part<'Vpc'>('whether it is there, or spec.mtu', (vpc) => vpc && [vpc.metadata.deletionTimestamp, vpc.spec.mtu]),
  segmentChanges,
)
const peeringOtherwise = either(
  specChanges,
  part<'VpcPeering'>('whether it is in force', (peering) => peering?.status?.peer !== undefined),
)

/** Of two peers of one Vpc one may have what the other would give: all that the Vpcs on both ends are peered with are looked at. */
function around(vpcs: Iterable<string>, { caches }: Env): readonly string[] {
  const joined = (vpc: string) => [...caches.VpcPeering.by('joined', vpc)]
  const near = [...vpcs].flatMap(joined)
  return [
    ...new Set(
      near
        .flatMap((each) => [vpcKeyOf(each), each.spec.peer])
        .flatMap(joined)
        .map(keyOfItem),
    ),
  ]
}
const aroundOf = <K extends Kind>(text: string, vpcsOf: (item: Resource<K>) => readonly string[]): Keys<K, 'VpcPeering'> =>
  named<K, 'VpcPeering'>('VpcPeering', text, (item, env) => around(vpcsOf(item), env))

export const vpcPeerings: Row<'VpcPeering'> = row(
  'VpcPeering',
  (on) => [
    on('VpcPeering', { when: specChanges, keys: itself }),
    on('VpcPeering', { when: isReportedInAnotherPhase, keys: itself }),
    on('VpcPeering', {
      when: peeringOtherwise,
      keys: aroundOf('those of both Vpcs, and of all that they are peered with', (peering) => [vpcKeyOf(peering), peering.spec.peer]),
    }),
    on('Vpc', { when: vpcOtherwise, keys: aroundOf('its own, and those of all that it is peered with', (vpc) => [keyOfItem(vpc)]) }),
    on('Subnet', {
      when: subnetChanges,
      keys: aroundOf('those of its Vpc, and of all that that is peered with', (subnet) =>
        subnet.spec.vpc === undefined ? [] : [inNamespaceOf(subnet, subnet.spec.vpc)],
      ),
    }),
    on('PrefixLock', {
      when: part('spec.prefixes', (lock) => lock?.spec.prefixes),
      keys: asItWasAndIs(
        'VpcPeering',
        'those of the Vpcs whose Subnets stand in it, and of all that those are peered with',
        ({ spec }, env) => around(vpcsOf(spec.prefixes, env), env),
      ),
    }),
    on('SegmentLock', {
      when: part('spec.routedBlocks', (lock) => lock?.spec.routedBlocks),
      keys: aroundOf('those of its Vpc, and of all that that is peered with', ({ spec }) => [keyOfHolder(spec.holder)]),
    }),
  ],
  open,
)

const netOf = ({ caches }: Env): PeeringNet => ({
  peeringsOf: (vpc) => caches.VpcPeering.by('vpc', vpc),
  vpc: (key) => caches.Vpc.get(key),
  subnetsOf: (vpc) => caches.Subnet.by('vpc', vpc),
  routedBlocksOf: (vpc) => lockOf(caches.Vpc.get(vpc), caches)?.spec.routedBlocks ?? [],
  isAnnounced: ({ metadata: { uid } }, cidr) =>
    caches.PrefixLock.get(bucketOf(cidr) ?? '')?.spec.prefixes.some(
      (each) => each.cidr === cidr && each.uid === uid && each.leaving === undefined,
    ) === true,
})

/** An l3 one is exchanged while it is announced. */
const prefixLocksOf = ({ spec: { mode, ipv4, ipv6 } }: Resource<'Subnet'>): readonly Ref[] =>
  mode === 'l3' ? [ipv4, ipv6].flatMap((block) => bucketOf(block?.cidr ?? '') ?? []).map((name) => ({ kind: 'PrefixLock', name })) : []

const vpcsOf = (prefixes: SpecOf<'PrefixLock'>['prefixes'], { caches }: Env): readonly string[] =>
  [...new Set(prefixes.map(({ subnet }) => subnet))].flatMap((key) => {
    const subnet = caches.Subnet.get(key)
    return subnet?.spec.vpc === undefined ? [] : [inNamespaceOf(subnet, subnet.spec.vpc)]
  })

function lockOf(vpc: Resource<'Vpc'> | undefined, { SegmentLock }: Env['caches']): Resource<'SegmentLock'> | undefined {
  const segment = vpc && segmentOf(vpc)
  return segment === undefined ? undefined : SegmentLock.get(segmentLockName({ segment }))
}

function open(env: Env): Controller<PeeringDesired, undefined, undefined, never, Plan<never>> {
  const driver = nothing(env.store)
  return {
    gather(key) {
      const peering = env.caches.VpcPeering.get(key)
      return peering && { peering, net: netOf(env) }
    },
    driver: () => driver,
    scope: () => undefined,
    item: ({ peering }) => peering,
    // Both sides' consent, their Subnets, and what is behind Ports: another peer's younger ones take nothing from who has a block.
    basis: ({ peering, net }) => [
      ...[vpcKeyOf(peering), peering.spec.peer].flatMap((vpc) => [
        refFromKey('Vpc', vpc),
        ...[...net.subnetsOf(vpc)].flatMap((subnet) => [refOf(subnet), ...prefixLocksOf(subnet)]),
        ...[lockOf(net.vpc(vpc), env.caches)].flatMap((lock) => (lock === undefined ? [] : refOf(lock))),
      ]),
      ...[...net.peeringsOf(peering.spec.peer)].filter(({ spec }) => spec.peer === vpcKeyOf(peering)).map(refOf),
    ],
    plan: planPeering,
    needsLive({ peering }, plan) {
      if (plan.phase === 'deleted') return ['VpcPeering']
      return tellsMore(peering, plan) ? [] : undefined
    },
  }
}
