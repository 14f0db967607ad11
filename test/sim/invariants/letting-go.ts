import { wiredFinalizer } from '../../../core/kinds/annotations.ts'
import type { Resource } from '../../../core/kinds/index.ts'

/** A Port on its way out whose node has nothing of it gives its locks back before it goes. */
export const isLettingGo = ({ metadata }: Resource<'Port'>): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(wiredFinalizer) !== true
