import type { Resource } from '../../kinds/index.ts'
import type { CommonPolicy } from '../one-form.ts'

/** Which policy it is, for whoever asks where a rule comes from. */
export function sourceOf({ kind, metadata }: Pick<Resource, 'kind' | 'metadata'>): CommonPolicy['of'] {
  const { namespace, name, uid, generation } = metadata
  return { kind, ...(namespace !== undefined && { namespace }), name, uid, generation }
}
