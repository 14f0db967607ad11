// What wakes an L2ServiceAttachment because who judges its pods may have changed.
import type { Kind, Resource } from '../../../core/kinds/index.ts'
import { isVlanSegment } from '../../../core/net/segment.ts'
import type { Env } from '../../controller-env.ts'
import { podsOf } from '../../gather/l2-users.ts'
import { attachmentSegment } from '../../../core/plan/node/external-policy.ts'
import { attachmentsItUses } from '../../watch/l2-keys.ts'
import { asItWas, every, itself } from '../../watch/map-to-keys.ts'
import { both, either, isThere, goes, part, specChanges, when } from '../../watch/predicates.ts'
import type { Watch, WatchFor } from '../../watch/watch.ts'
import { opensOrCloses } from '../policy/written-of-policies.ts'
import { networksChange, vlanChanges } from '../policy/rule-set-watches.ts'
import { isLabelledOtherwise, labelsOf, paced } from '../vpc/port-policy-watches.ts'

type Attachment = Resource<'L2ServiceAttachment'>

const isInVlan = {
  name: 'its pods are in a VLAN of ours',
  test: (attachment: Attachment): boolean => attachmentSegment(attachment) !== undefined,
}
const isOfIts = {
  name: 'it or a pod of it is of that namespace',
  test: (attachment: Attachment, { metadata }: Resource, { caches }: Env): boolean =>
    attachmentSegment(attachment) !== undefined &&
    (attachment.metadata.namespace === metadata.namespace ||
      podsOf(attachment, caches).some((pod) => pod.metadata.namespace === metadata.namespace)),
}
const ofNamespaceItself = {
  name: 'a pod of it is of that namespace',
  test: (attachment: Attachment, { metadata }: Resource<'Namespace'>, { caches }: Env): boolean =>
    attachmentSegment(attachment) !== undefined && podsOf(attachment, caches).some((pod) => pod.metadata.namespace === metadata.name),
}
const isOfTheVlan = {
  name: 'its pods are in that VLAN',
  test: (attachment: Attachment, { spec }: Resource<'PolicyRuleSet' | 'PolicyIdentity'>): boolean =>
    attachmentSegment(attachment) === spec.vni,
}
const isAboutVlan = when<Kind>('is about a VLAN', ({ before, after }) =>
  isVlanSegment(((after ?? before) as Resource<'PolicyRuleSet' | 'PolicyIdentity'>).spec.vni),
)

export const attachmentPolicyWatches = (on: WatchFor<'L2ServiceAttachment'>): readonly Watch<'L2ServiceAttachment'>[] => [
  on('L2ServiceAttachment', {
    when: both(
      isThere,
      either(
        vlanChanges,
        part<'L2ServiceAttachment'>('status.policy', (attachment) => attachment?.status?.policy),
      ),
    ),
    keys: itself,
  }),
  on('Pod', { when: either(isLabelledOtherwise, networksChange), keys: attachmentsItUses }),
  on('Pod', { when: networksChange, keys: asItWas(attachmentsItUses) }),
  on('Namespace', { when: part('labels', labelsOf), keys: every('L2ServiceAttachment', ofNamespaceItself), after: paced }),
  on('UnifiedNetworkPolicy', { when: either(specChanges, opensOrCloses), keys: every('L2ServiceAttachment', isOfIts), after: paced }),
  on('NetworkPolicy', { when: specChanges, keys: every('L2ServiceAttachment', isOfIts), after: paced }),
  ...(['AdminNetworkPolicy', 'BaselineAdminNetworkPolicy', 'ClusterNetworkPolicy'] as const).map((kind) =>
    on(kind, { when: specChanges, keys: every('L2ServiceAttachment', isInVlan), after: paced }),
  ),
  on('PolicyRuleSet', { when: both(specChanges, isAboutVlan), keys: every('L2ServiceAttachment', isOfTheVlan), after: paced }),
  on('PolicyIdentity', {
    when: both(
      either(
        goes,
        part<'PolicyIdentity'>('status.phase', (identity) => identity?.status?.phase),
      ),
      isAboutVlan,
    ),
    keys: every('L2ServiceAttachment', isOfTheVlan),
    after: paced,
  }),
]
