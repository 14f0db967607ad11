import type { Item } from '../../contract/kinds.ts'
import { objects } from '../../live/objects.ts'
import { When } from '../../parts/when.tsx'

interface EventSpec {
  readonly regarding?: { readonly uid?: string }
  readonly type?: string
  readonly reason?: string
  readonly note?: string
  readonly eventTime?: string
}

export function Events({ item }: { readonly item: Item }) {
  const events = [...objects.of('Event').values()]
    .map((event) => ({ name: event.metadata.name, made: event.metadata.creationTimestamp, ...(event.spec as EventSpec) }))
    .filter(({ regarding }) => regarding?.uid === item.metadata.uid)
    .sort((a, b) => b.made.localeCompare(a.made))
  return (
    <section class="card">
      <h2>Events</h2>
      {events.length === 0 && <p class="quiet">Nothing was said of it.</p>}
      <ul class="rows">
        {events.slice(0, 20).map(({ name, type, reason, note, eventTime, made }) => (
          <li key={name}>
            <span>
              <strong class={type === 'Warning' ? 'bad' : ''}>{reason}</strong> {note}
            </span>
            <span class="quiet">
              <When at={eventTime ?? made} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
