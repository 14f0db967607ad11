// What a Subscription does to each object that it is about before it says that it tells of it: whatever was planned by somebody who had not
// heard of it yet no longer lands, and the object's end is kept until it is told.
import type { Write } from '../../contracts/store.ts'
import { askedAnnotation, noticeFinalizer } from '../../kinds/annotations.ts'
import { definitionOf, refOf, type OwnKind, type Resource } from '../../kinds/index.ts'
import type { Report } from '../../kinds/meta.ts'
import { hash80 } from '../../net/names.ts'
import { digestOf } from './changes.ts'
import { fencedPodStatus, fencedStatus } from '../fence.ts'

type Subscription = Resource<'Subscription'>

/** The part of a Subscription that selects objects: when that changes it begins anew. */
export const aboutOf = ({ spec: { filter, changes } }: Pick<Subscription, 'spec'>): string =>
  hash80('about', JSON.stringify([filter, changes]))

/**
 * Every report is fenced by `asked`, so a report that was planned before falls. None where it stands already: a pass before this one was
 * cut off.
 *
 * @param item as it was read just now
 */
export function subscribeWrites(subscription: Subscription, item: Resource): readonly Write[] {
  const { uid, deletionTimestamp, finalizers = [] } = item.metadata
  const kept = deletionTimestamp !== undefined || finalizers.includes(noticeFinalizer)
  return [
    ...(kept ? [] : [{ do: 'addFinalizer' as const, ref: refOf(item), uid, finalizer: noticeFinalizer }]),
    ...asWatched(subscription, item),
  ]
}

function asWatched({ metadata: { resourceVersion }, spec }: Subscription, item: Resource): readonly Write[] {
  if (item.kind === 'Pod') {
    const pod = item as Resource<'Pod'>
    return pod.metadata.annotations?.[askedAnnotation] === resourceVersion
      ? []
      : [fencedPodStatus(pod, { [askedAnnotation]: resourceVersion }, [])]
  }
  const own = item as Resource<OwnKind>
  const before = reportOf(own)
  const digest = spec.changes === 'all' && before.phase !== undefined ? { told: before.told ?? digestOf(own) } : {}
  return before.asked === resourceVersion
    ? []
    : [fencedStatus(own, { report: { ...before, ...digest, asked: resourceVersion } }, { outlivesSpec: true })]
}

function reportOf({ kind, status = {} }: Resource<OwnKind>): Report {
  const fields = new Set(definitionOf(kind).sections['report'])
  return Object.fromEntries(Object.entries(status).filter(([name]) => fields.has(name)))
}
