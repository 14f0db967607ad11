// How external networks' objects are found from each other.
import { inNamespaceOf, type Resource } from '../../core/kinds/index.ts'
import { networksOf } from '../../core/plan/pod/networks.ts'
import { isPodFinished } from '../../core/plan/pod/pod.ts'
import { when } from './predicates.ts'
import { by, known, named, where } from './map-to-keys.ts'

type Attachment = Resource<'L2ServiceAttachment'>
const isTrunk = where<'L2ServiceAttachment'>('it is a trunk', (attachment) => attachment?.spec.vlanType === 'trunk')

/** Trunks on one ConnectionPoint concern each other. */
export const trunksBesideIt = by<'L2ServiceAttachment', 'L2ServiceAttachment'>(
  'L2ServiceAttachment',
  'connectionPoint',
  ({ spec }: Attachment) => [spec.connectionPoint],
  isTrunk,
)
export const attachmentsOnIt = by<'ConnectionPoint', 'L2ServiceAttachment'>('L2ServiceAttachment', 'connectionPoint', ({ metadata }) => [
  metadata.name,
])
export const attachmentsItUses = named<'Pod', 'L2ServiceAttachment'>(
  'L2ServiceAttachment',
  'those whose definitions it uses',
  networksOf,
  known,
)

export const servicesItNames = named<'L2ServiceAttachment', 'L2Service'>('L2Service', 'its L2Services', (attachment) =>
  attachment.spec.l2Services.map((name) => inNamespaceOf(attachment, name)),
)

/** It may be what a deletion or a VLAN's end waits for. */
export const letsGoOfNetworks = when<'Pod'>(
  'is gone or over',
  ({ before, after }) => before !== undefined && (after === undefined || (isPodFinished(after) && !isPodFinished(before))),
)
