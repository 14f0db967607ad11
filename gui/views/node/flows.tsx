// The flows of one Port, live: what they come from, and what goes through each.
import { keyAt, keyOf, type Item } from '../../contract/kinds.ts'
import { choose, linkTo, type PagePlace } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Failure } from '../../parts/failure.tsx'
import { questionsMost, useLiveFlows, type LiveFlows } from './live.ts'
import { ratesOf } from './rates.ts'
import { Tables } from './tables.tsx'

export function Flows({ port, place }: { readonly port: Item<'Port'>; readonly place: PagePlace }) {
  const { namespace = '', name } = port.metadata
  const live = useLiveFlows(namespace, name)
  const filter = place['filter'] ?? ''
  return (
    <section class="card" data-flows-of={keyOf(port)}>
      <h2>
        What it does for{' '}
        <a href={linkTo('Port', namespace, name)}>
          <bdi>{keyOf(port)}</bdi>
        </a>
      </h2>
      <Origin port={port} />
      <label class="filter">
        <span class="unseen">Filter its flows</span>
        <input
          type="search"
          value={filter}
          placeholder="Filter: table, address, action, reason …"
          onInput={(event) => choose({ filter: event.currentTarget.value }, 'replace')}
          data-flow-filter
        />
      </label>
      <Asking live={live} />
      {live.err !== undefined && <Failure err={live.err} again={live.again} />}
      {live.answer !== undefined && <Tables answer={live.answer} rates={ratesOf(live.answer, live.before)} filter={filter} />}
    </section>
  )
}

/** The objects that they come from, from the Port on. */
function Origin({ port }: { readonly port: Item<'Port'> }) {
  const { namespace } = port.metadata
  const { claim, subnet } = port.spec
  const vpc = objects.of('Subnet').get(keyAt(namespace, subnet))?.spec.vpc
  const links = [
    ...(claim?.pod === undefined ? [] : [{ kind: 'Pod', name: claim.pod }]),
    { kind: 'Subnet', name: subnet },
    ...(vpc === undefined ? [] : [{ kind: 'Vpc', name: vpc }]),
  ]
  return (
    <p class="quiet" data-origin>
      They come from this Port
      {links.map(({ kind, name }) => (
        <span key={kind}>
          {' '}
          · {kind}{' '}
          <a href={linkTo(kind, namespace, name)}>
            <bdi>{name}</bdi>
          </a>
        </span>
      ))}
    </p>
  )
}

function Asking({ live: { answer, is, err, again } }: { readonly live: LiveFlows }) {
  if (err !== undefined) return null
  if (is === 'over')
    return (
      <p class="notice" data-asking={is}>
        Its node was asked {questionsMost} times.{' '}
        <button type="button" class="small" onClick={again}>
          Go on
        </button>
      </p>
    )
  const words = answer === undefined ? 'Asking the node …' : is === 'hidden' ? 'Not asked while nobody looks.' : 'Asked every two seconds.'
  return (
    <p class="quiet" data-asking={is}>
      {words}
    </p>
  )
}
