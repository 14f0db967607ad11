// What is told of the node's BGP daemon, and how often.
import type { StatusOf } from '../../core/kinds/index.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Clock } from '../../platform/clock.ts'

/** The section that the agent writes. */
export type SpeakerStatus = Required<Pick<StatusOf<'BGPSpeaker'>, 'daemon' | 'addresses' | 'sessions'>>

/** Counts of routes change all the time, and are told this often at most. */
const countsMs = 10_000

/** Tells of a daemon what is worth telling: anything but counts at once. */
export class StatusReports {
  readonly #report: (status: SpeakerStatus) => void
  readonly #clock: Pick<Clock, 'elapsed'>
  #last: { readonly status: SpeakerStatus; readonly at: number } | undefined

  constructor(report: (status: SpeakerStatus) => void, clock: Pick<Clock, 'elapsed'>) {
    this.#report = report
    this.#clock = clock
  }

  take(seen: SpeakerStatus): void {
    const at = this.#clock.elapsed()
    const status = withSteadyTimes(this.#last?.status, seen)
    if (this.#last !== undefined && !isWorthTelling(this.#last, status, at)) return
    this.#last = { status, at }
    this.#report(status)
  }
}

function isWorthTelling(last: { readonly status: SpeakerStatus; readonly at: number }, now: SpeakerStatus, at: number): boolean {
  if (sameJson(last.status, now)) return false
  return at - last.at >= countsMs || !sameJson(withoutCounts(last.status), withoutCounts(now))
}

const withoutCounts = (status: SpeakerStatus): unknown => ({
  ...status,
  sessions: status.sessions.map(({ imported: _, exported: __, ...session }) => session),
})

/** FRR says how many seconds a session is up: two looks may differ by one although nothing has happened. */
const jitterMs = 2_000

const isAbout = (one: string | undefined, other: string | undefined): one is string =>
  one !== undefined && other !== undefined && Math.abs(Date.parse(one) - Date.parse(other)) <= jitterMs

/** A session that is in the state that it was in has been so since the time that was told of it. */
export function withSteadyTimes(reported: SpeakerStatus | undefined, now: SpeakerStatus): SpeakerStatus {
  const before = new Map((reported?.sessions ?? []).map((each) => [`${each.group} ${each.session}`, each]))
  return {
    ...now,
    sessions: now.sessions.map((session) => {
      const last = before.get(`${session.group} ${session.session}`)
      return last?.state === session.state && isAbout(last.since, session.since) ? { ...session, since: last.since } : session
    }),
  }
}
