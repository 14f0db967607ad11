// Vpcs: each has a VNI of its own, or is a VLAN.
import { inNamespaceOf, type Resource } from '../../../core/kinds/index.ts'
import { segmentInLock, segmentOf } from '../../../core/kinds/vpc/segment.ts'
import type { Env } from '../../controller-env.ts'
import {
  nodeIsOtherwise,
  poolIsLent,
  portIsElsewhere,
  sendsOtherwise,
  vpcOfAddress,
  vpcOfPort,
  vpcsOfClass,
  vpcsOfPool,
  vpcsOfPoolsIn,
  vpcsOfPrefixes,
  vpcsThatSend,
} from '../egress/egress-net.ts'
import { provided } from '../../providers/index.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { isReportedOtherwiseAtCloud, onceMore } from '../../watch/clouds.ts'
import {
  appears,
  both,
  changes,
  goes,
  isBeingDeleted,
  isGoing,
  isReportedInAnotherPhase,
  specChanges,
  when,
} from '../../watch/predicates.ts'
import { itself, named, where } from '../../watch/map-to-keys.ts'
import { blockLeaves, keyOfHolder, segmentChanges, subnetChanges } from '../../watch/compared-fields.ts'

/** A Vpc that holds more than it tells of was drawn for by two workers at once: what its status says goes first, then the other lock. */
function holdsSurplus(vpc: Resource<'Vpc'> | undefined, { caches }: Env): boolean {
  const reported = vpc && segmentOf(vpc)
  return (
    vpc !== undefined &&
    reported !== undefined &&
    [...caches.SegmentLock.by('holder', vpc.metadata.uid)].some(({ spec }) => segmentInLock(spec).segment !== reported)
  )
}
const twoLocks = where<'Vpc'>('it holds more VNIs than it tells of', holdsSurplus)
const holdsTwo = when<'Vpc'>('holds more VNIs than it tells of', ({ after }, env) => holdsSurplus(after, env))
const leaving = where<'Vpc'>('it is going or gone', (vpc) => isGoing(vpc))
const holder = (lock: Resource<'SegmentLock'>): readonly string[] =>
  lock.spec.holder.kind === 'Vpc' ? [keyOfHolder(lock.spec.holder)] : []
const vpcOf = (subnet: Resource<'Subnet'>): readonly string[] =>
  subnet.spec.vpc === undefined ? [] : [inNamespaceOf(subnet, subnet.spec.vpc)]

export const vpcs: Row<'Vpc'> = row(
  'Vpc',
  (on) => [
    on('Vpc', { when: specChanges, keys: itself }),
    on('Vpc', { when: both(segmentChanges, holdsTwo), keys: itself }),
    on('Vpc', { when: isReportedInAnotherPhase, keys: itself }),
    on('Vpc', { when: isReportedOtherwiseAtCloud, keys: itself, after: onceMore }),
    // Whoever looked before it heard of this took it for what stood there until then.
    on('Vpc', { when: sendsOtherwise, keys: itself }),
    on('Subnet', { when: both(subnetChanges, isBeingDeleted), keys: named('Vpc', 'its Vpc', vpcOf) }),
    on('EgressClass', { when: specChanges, keys: vpcsOfClass }),
    on('Node', { when: nodeIsOtherwise, keys: vpcsThatSend }),
    on('BGPSessionGroup', { when: specChanges, keys: vpcsThatSend }),
    on('Subnet', { when: subnetChanges, keys: vpcsOfPool }),
    on('Vpc', { when: poolIsLent, keys: vpcsOfPoolsIn }),
    on('PrefixLock', { when: changes, keys: vpcsOfPrefixes }),
    on('EgressAddress', { when: changes, keys: vpcOfAddress }),
    // A Port that its pod's pass has made whole is news to its Vpc.
    on('Port', { when: portIsElsewhere, keys: vpcOfPort, hearsMade: true }),
    on('SegmentLock', { when: goes, keys: named('Vpc', 'its holder', holder) }),
    on('SegmentLock', { when: appears, keys: named('Vpc', 'its holder', holder, twoLocks) }),
    on('SegmentLock', { when: blockLeaves, keys: named('Vpc', 'its holder', holder, leaving) }),
  ],
  (env) => provided('Vpc', env),
)
