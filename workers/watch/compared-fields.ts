// Parts of objects by whose change others go.
import type { Resource } from '../../core/kinds/index.ts'
import { keyOfItem } from '../../core/kinds/index.ts'
import type { Holder } from '../../core/kinds/meta.ts'
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import { either, isGoing, part, specChanges, when } from './predicates.ts'

export const keyOfHolder = ({ namespace, name }: Pick<Holder, 'namespace' | 'name'>): string => `${namespace ?? ''}/${name}`
export const own = (item: Resource): readonly string[] => [keyOfItem(item)]

export const segmentChanges = part<'Vpc'>('status.vni or status.segment', (vpc) => vpc && segmentOf(vpc))
/** Of a cloud also whether its network is there. */
const cloudPhase = part<'Vpc'>('status.phase, of a cloud', (vpc) => (vpc?.spec.cloud === undefined ? undefined : vpc.status?.phase))
export const vpcChanges = either(specChanges, segmentChanges, cloudPhase)
export const subnetChanges = either(
  specChanges,
  part<'Subnet'>('status.validated', (subnet) => subnet?.status?.validated),
)
export const subnetPhaseChanges = either(
  specChanges,
  part<'Subnet'>('status.phase', (subnet) => subnet?.status?.phase),
)
export const servicePhaseChanges = either(
  specChanges,
  part<'L2Service'>('status.phase', (service) => service?.status?.phase),
)
export const attachmentChanges = either(
  specChanges,
  part<'L2ServiceAttachment'>('status.phase or status.vlans', (attachment) => [attachment?.status?.phase, attachment?.status?.vlans]),
)

/** What its L2Service and attachments go by; which switches it is about to touch is its own affair. */
export const domainChanges = either(
  specChanges,
  part<'L2BridgeDomain'>('what its status says of its VLAN', (domain) => {
    const { phase, message, observedGeneration, closing, closed, open, wanted } = domain?.status ?? {}
    return { phase, message, observedGeneration, closing, closed, open, wanted }
  }),
)

const blocksOf = ({ spec: { blocks = [], routedBlocks = [] } }: Resource<'SegmentLock'>): number => blocks.length + routedBlocks.length
export const blockLeaves = when<'SegmentLock'>(
  'loses a block',
  ({ before, after }) => before !== undefined && after !== undefined && blocksOf(before) > blocksOf(after),
)

/**
 * From then on what holds something back in it has only so long (workers/gather/deletion-blockers.ts): whoever looked before had not heard
 * of that.
 */
export const namespaceBeginsToGo = when<'Namespace'>(
  'begins to be deleted',
  ({ before, after }) => after?.metadata.deletionTimestamp !== undefined && (before === undefined || !isGoing(before)),
)
export const isGoingInIt = {
  name: 'it is in it, and is being deleted',
  test: (item: Resource, { metadata }: Resource<'Namespace'>): boolean => item.metadata.namespace === metadata.name && isGoing(item),
}
