// Where pods of L2ServiceAttachments are, as policies look at that: in the VLAN of the attachment.
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { attachmentSegment } from '../../core/plan/node/external-policy.ts'
import type { PortPlace } from './place.ts'

type Attachment = Resource<'L2ServiceAttachment'>

/** In a VLAN the holder of its lock is one L2Service, and attachments are of its namespace: identities and rule sets live there. */
export function placeInVlan(attachment: Attachment | undefined, namespace: string): PortPlace | undefined {
  const segment = attachment && attachmentSegment(attachment)
  return segment === undefined ? undefined : { vni: segment, network: attachment?.metadata.namespace ?? '', namespace, groups: [] }
}

/** Of a rule set that an attachment's status names, or named, the keys. */
export const ruleSetsNamed = ({ metadata: { namespace = '' }, status }: Attachment): readonly string[] => [
  ...new Set((status?.policy?.judged ?? []).flatMap(({ ruleSets }) => ruleSets.map((name) => `${namespace}/${name}`))),
]

/** Keys of the identities that it tells of. */
export const identitiesTold = ({ metadata: { namespace = '' }, status: { policy } = {} }: Attachment): readonly string[] =>
  (policy?.judged ?? []).map(({ identity }) => `${namespace}/vni-${policy!.segment}-${identity}`)

export const podPlaceKey = (pod: string, attachment: string): string => `pod ${pod} on ${attachment}`
export const attachmentPlaceKey = (attachment: Attachment): string => `attachment ${keyOfItem(attachment)}`
