// What would be sent once more: counted before anybody says yes.
import { client, taken } from '../../contract/api.ts'
import { useAnswer } from '../../parts/answer.ts'
import { Failure } from '../../parts/failure.tsx'

/** Counted as far as that. */
const countedMost = 500

interface KeptProps {
  readonly path: { readonly namespace: string; readonly name: string }
  readonly sink: string
}

export function Kept({ path, sink }: KeptProps) {
  const { answer, err } = useAnswer(`${path.namespace}/${path.name}`, 0, async () =>
    taken(await client.GET('/v1/namespaces/{namespace}/subscriptions/{name}/events', { params: { path, query: { limit: countedMost } } })),
  )
  if (err !== undefined) return <Failure err={err} />
  if (answer === undefined) return <p class="quiet">Counting what is kept …</p>
  const { length } = answer.items
  const objects = new Set(answer.items.map(({ event }) => nameIn(event))).size
  return (
    <p data-kept={length}>
      {length === 0 ? 'Nothing is kept now: nothing would be sent' : `${length}${length < countedMost ? '' : ' or more'} kept notices`}
      {length > 0 && objects > 1 && ` of ${objects} objects`} {length > 0 && 'are sent once more'} to <code>{sink}</code>
      {length > 0 && ', under the ids that they had: a receiver that has taken one before knows it by that'}.
    </p>
  )
}

/** Of an object's own form; another profile's event names it elsewhere, and is then counted alone. */
const nameIn = (event: Readonly<Record<string, unknown>>): string => {
  const { kind, metadata } = event as {
    readonly kind?: string
    readonly metadata?: { readonly namespace?: string; readonly name?: string }
  }
  return `${kind ?? ''}/${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`
}
