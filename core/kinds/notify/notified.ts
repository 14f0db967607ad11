import { definitionOf, isOwnKind, type Kind } from '../index.ts'

/**
 * What somebody may subscribe to: pods, and what people write; not what Megrez makes for itself, nor questions to nodes, whose answers
 * are large and soon gone.
 */
export const isNotified = (kind: Kind): boolean =>
  kind === 'Pod' || (isOwnKind(kind) && kind !== 'Subscription' && kind !== 'Inquiry' && kind !== 'Audit' && !definitionOf(kind).internal)
