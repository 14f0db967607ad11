import type { Item } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'
import { When } from '../../parts/when.tsx'

export function Conditions({ item }: { readonly item: Item }) {
  const { conditions = [] } = reportOf(item)
  return (
    <section class="card">
      <h2>Conditions</h2>
      {conditions.length === 0 && <p class="quiet">None yet.</p>}
      <ul class="rows">
        {conditions.map(({ type, status, reason, message, lastTransitionTime }) => (
          <li key={type}>
            <span>
              <strong>{type}</strong> <span class="quiet">{status}</span>
            </span>
            <span>
              {reason}: {message}
            </span>
            <span class="quiet">
              <When at={lastTransitionTime} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
