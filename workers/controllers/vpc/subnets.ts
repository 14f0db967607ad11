// Subnets: valid once their blocks stand in the lock of their VNI.
import { inNamespaceOf, type Resource } from '../../../core/kinds/index.ts'
import { isEvicted, isHolding } from '../../../core/plan/vpc/eviction.ts'
import { provided } from '../../providers/index.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { subnetKeyOf } from '../../../platform/cache/caches.ts'
import { isReportedOtherwiseAtCloud, onceMore } from '../../watch/clouds.ts'
import { both, goes, isBeingDeleted, isReportedInAnotherPhase, specChanges, when } from '../../watch/predicates.ts'
import { asItWas, beingDeleted, by, every, itself, named, through, where } from '../../watch/map-to-keys.ts'
import { servicesItNames } from '../../watch/l2-keys.ts'
import {
  blockLeaves,
  isGoingInIt,
  keyOfHolder,
  namespaceBeginsToGo,
  own,
  subnetPhaseChanges,
  vpcChanges,
} from '../../watch/compared-fields.ts'

type Subnet = Resource<'Subnet'>

const isNotValid = where<'Subnet'>('it is not valid yet', (subnet) => subnet?.status?.validated !== true)
/** What overlapped a Subnet that goes need not any more. */
const isRival = {
  name: 'it is of the same L2Service',
  test: (other: Subnet, { metadata: { namespace }, spec: { l2Service } }: Subnet): boolean =>
    l2Service !== undefined && other.spec.l2Service === l2Service && other.metadata.namespace === namespace,
}
/** It has been told to leave its Vpc, and its Subnet waits until it holds nothing. */
const hasLeft = when<'Port'>(
  'has been told to leave and holds nothing any more',
  ({ before, after }) => after !== undefined && isEvicted(after) && !isHolding(after) && (before === undefined || isHolding(before)),
)
const its = (port: Resource<'Port'>): readonly string[] => [subnetKeyOf(port)]
const listedBeingDeleted = named<'L2Service', 'Subnet'>(
  'Subnet',
  'its Subnets',
  (service) => (service.spec.subnets ?? []).map((name) => inNamespaceOf(service, name)),
  beingDeleted,
)

export const subnets: Row<'Subnet'> = row(
  'Subnet',
  (on) => [
    on('Subnet', { when: specChanges, keys: itself }),
    on('Subnet', { when: isReportedInAnotherPhase, keys: itself }),
    on('Subnet', { when: isReportedOtherwiseAtCloud, keys: itself, after: onceMore }),
    on('Subnet', { when: both(subnetPhaseChanges, isBeingDeleted), keys: every('Subnet', isRival) }),
    on('Namespace', { when: namespaceBeginsToGo, keys: every('Subnet', isGoingInIt) }),
    on('Vpc', { when: vpcChanges, keys: by('Subnet', 'vpc', own) }),
    on('SegmentLock', { when: blockLeaves, keys: by('Subnet', 'vpc', ({ spec }) => [keyOfHolder(spec.holder)], isNotValid) }),
    on('Port', { when: goes, keys: named('Subnet', 'its Subnet', its, beingDeleted) }),
    on('Port', { when: hasLeft, keys: named('Subnet', 'its Subnet', its, beingDeleted) }),
    on('ServiceAddress', { when: goes, keys: named('Subnet', 'its pool', ({ spec }) => [spec.subnet], beingDeleted) }),
    on('EgressAddress', { when: goes, keys: named('Subnet', 'its pool', ({ spec }) => [spec.subnet], beingDeleted) }),
    on('L2Service', { when: specChanges, keys: asItWas(listedBeingDeleted) }),
    on('L2ServiceAttachment', {
      when: specChanges,
      keys: asItWas(through(servicesItNames, listedBeingDeleted)),
    }),
  ],
  (env) => provided('Subnet', env),
)
