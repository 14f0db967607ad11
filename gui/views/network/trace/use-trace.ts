// The answer of the trace that the address asks for; asked again after something has changed.
import { changes } from '../../../live/changes.ts'
import type { PagePlace } from '../../../frame/place.ts'
import { useAnswer, type AnswerState } from '../../../parts/answer.ts'
import { queryIn, traceOf, type TraceAnswer } from './question.ts'

export function useTrace(place: PagePlace): AnswerState<TraceAnswer | undefined> {
  const query = queryIn(place)
  // Where nothing is traced a change is nothing to ask about.
  const version = query === undefined ? 0 : changes.version.value
  return useAnswer(JSON.stringify(query ?? ''), version, async () => (query === undefined ? undefined : traceOf(query)))
}
