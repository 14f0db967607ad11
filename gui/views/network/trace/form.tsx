// Which packet: from whom, to whom, and what it is. It stands in the address once it is asked for.
import { useEffect, useRef, useState } from 'preact/hooks'
import { choose, type PagePlace } from '../../../frame/place.ts'
import { hasPorts, portIn, protocolIn, protocols } from '../../policy/question.ts'
import type { Graph } from '../graph.ts'
import { endAt } from './question.ts'

/** Offered while one types. */
const offeredMost = 300

export function TraceForm({ place, graph }: { readonly place: PagePlace; readonly graph: Graph }) {
  const [from, setFrom] = useDraft(place['from'] ?? '')
  const [to, setTo] = useDraft(place['to'] ?? '')
  const [protocol, setProtocol] = useDraft(protocolIn(place))
  const [port, setPort] = useDraft(String(portIn(place)))
  const form = useFirstEmpty(place)
  const submit = (event: Event): void => {
    event.preventDefault()
    choose({ from: from.trim(), to: to.trim(), protocol, port: hasPorts(protocol) ? port : undefined })
  }
  return (
    <form class="trace-form" onSubmit={submit} ref={form}>
      <End label="From" value={from} onInput={setFrom} />
      <End label="To" value={to} onInput={setTo} />
      <datalist id="trace-ends">
        {endsOf(graph).map((end) => (
          <option key={end} value={end} />
        ))}
      </datalist>
      <div class="question">
        <label class="filter">
          <span>Protocol</span>
          <select value={protocol} onChange={(event) => setProtocol(event.currentTarget.value as typeof protocol)}>
            {protocols.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        {hasPorts(protocol) && (
          <label class="filter">
            <span>Port</span>
            <input type="number" min={1} max={65_535} required value={port} onInput={(event) => setPort(event.currentTarget.value)} />
          </label>
        )}
        <button type="submit">Trace it</button>
      </div>
    </form>
  )
}

interface EndProps {
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
}
const End = ({ label, value, onInput }: EndProps) => (
  <label class="filter">
    <span>{label}</span>
    <input
      required
      list="trace-ends"
      spellcheck={false}
      autocomplete="off"
      placeholder="pod/…, port/… or an address"
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  </label>
)

/** What one types stays until the address says something else: the picture is drawn anew meanwhile. */
function useDraft<T>(given: T): [T, (value: T) => void] {
  const [draft, setDraft] = useState(given)
  useEffect(() => setDraft(given), [given])
  return [draft, setDraft]
}

/** Whoever has opened it with an end to fill in goes on there by the keyboard. */
function useFirstEmpty({ from, to }: PagePlace) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (from !== undefined && to !== undefined) return
    const inputs = [...(form.current?.querySelectorAll<HTMLInputElement>('input[list]') ?? [])]
    inputs.find(({ value }) => value === '')?.focus()
  }, [from, to])
  return form
}

const endsOf = ({ nodes }: Graph): readonly string[] => nodes.flatMap(({ id }) => endAt(id) ?? []).slice(0, offeredMost)
