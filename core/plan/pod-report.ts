// What a pod is told about its Nics: an annotation and a condition through pods/status, a Notice, and an Event.
import type { Write } from '../contracts/store.ts'
import { networkReadyCondition, nicStatusAnnotation } from '../kinds/annotations.ts'
import { refOf, type Resource } from '../kinds/index.ts'
import { eventOf } from './events.ts'
import { noticeOf, standingOf } from './notices.ts'
import type { PodPlan } from './pod.ts'
import type { Reporting } from './status.ts'

/** Nothing a person would ask about: the Ports are on their way. */
const quiet = new Set(['PortsPending'])

/** The writes that bring a pod's report to what its plan says: Notice, report, Event, in that order. */
export function podReported(pod: Resource<'Pod'>, { phase, reason, message, nics }: PodPlan, { now, namespace }: Reporting): readonly Write[] {
  const before = standingOf(pod)
  const turned = before?.phase !== phase
  const sequence = (before?.sequence ?? 0) + (turned ? 1 : 0)
  const text = JSON.stringify({ phase, sequence, message, reason, nics })
  if (pod.metadata.annotations?.[nicStatusAnnotation] === text) return []
  const annotations = { [nicStatusAnnotation]: text }
  const after = { ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } } }
  const notice = turned ? noticeOf(after, { namespace }, now) : undefined
  const conditions = [{ type: networkReadyCondition, status: phase === 'ready' ? ('True' as const) : ('False' as const), reason, message }]
  const told = turned && !quiet.has(reason) ? [eventOf(pod, { type: phase === 'ready' || phase === 'terminating' ? 'Normal' : 'Warning', reason: phase === 'ready' ? 'NicsReady' : reason, note: message, sequence }, now)] : []
  return [...(notice === undefined ? [] : [notice]), { do: 'patchPodStatus', pod: refOf(pod), uid: pod.metadata.uid, annotations, conditions }, ...told]
}
