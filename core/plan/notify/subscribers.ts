// Which Subscriptions an object's change is for.
import type { Resource } from '../../kinds/index.ts'
import type { Phase } from '../../kinds/meta.ts'
import { isPartOf } from '../../kinds/notify/nfv.ts'
import { parseLabels, type LabelTest } from '../../kinds/selector.ts'
import { isNotified } from '../../kinds/notify/notified.ts'

type Subscription = Resource<'Subscription'>

/** Where a Subscription without a sink says nothing: an hour. */
const pullKeepSeconds = 3_600

/** How long what it was told of is kept for pulling and replay, in milliseconds. */
export const keepMsOf = ({ spec }: Subscription): number => (spec.keepSeconds ?? (spec.sink === undefined ? pullKeepSeconds : 0)) * 1_000

/** Its sink has answered 410 since its spec was last changed. */
export const isGone = ({ status, metadata }: Subscription): boolean => status?.goneAt !== undefined && status.goneAt === metadata.generation

/**
 * Whether an object is one of those that a Subscription is about, whatever its phase.
 *
 * @param own Megrez's own namespace: only from there other namespaces and cluster kinds are seen
 */
export function isSubscribed(subscription: Subscription, item: Resource, own: string): boolean {
  const { filter = {} } = subscription.spec
  const { namespace, name, labels = {} } = item.metadata
  if (!isNotified(item.kind) || isGone(subscription) || !sees(subscription, namespace, own)) return false
  return (
    has(filter.kinds, item.kind) &&
    has(filter.names, name) &&
    testOf(filter.labels)(labels) &&
    (filter.nfv === undefined || isPartOf(filter.nfv, item.metadata))
  )
}

export const wantsPhase = ({ spec }: Subscription, phase: Phase): boolean => has(spec.filter?.phases, phase)

/** A namespace's Subscriptions see that namespace; Megrez's own see all. */
function sees({ spec, metadata }: Subscription, namespace: string | undefined, own: string): boolean {
  if (metadata.namespace !== own) return namespace === metadata.namespace
  return spec.filter?.namespaces === undefined || (namespace !== undefined && spec.filter.namespaces.includes(namespace))
}

const has = (wanted: readonly string[] | undefined, is: string): boolean => wanted === undefined || wanted.includes(is)

/** A selector is read once, not for each object: a pure function of its text. */
const tests = new Map<string, LabelTest>()
const testsMax = 1_024

function testOf(labels: string | undefined): LabelTest {
  if (labels === undefined) return () => true
  const known = tests.get(labels)
  if (known !== undefined) return known
  const test = parseLabels(labels) ?? (() => false)
  if (tests.size >= testsMax) tests.clear()
  tests.set(labels, test)
  return test
}
