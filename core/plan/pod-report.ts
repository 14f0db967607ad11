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

export interface PodReporting extends Reporting {
  /** Which Events are made: our own store keeps none that tell of nothing but success. */
  readonly events: 'all' | 'warnings'
}

/** The writes that bring a pod's report to what its plan says: Notice, report, Event, in that order. */
export function podReported(pod: Resource<'Pod'>, { phase, reason, message, nics }: PodPlan, reporting: PodReporting): readonly Write[] {
  const before = standingOf(pod)
  const turned = before?.phase !== phase
  const sequence = (before?.sequence ?? 0) + (turned ? 1 : 0)
  const text = JSON.stringify({ phase, sequence, message, reason, nics })
  if (pod.metadata.annotations?.[nicStatusAnnotation] === text) return []
  const annotations = { [nicStatusAnnotation]: text }
  const conditions = [{ type: networkReadyCondition, status: phase === 'ready' ? ('True' as const) : ('False' as const), reason, message }]
  const patch: Write = { do: 'patchPodStatus', pod: refOf(pod), uid: pod.metadata.uid, annotations, conditions }
  return turned ? [...noticed(pod, annotations, reporting), patch, ...told(pod, { phase, reason, message, sequence }, reporting)] : [patch]
}

function noticed(pod: Resource<'Pod'>, annotations: Readonly<Record<string, string>>, { now, namespace }: PodReporting): Write[] {
  const after = { ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } } }
  const notice = noticeOf(after, { namespace }, now)
  return notice === undefined ? [] : [notice]
}

type Turned = Pick<PodPlan, 'phase' | 'reason' | 'message'> & { readonly sequence: number }

function told(pod: Resource<'Pod'>, { phase, reason, message, sequence }: Turned, { now, events }: PodReporting): Write[] {
  const normal = phase === 'ready' || phase === 'terminating'
  if (quiet.has(reason) || (normal && events === 'warnings')) return []
  return [eventOf(pod, { type: normal ? 'Normal' : 'Warning', reason: phase === 'ready' ? 'NicsReady' : reason, note: message, sequence }, now)]
}
