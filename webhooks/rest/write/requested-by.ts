// Megrez sets the annotation that names the user for whom an object is written, whatever a caller writes there.
import { requestedByAnnotation } from '../../../core/kinds/annotations.ts'
import type { Meta } from '../../../core/kinds/meta.ts'
import type { Requester } from '../../plugins/access.ts'

/** @param stored as it says already; a caller that writes under its own name leaves that as it is */
export function requestedBy<M extends Pick<Meta, 'annotations'>>(
  metadata: M,
  { name, always }: Requester,
  stored?: Pick<Meta, 'annotations'>,
): M {
  const { [requestedByAnnotation]: given, ...others } = metadata.annotations ?? {}
  const before = stored?.annotations?.[requestedByAnnotation]
  const by = name === undefined ? before : always || given !== undefined || before !== undefined ? name : undefined
  if (by === given) return metadata
  return { ...metadata, annotations: by === undefined ? others : { ...others, [requestedByAnnotation]: by } }
}
