// Who is to be told, and of what: the Notice that goes with a change of phase, and which Notice of an object is sent next.
import type { Draft, Write } from '../../contracts/store.ts'
import { callbackAnnotation, eventsLabelPrefix, nicStatusAnnotation } from '../../kinds/annotations.ts'
import type { Resource } from '../../kinds/index.ts'
import { phases, type Holder, type Phase, type Transition } from '../../kinds/meta.ts'
import { noticeName } from '../../net/names.ts'
import { isSubscribed, keepMsOf, wantsPhase } from './subscribers.ts'

export interface NoticeSettings {
  /** Megrez's own: Notices outlive the namespace of what they tell of. */
  readonly namespace: string
  /** Those that may be about an object; which are is judged here. */
  readonly subscriptions?: (item: Resource) => Iterable<Resource<'Subscription'>>
}

/** Whether somebody is to be told of an object: then it has our finalizer, so that its end can be told. */
export function isSubscribedTo(item: Resource, { namespace, subscriptions }: NoticeSettings): boolean {
  if (callbackOf(item) !== undefined) return true
  for (const each of subscriptions?.(item) ?? []) if (isSubscribed(each, item, namespace)) return true
  return false
}

/** What of an object has changed: its phase, or something of which only some want to be told. */
export type NotifiedObject = 'phase' | 'more'

/** How far an object has come: `sequence` counts its changes of phase, and others where somebody asks for them. */
export interface ReportedState {
  readonly phase: Phase
  readonly sequence: number
}

/** Where changes of this object are told: its callbackURL, or the pod's annotation. */
export function callbackOf(item: Resource): string | undefined {
  const given =
    item.kind === 'Pod' ? item.metadata.annotations?.[callbackAnnotation] : (item.spec as { readonly callbackURL?: unknown }).callbackURL
  return typeof given === 'string' && given !== '' ? given : undefined
}

/** From status, or from what we report in a pod's annotation; undefined before the first report. */
export function reportedStateOf(item: Resource): ReportedState | undefined {
  const report = reportIn(item)
  if (typeof report !== 'object' || report === null) return undefined
  const { phase, sequence } = report as { readonly phase?: unknown; readonly sequence?: unknown }
  return phases.includes(phase as Phase) && Number.isInteger(sequence) && Number(sequence) > 0
    ? { phase: phase as Phase, sequence: Number(sequence) }
    : undefined
}

/** The latest changes of phase, oldest first; each is told with the same time. */
export function timelineOf(item: Resource): readonly Transition[] {
  const { timeline } = (reportIn(item) ?? {}) as { readonly timeline?: unknown }
  return Array.isArray(timeline) ? (timeline as readonly Transition[]) : []
}

/** A status, or what a pod was told last, as it stands there: a pod's owner may have written nonsense. */
export const reportIn = (item: Resource): unknown => (item.kind === 'Pod' ? podReport(item) : item.status)

function podReport(pod: Resource): unknown {
  try {
    return JSON.parse(pod.metadata.annotations?.[nicStatusAnnotation] ?? 'null')
  } catch {
    return undefined
  }
}

/**
 * The write that must stand before the status write of the same commit, whenever an object's sequence counts up. Where it
 * finds a Notice of that name, a rival, or we before a crash, wrote it and the object has not reached it: it is replaced.
 *
 * @param after the object as it is about to be: phase and sequence already those of the change
 * @param now   milliseconds since 1970
 * @returns undefined where nobody asked to be told
 */
export function noticeOf(after: Resource, settings: NoticeSettings, now: number, changed: NotifiedObject = 'phase'): Write | undefined {
  const callbackURL = changed === 'phase' ? callbackOf(after) : undefined
  const at = reportedStateOf(after)
  if (at === undefined) return undefined
  const subscriptions = [...(settings.subscriptions?.(after) ?? [])].filter(
    (each) =>
      isSubscribed(each, after, settings.namespace) && wantsPhase(each, at.phase) && (changed === 'phase' || each.spec.changes === 'all'),
  )
  if (callbackURL === undefined && subscriptions.length === 0) return undefined
  const pushed = subscriptions.filter(({ spec }) => spec.sink !== undefined).map(({ metadata }) => metadata.uid)
  const spec = {
    of: holderOf(after),
    sequence: at.sequence,
    phase: at.phase,
    time: new Date(now).toISOString(),
    ...(callbackURL === undefined ? {} : { callbackURL }),
    ...(pushed.length === 0 ? {} : { subscriptions: pushed }),
    ...keptOf(subscriptions, now),
    object: notifiedStateOf(after, at.phase),
  }
  const draft: Draft<'Notice'> = {
    kind: 'Notice',
    metadata: { namespace: settings.namespace, name: noticeName(after.metadata.uid, at.sequence), ...labelled(subscriptions) },
    spec,
  }
  return { do: 'create', draft }
}

function keptOf(subscriptions: readonly Resource<'Subscription'>[], now: number): { readonly keepUntil?: string } {
  const keepMs = Math.max(0, ...subscriptions.map(keepMsOf))
  return keepMs === 0 ? {} : { keepUntil: new Date(now + keepMs).toISOString() }
}

/** By label, so that a Subscription's events are found without looking at all there are. */
function labelled(subscriptions: readonly Resource<'Subscription'>[]): { readonly labels?: Readonly<Record<string, string>> } {
  const keeping = subscriptions.filter((each) => keepMsOf(each) > 0)
  return keeping.length === 0 ? {} : { labels: Object.fromEntries(keeping.map(({ metadata }) => [eventsLabel(metadata.uid), ''])) }
}

export const eventsLabel = (uid: string): string => `${eventsLabelPrefix}${uid}`

/** An object's last state: as it was last seen, one step on, and `deleted`. To be given to noticeOf before our last finalizer goes. */
export function deletedStateOf<K extends Resource['kind']>(last: Resource<K>): Resource<K> {
  const sequence = (reportedStateOf(last)?.sequence ?? 0) + 1
  if (last.kind !== 'Pod')
    return { ...last, status: { ...(last.status as object), phase: 'deleted', sequence } as unknown as NonNullable<Resource<K>['status']> }
  const report = { ...(podReport(last) as object | undefined), phase: 'deleted', sequence }
  return {
    ...last,
    metadata: { ...last.metadata, annotations: { ...last.metadata.annotations, [nicStatusAnnotation]: JSON.stringify(report) } },
  }
}

function holderOf({ kind, metadata: { namespace, name, uid } }: Resource): Holder {
  return namespace === undefined ? { kind, name, uid } : { kind, namespace, name, uid }
}

/** What the receiver reads. The resourceVersion it will have is not known yet, and managedFields are the API server's own. */
export function notifiedStateOf(after: Resource, phase: Phase): object {
  const {
    resourceVersion: _,
    managedFields: __,
    ...metadata
  } = after.metadata as Resource['metadata'] & { readonly managedFields?: unknown }
  const whole = {
    apiVersion: after.apiVersion,
    kind: after.kind,
    metadata,
    spec: after.spec,
    ...(after.status === undefined ? {} : { status: after.status }),
  }
  // A pod's own phase knows no `deleted`; the callback's does, for every kind.
  return phase === 'deleted' ? { ...whole, status: { ...(after.status as object | undefined), phase } } : whole
}
