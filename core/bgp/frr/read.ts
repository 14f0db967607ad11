// `show bgp neighbors json` of FRR.
import { isObject } from '../../json.ts'
import { lineOf, stateOf, type SeenSession, type SessionState } from '../session-state.ts'
import type { SpeakerSpec } from '../speaker.ts'

type JsonObject = Readonly<Record<string, unknown>>
const partOf = (answer: JsonObject, key: string): JsonObject => (isObject(answer[key]) ? answer[key] : {})

/** Every session of the speaker, also those that the daemon does not have. */
export function read(text: string, { groups }: SpeakerSpec): readonly SeenSession[] {
  const answer = parseNeighbours(text)
  return groups.flatMap(({ name: group, sessions }) =>
    sessions.map(({ name: session, address }) => ({ group, session, address, ...seenOf(partOf(answer, address)) })),
  )
}

/** It says nothing where it has no neighbours. */
export function parseNeighbours(text: string): JsonObject {
  try {
    const answer: unknown = JSON.parse(text)
    return isObject(answer) ? answer : {}
  } catch {
    return {}
  }
}

function seenOf(answer: JsonObject): Omit<SeenSession, 'group' | 'session' | 'address'> {
  const counts = Object.values(partOf(answer, 'addressFamilyInfo')).filter(isObject)
  const sum = (key: string): number => counts.reduce((all, each) => all + Number(each[key] ?? 0), 0)
  const { bgpState, bgpTimerUpEstablishedEpoch: since, lastResetDueTo: reset } = answer
  return {
    state: stateOf(String(bgpState)),
    ...(typeof since === 'number' && since > 0 && { since: new Date(since * 1000).toISOString() }),
    imported: sum('acceptedPrefixCounter'),
    exported: sum('sentPrefixCounter'),
    ...(typeof reset === 'string' && reset !== '' && reset !== 'Waiting for peer OPEN' && { lastError: lineOf(reset) }),
  }
}

export const stateOfNeighbour = (answer: JsonObject, address: string): SessionState => seenOf(partOf(answer, address)).state
