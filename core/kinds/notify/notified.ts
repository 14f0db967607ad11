import { definitionOf, isOwnKind, type Kind } from '../index.ts'

/**
 * What somebody may subscribe to: pods, what people write, and which endpoint a pod has of a NetworkService; not what else Megrez makes
 * for itself, nor questions to nodes, whose answers are large and soon gone.
 */
export const isNotified = (kind: Kind): boolean =>
  kind === 'Pod' ||
  kind === 'Connection' ||
  (isOwnKind(kind) && kind !== 'Subscription' && kind !== 'Inquiry' && kind !== 'Audit' && !definitionOf(kind).internal)
