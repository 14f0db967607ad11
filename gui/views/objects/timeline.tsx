// The changes of phase as a picture: how long each lasted, and beside it the two minutes that kubelet waits for a pod's network.
import type { Item } from '../../contract/kinds.ts'
import { reportOf, type Transition } from '../../contract/report.ts'
import { lasted, now, When } from '../../parts/when.tsx'

/** For how long kubelet has the runtime set up a pod's sandbox before it begins anew. */
const kubeletMs = 120_000
const [width, height] = [640, 54]

export function Timeline({ item }: { readonly item: Item }) {
  const { timeline = [] } = reportOf(item)
  const made = Date.parse(item.metadata.creationTimestamp)
  return (
    <section class="card wide">
      <h2>How it came to be so</h2>
      {timeline.length === 0 ? <p class="quiet">Its phase has not changed yet.</p> : <Picture made={made} timeline={timeline} />}
      <ol class="steps">
        {timeline.map((each) => (
          <li key={each.sequence}>
            <span class="dot" data-phase={each.phase} aria-hidden="true" />
            <span>
              <strong>{each.phase}</strong> {each.reason}
            </span>
            <span class="quiet">
              {lasted(Date.parse(each.time) - made)} after it was made, <When at={each.time} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Picture({ made, timeline }: { readonly made: number; readonly timeline: readonly Transition[] }) {
  const last = timeline.at(-1)
  const settled = last?.phase === 'ready' || last?.phase === 'deleted'
  const until = settled ? Date.parse(last.time) : now.value
  // On a scale where milliseconds and minutes are both seen.
  const longest = Math.max(kubeletMs * 1.6, until - made)
  const at = (ms: number): number => 8 + (Math.log1p(Math.max(0, ms) / 20) / Math.log1p(longest / 20)) * (width - 16)
  const spans = timeline.map((each, i) => ({
    ...each,
    from: Date.parse(each.time) - made,
    to: Date.parse(timeline[i + 1]?.time ?? '') - made || longest,
  }))
  const first = spans[0]?.from ?? 0
  return (
    <svg
      class="timeline"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`From its making to ${last?.phase ?? ''}: ${lasted(until - made)}`}
    >
      <rect class="span" data-phase="none" x={at(0)} y="14" width={Math.max(1, at(first) - at(0))} height="14" rx="3" />
      {spans.map(({ sequence, phase, from, to }) => (
        <rect
          key={sequence}
          class="span"
          data-phase={phase}
          x={at(from)}
          y="14"
          width={Math.max(3, at(to) - at(from) - 1)}
          height="14"
          rx="3"
        >
          <title>{`${phase} after ${lasted(from)}`}</title>
        </rect>
      ))}
      <line class="deadline" x1={at(kubeletMs)} x2={at(kubeletMs)} y1="6" y2="36" />
      <text class="scale end" x={at(kubeletMs) - 4} y="10">
        kubelet: 2 min
      </text>
      {[10, 100, 1_000, 10_000, 60_000].map((ms) => (
        <text key={ms} class="scale" x={at(ms)} y="46">
          {lasted(ms)}
        </text>
      ))}
    </svg>
  )
}
