import { definitionOf, isOwnKind, type Kind } from './index.ts'

/** What somebody may subscribe to: pods, and what people write; not what Megrez makes for itself. */
export const isNotified = (kind: Kind): boolean =>
  kind === 'Pod' || (isOwnKind(kind) && kind !== 'Subscription' && !definitionOf(kind).internal)
