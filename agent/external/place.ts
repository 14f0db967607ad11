// Whose an interface in VLANs is, as its L2ServiceAttachment knows it.
import type { Resource } from '../../core/kinds/index.ts'
import type { LocalPort } from '../../core/node/wanted.ts'

export interface ExternalPlace {
  readonly attachment: Resource<'L2ServiceAttachment'>
  readonly podUID: string | undefined
  /** The interface as it was before this moment; absent: there was none. */
  readonly before?: LocalPort
}
