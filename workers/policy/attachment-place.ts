// Where pods of L2ServiceAttachments are, as policies look at that: in the VLAN of the attachment.
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import type { PortPlace } from './place.ts'

type Attachment = Resource<'L2ServiceAttachment'>

/** The number of the VLAN that rules are for, the first of several; undefined: not ours to plumb, or not there yet. */
export function segmentOf({ status: { implementation, physicalNetwork, vlans = [], definition } = {} }: Attachment): number | undefined {
  const isOurs = implementation === 'megrez' && definition !== undefined
  return isOurs && physicalNetwork !== undefined && vlans[0] !== undefined ? vlanSegment(physicalNetwork, vlans[0]) : undefined
}

/** In a VLAN the holder of its lock is one L2Service, and attachments are of its namespace: identities and rule sets live there. */
export function placeInVlan(attachment: Attachment | undefined, namespace: string): PortPlace | undefined {
  const segment = attachment && segmentOf(attachment)
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
