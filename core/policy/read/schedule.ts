// When a policy with a schedule is in force: windows of the week, in UTC.
import type { Resource } from '../../kinds/index.ts'
import type { UnifiedSpec } from '../../kinds/policy/unified-network-policy.ts'

type Window = NonNullable<UnifiedSpec['schedule']>[number]

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const minuteMs = 60_000
const dayMinutes = 24 * 60
const weekMinutes = 7 * dayMinutes
/** 1970-01-01 was a Thursday. */
const epochMinutes = days.indexOf('Thu') * dayMinutes

interface Span {
  /** Minutes since Sunday, 00:00. */
  readonly from: number
  /** After that; past the end of a week where it is open on Saturday night. */
  readonly to: number
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** One that ends no later than it begins ends on the next day; without days it is of each. */
function spansOf({ days: on, from, to }: Window): readonly Span[] {
  const [begins, ends] = [minutesOf(from), minutesOf(to)]
  const lasts = ends > begins ? ends - begins : ends - begins + dayMinutes
  return (on ?? days).map((day) => {
    const at = days.indexOf(day) * dayMinutes + begins
    return { from: at, to: at + lasts }
  })
}

export interface ScheduleState {
  readonly inForce: boolean
  /** Milliseconds since 1970: since when nothing begins or ends, and when it is to be looked at again. */
  readonly since: number
  readonly until: number
}

/** @param now milliseconds since 1970. Without a window it is never in force */
export function scheduleStateAt(schedule: readonly Window[], now: number): ScheduleState {
  const week = (Math.floor(now / minuteMs) + epochMinutes) % weekMinutes
  const spans = schedule
    .flatMap(spansOf)
    .flatMap(({ from, to }) => [-weekMinutes, 0, weekMinutes].map((by) => ({ from: from + by, to: to + by })))
  const edges = spans.flatMap(({ from, to }) => [from, to])
  const next = Math.min(...edges.filter((each) => each > week), week + weekMinutes)
  const last = Math.max(...edges.filter((each) => each <= week), week - weekMinutes)
  const isOpen = spans.some(({ from, to }) => from <= week && week < to)
  const at = (minutes: number): number => (Math.floor(now / minuteMs) + minutes - week) * minuteMs
  return { inForce: isOpen, since: at(last), until: at(next) }
}

/**
 * Of a policy with a schedule. Whose clock is behind does not undo what another worker has written by its own.
 *
 * @param at milliseconds since 1970, by the clock of whoever looks
 * @returns also what it was looked at by
 */
export function scheduleOf(
  policy: Resource | undefined,
  at: { readonly now: number },
): (ScheduleState & { readonly now: number }) | undefined {
  if (policy?.kind !== 'UnifiedNetworkPolicy') return undefined
  const { spec, status } = policy as Resource<'UnifiedNetworkPolicy'>
  const now = Math.max(at.now, Date.parse(status?.schedule?.since ?? '') || 0)
  return spec.schedule && { ...scheduleStateAt(spec.schedule, now), now }
}
