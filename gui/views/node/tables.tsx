// What a data plane does for a Port, table by table: what is there, solid; what is not there yet, dotted; each with its reason.
import type { InquiryAnswer } from './inquire.ts'

export function Tables({ answer }: { readonly answer: InquiryAnswer }) {
  const tables = Map.groupBy(answer.items ?? [], ({ where }) => where)
  return (
    <>
      <p class="quiet">{answer.outcome === 'answered' ? `With ${answer.dataplane}:` : (answer.message ?? answer.outcome)}</p>
      {[...tables].map(([where, items]) => (
        <section key={where}>
          <h2>{where}</h2>
          <ul class="receipt">
            {items.map(({ key, match, does, because, state, instead, packets }) => (
              <li key={key} data-state={state}>
                <code>{match}</code>
                <span>
                  → {does}
                  {instead !== undefined && <em> instead of {instead}</em>}
                </span>
                <span class="quiet">
                  because {because} · {state}
                  {packets !== undefined && ` · ${packets} packets`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
