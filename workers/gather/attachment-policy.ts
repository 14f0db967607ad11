// Who judges the pods of an L2ServiceAttachment, from what is known of policies and identities.
import type { Resource } from '../../core/kinds/index.ts'
import type { AttachmentPolicyDesired } from '../../core/plan/l2/attachment-policy.ts'
import { memberOfPod } from '../../core/policy/member.ts'
import { attachmentSegment } from '../../core/plan/node/external-policy.ts'
import type { Env } from '../controller-env.ts'
import { podsOf } from './l2-users.ts'
import { bindingIn } from './port-policy.ts'

/** @returns undefined where its pods are in no VLAN of ours (yet), or it is on its way out */
export function attachmentPolicyOf(attachment: Resource<'L2ServiceAttachment'>, env: Env): AttachmentPolicyDesired | undefined {
  const segment = attachmentSegment(attachment)
  if (segment === undefined || attachment.metadata.deletionTimestamp !== undefined) return undefined
  const { namespace = '' } = attachment.metadata
  const isJudged = !env.policies.inForce(segment, { namespace, groups: [] }).isEmpty
  const bound = podsOf(attachment, env.caches).flatMap((pod) => {
    const member = memberOfPod(pod, env.caches.Namespace.get(pod.metadata.namespace ?? ''))
    const binding = bindingIn(member, { vni: segment, namespace }, env)
    return binding === undefined ? [] : [{ uid: pod.metadata.uid, binding }]
  })
  return { segment, pods: isJudged || bound.length > 0 ? bound : undefined, audit: env.config.policyEnforcement === 'audit' }
}
