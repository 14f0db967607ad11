// From a plan to the status section `report`: conditions, phase derived from them, sequence and timeline.
import type { Condition, Phase, Report } from '../kinds/meta.ts'

const timelineMax = 16

export interface Verdict {
  readonly phase: Phase
  readonly reason: string
  readonly message: string
  readonly conditions?: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[]
  /** What counts as a change of phase though it stays: the reason in the timeline. */
  readonly happened?: string | undefined
}

/** kstatus: Ready says it is as asked, Stalled that a person is needed. */
function conditionsOf(verdict: Verdict, before: readonly Condition[], generation: number, at: string): Condition[] {
  const { reason, message } = verdict
  const wanted = [
    { type: 'Ready', status: verdict.phase === 'ready' ? 'True' : verdict.phase === 'pending' ? 'Unknown' : 'False', reason, message },
    { type: 'Stalled', status: verdict.phase === 'error' ? 'True' : 'False', reason, message },
    ...(verdict.conditions ?? []),
  ] as const
  return wanted.map(({ type, status, ...verdict }) => {
    const old = before.find((condition) => condition.type === type)
    return {
      type,
      status,
      reason: verdict.reason,
      message: verdict.message,
      observedGeneration: generation,
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : at,
    }
  })
}

/** The phase that conditions amount to. */
export function phaseOf(conditions: readonly Condition[], deleting: boolean): Phase {
  const is = (type: string): boolean => conditions.some((condition) => condition.type === type && condition.status === 'True')
  if (deleting) return 'terminating'
  return is('Stalled') ? 'error' : is('Ready') ? 'ready' : 'pending'
}

/** Whoever writes these, a plan says nothing of them. */
const keptOf = ({ told, asked }: Report): Partial<Report> => ({
  ...(told !== undefined && { told }),
  ...(asked !== undefined && { asked }),
})

/**
 * The next report, and whether the phase changed, or something happened that counts so (then `sequence` counted up and a notice is due).
 *
 * @param now milliseconds since 1970
 */
export function nextReport(
  before: Report,
  verdict: Verdict,
  generation: number,
  now: number,
): { readonly report: Report; readonly phaseChanged: boolean } {
  const at = new Date(now).toISOString()
  const conditions = conditionsOf(verdict, before.conditions ?? [], generation, at)
  const phase = phaseOf(conditions, verdict.phase === 'terminating')
  const phaseChanged = before.phase !== phase || verdict.happened !== undefined
  const sequence = (before.sequence ?? 0) + (phaseChanged ? 1 : 0)
  const timeline = phaseChanged
    ? [...(before.timeline ?? []), { sequence, time: at, phase, reason: verdict.happened ?? verdict.reason }].slice(-timelineMax)
    : (before.timeline ?? [])
  return {
    phaseChanged,
    report: {
      phase,
      message: verdict.message,
      observedGeneration: generation,
      sequence,
      conditions,
      ...keptOf(before),
      timeline,
    },
  }
}
