// What is measured of the sessions of a node's BGP daemon, as it was told of last.
import type { MetricSet } from '../../platform/metrics/set.ts'
import type { SpeakerStatus } from './status.ts'

type Sessions = SpeakerStatus['sessions']
type Session = Sessions[number]

export function sessionGauges(set: MetricSet, sessions: () => Sessions): void {
  const ofGroup = ({ group }: Session): { readonly group: string } => ({ group })
  set.gauge('megrez_agent_bgp_sessions', () => {
    const stateOf = ({ group, state }: Session): { readonly group: string; readonly state: string } => ({ group, state })
    return sumBy(sessions(), stateOf, () => 1)
  })
  set.gauge('megrez_agent_bgp_prefixes_in', () => sumBy(sessions(), ofGroup, ({ imported = 0 }) => imported))
  set.gauge('megrez_agent_bgp_prefixes_out', () => sumBy(sessions(), ofGroup, ({ exported = 0 }) => exported))
}

/** @returns for each set of labels one sum */
function sumBy<L extends object>(
  sessions: Sessions,
  labelsOf: (session: Session) => L,
  countOf: (session: Session) => number,
): (readonly [L, number])[] {
  const sums = new Map<string, readonly [L, number]>()
  for (const each of sessions) {
    const labels = labelsOf(each)
    const key = JSON.stringify(labels)
    sums.set(key, [labels, (sums.get(key)?.[1] ?? 0) + countOf(each)])
  }
  return [...sums.values()]
}
