// What a pod is told about its Nics: an annotation and a condition through pods/status, a Notice, and an Event.
import type { Write } from '../contracts/store.ts'
import { networkReadyCondition, nicStatusAnnotation } from '../kinds/annotations.ts'
import type { PodCondition } from '../kinds/foreign.ts'
import { refOf, type Resource } from '../kinds/index.ts'
import { eventOf } from './events.ts'
import { noticeOf, standingOf } from './notices.ts'
import type { PodPlan } from './pod.ts'
import type { Reporting } from './status.ts'

/** The Ports are on their way, and nobody has to wait for anything: by the time it were read it would no longer be so. */
const quiet = 'PortsPending'

export interface PodReporting extends Reporting {
  /** Which Events are made: our own store keeps none that tell of nothing but success. */
  readonly events: 'all' | 'warnings'
}

/** The writes that bring a pod's report to what its plan says: Notice, report, Event, in that order. */
export function podReported(pod: Resource<'Pod'>, { phase, reason, message, nics }: PodPlan, reporting: PodReporting): readonly Write[] {
  const before = standingOf(pod) ?? { phase: undefined, sequence: 0 }
  const turned = before.phase !== phase
  if (reason === quiet && (before.phase ?? phase) === phase) return []
  const said = { phase, sequence: turned ? before.sequence + 1 : before.sequence, message, reason }
  const annotations = { [nicStatusAnnotation]: JSON.stringify({ ...said, nics }) }
  if (pod.metadata.annotations?.[nicStatusAnnotation] === annotations[nicStatusAnnotation]) return []
  const patch: Write = { do: 'patchPodStatus', pod: refOf(pod), uid: pod.metadata.uid, annotations, conditions: [conditionOf(said)] }
  return turned ? [...noticed(pod, annotations, reporting), patch, ...told(pod, said, reporting)] : [patch]
}

const conditionOf = ({ phase, reason, message }: Pick<PodPlan, 'phase' | 'reason' | 'message'>): PodCondition => ({ type: networkReadyCondition, status: phase === 'ready' ? 'True' : 'False', reason, message })

function noticed(pod: Resource<'Pod'>, annotations: Readonly<Record<string, string>>, reporting: PodReporting): Write[] {
  const after = { ...pod, metadata: { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } } }
  const notice = noticeOf(after, reporting, reporting.now)
  return notice === undefined ? [] : [notice]
}

type Turned = Pick<PodPlan, 'phase' | 'reason' | 'message'> & { readonly sequence: number }

function told(pod: Resource<'Pod'>, { phase, reason, message, sequence }: Turned, { now, events }: PodReporting): Write[] {
  const normal = phase === 'ready' || phase === 'terminating'
  if (reason === quiet || (normal && events === 'warnings')) return []
  return [eventOf(pod, { type: normal ? 'Normal' : 'Warning', reason: phase === 'ready' ? 'NicsReady' : reason, note: message, sequence }, now)]
}
