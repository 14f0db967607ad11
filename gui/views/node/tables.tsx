// What a data plane does for a Port, table by table: what is there, solid; what is not there yet, dotted; each with its reason, and with
// what goes through it.
import { When } from '../../parts/when.tsx'
import type { InquiryAnswer, InquiryItem } from './inquire.ts'
import { rateText, short, type Rate } from './rates.ts'

interface TablesProps {
  readonly answer: InquiryAnswer
  /** Absent: it was asked once. */
  readonly rates?: ReadonlyMap<string, Rate>
  readonly filter?: string
}

export function Tables({ answer, rates, filter = '' }: TablesProps) {
  const all = answer.items ?? []
  const items = all.filter((item) => isLike(item, filter.trim().toLowerCase()))
  const tables = Map.groupBy(items, ({ where }) => where)
  return (
    <>
      <p class="quiet" data-flows={items.length}>
        {answer.outcome === 'answered'
          ? `With ${answer.dataplane}: ${items.length === all.length ? all.length : `${items.length} of ${all.length}`}`
          : (answer.message ?? answer.outcome)}
        {answer.truncated === true && ', and more than an answer holds'}
      </p>
      {[...tables].map(([where, those]) => (
        <section key={where} data-table={where}>
          <h2>{where}</h2>
          <ul class="receipt">
            {those.map((item) => (
              <Flow key={item.key} item={item} rate={rates?.get(item.key)} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function Flow({ item: { key, match, does, because, state, instead, packets, bytes, lastUsed }, rate }: FlowProps) {
  return (
    <li data-state={state} data-flow={key}>
      <code>{match}</code>
      <span>
        → {does}
        {instead !== undefined && <em> instead of {instead}</em>}
      </span>
      <span class="quiet">
        because {because} · {state}
      </span>
      {packets !== undefined && (
        <span class="counted" data-moving={rate !== undefined && rate.packets > 0}>
          {short(packets)} packets{bytes !== undefined && `, ${short(bytes)}B`.replace(/(\d)B/, '$1 B')}
          {lastUsed !== undefined && (
            <>
              , last <When at={lastUsed} />
            </>
          )}
          {rate !== undefined && <strong data-rate={rate.packets}> {rateText(rate)}</strong>}
        </span>
      )}
    </li>
  )
}
interface FlowProps {
  readonly item: InquiryItem
  readonly rate: Rate | undefined
}

const isLike = ({ where, match, does, because, state }: InquiryItem, filter: string): boolean =>
  filter === '' || [where, match, does, because, state].some((text) => text.toLowerCase().includes(filter))
