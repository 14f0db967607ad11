// A packet that is traced: which one, what policies say of it, and its way. All that the picture shows by its marks is said here in words.
import type { Picture } from '../../../contract/topology.ts'
import { choose, type PagePlace } from '../../../frame/place.ts'
import type { AnswerState } from '../../../parts/answer.ts'
import { Failure } from '../../../parts/failure.tsx'
import type { Graph } from '../graph.ts'
import { TraceForm } from './form.tsx'
import { noTrace, queryIn, type TraceAnswer } from './question.ts'
import { TraceVerdict } from './verdict.tsx'
import { Way } from './way.tsx'

interface TraceProps {
  readonly place: PagePlace
  readonly graph: Graph
  readonly picture: Picture | undefined
  readonly trace: AnswerState<TraceAnswer | undefined>
}

export function TracePanel({ place, graph, picture, trace: { answer, err } }: TraceProps) {
  const isComplete = queryIn(place) !== undefined
  return (
    <aside class="inspector trace" aria-label="Trace" data-trace={stateOf(isComplete, answer, err)}>
      <header>
        <span class="kind">Trace</span>
        <button type="button" class="small" onClick={clear}>
          Clear
        </button>
      </header>
      <TraceForm place={place} graph={graph} />
      {!isComplete && <p class="quiet">Name both ends, or choose them on the picture or in its list.</p>}
      {/* There before what it says: who hears the page is told of each verdict. */}
      <div role="status">
        {isComplete && answer === undefined && err === undefined && <p class="quiet">Reading …</p>}
        {answer !== undefined && <TraceVerdict answer={answer} />}
      </div>
      {err !== undefined && <Failure err={err} />}
      {answer !== undefined && <Way answer={answer} picture={picture} />}
    </aside>
  )
}

function stateOf(isComplete: boolean, answer: TraceAnswer | undefined, err: unknown): string {
  if (err !== undefined) return 'refused'
  if (!isComplete || answer === undefined) return isComplete ? 'reading' : 'open'
  return answer.isAllowed ? 'allowed' : 'denied'
}

/** The button goes with its panel: the focus goes to what opens it again. */
function clear(): void {
  choose(noTrace)
  document.querySelector<HTMLElement>('[data-open-trace]')?.focus()
}
