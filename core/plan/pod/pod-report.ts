// What a pod is told about its Nics: an annotation and a condition through pods/status, a Notice, and an Event.
import type { Write } from '../../contracts/store.ts'
import { networkReadyCondition, nicStatusAnnotation } from '../../kinds/annotations.ts'
import type { PodCondition } from '../../kinds/foreign.ts'
import type { Resource } from '../../kinds/index.ts'
import type { Phase, Transition } from '../../kinds/meta.ts'
import { sameJson } from '../../same-json.ts'
import { wantsAllChanges, type Wiring } from '../notify/changes.ts'
import { eventOf } from '../events.ts'
import { fencedPodStatus } from '../fence.ts'
import { noticeOf, reportIn, reportedStateOf, timelineOf, type NotifiedObject } from '../notify/notices.ts'
import type { NicReport, PodPlan } from './pod.ts'
import type { Reporting } from '../status.ts'

/** The writes that bring a pod's report to what its plan says: Notice, report, Event, in that order. */
export function podReported(pod: Resource<'Pod'>, plan: PodPlan, reporting: Reporting): readonly Write[] {
  const { phase, reason, message } = plan
  const before = reportedStateOf(pod) ?? { phase: undefined, sequence: 0 }
  if (isQuiet(plan, before.phase)) return []
  const all = wantsAllChanges(pod, reporting)
  const nics = nicsOf(plan, all)
  const changed = changeOf(pod, before.phase, { phase, reason, nics }, all)
  const verdict = { phase, sequence: changed === undefined ? before.sequence : before.sequence + 1, message, reason }
  const annotations = {
    [nicStatusAnnotation]: JSON.stringify({ ...verdict, nics, timeline: nextTimeline(pod, verdict, { changed, now: reporting.now }) }),
  }
  if (pod.metadata.annotations?.[nicStatusAnnotation] === annotations[nicStatusAnnotation]) return []
  const patch = fencedPodStatus(pod, annotations, [conditionOf(verdict)])
  if (changed === undefined) return [patch]
  return [
    ...noticed(pod, annotations, reporting, changed),
    patch,
    ...(changed === 'phase' ? eventsOf(pod, plan, { now: reporting.now, before: before.phase, sequence: verdict.sequence }) : []),
  ]
}

const isQuiet = ({ phase, isOnItsWay = false, requestsNothing: asksForNothing = false }: PodPlan, before: Phase | undefined): boolean =>
  asksForNothing || (isOnItsWay && (before ?? phase) === phase)

/** Fewer than other kinds have: an annotation is read by people. */
const timelineMost = 4

function nextTimeline(
  pod: Resource<'Pod'>,
  { sequence, phase, reason }: Turned,
  { changed, now }: { readonly changed: NotifiedObject | undefined; readonly now: number },
): readonly Transition[] {
  const before = timelineOf(pod)
  return changed === 'phase' ? [...before, { sequence, time: new Date(now).toISOString(), phase, reason }].slice(-timelineMost) : before
}

const nicsOf = ({ nics, wiring }: PodPlan, all: boolean): readonly Nic[] => nics.map((nic, i) => ({ ...nic, ...(all && wiring?.[i]) }))

type Nic = NicReport & Partial<Wiring>
interface PodVerdict {
  readonly phase: Phase
  readonly reason: string
  readonly nics: readonly Nic[]
}

/** Beside the phase its Nics and their wiring, or why it is in error: for whoever asks for more. */
function changeOf(
  pod: Resource<'Pod'>,
  before: Phase | undefined,
  { phase, reason, nics }: PodVerdict,
  all: boolean,
): NotifiedObject | undefined {
  if (before !== phase) return 'phase'
  if (!all) return undefined
  const was = (reportIn(pod) ?? {}) as Partial<PodVerdict>
  const comparable = nics.map((nic, i) => (was.nics?.[i]?.wired === undefined ? bare(nic) : nic))
  return !sameJson(was.nics, comparable) || (phase === 'error' && was.reason !== reason) ? 'more' : undefined
}

/** Whoever begins to ask is not told what was so before. */
function bare({ wired: _, hostIP: __, unsupported: ___, ...nic }: Nic): NicReport {
  return nic
}

const conditionOf = ({ phase, reason, message }: Pick<PodPlan, 'phase' | 'reason' | 'message'>): PodCondition => ({
  type: networkReadyCondition,
  status: phase === 'ready' ? 'True' : 'False',
  reason,
  message,
})

function noticed(
  pod: Resource<'Pod'>,
  annotations: Readonly<Record<string, string>>,
  reporting: Reporting,
  changed: NotifiedObject,
): Write[] {
  const after = { ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } } }
  const notice = noticeOf(after, reporting, reporting.now, changed)
  return notice === undefined ? [] : [notice]
}

type Turned = Pick<PodPlan, 'phase' | 'reason' | 'message'> & { readonly sequence: number }

/** What is well from the start, or goes as it should, the condition says: an Event would be one write more for each pod. */
function eventsOf(
  pod: Resource<'Pod'>,
  { phase, reason, message, isOnItsWay = false }: PodPlan,
  { now, before, sequence }: { readonly now: number; readonly before: Phase | undefined; readonly sequence: number },
): Write[] {
  const normal = phase === 'ready' || phase === 'terminating'
  const wasWarnedOf = before === 'error' || before === 'pending'
  if (isOnItsWay || (normal && !wasWarnedOf)) return []
  return [
    eventOf(pod, { type: normal ? 'Normal' : 'Warning', reason: phase === 'ready' ? 'NicsReady' : reason, note: message, sequence }, now),
  ]
}
