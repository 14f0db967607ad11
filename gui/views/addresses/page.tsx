// A Subnet as a map of its blocks: used, reserved, resting, excluded; and how its use has gone, before and since this page was opened.
import { computed } from '@preact/signals'
import { keyOf, type Item } from '../../contract/kinds.ts'
import { choose, linkTo, type PagePlace } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Chart } from '../../parts/chart.tsx'
import { Empty } from '../../parts/empty.tsx'
import { PhaseOf } from '../../parts/phase.tsx'
import { now } from '../../parts/when.tsx'
import { Map as BlockMap } from './map.tsx'
import { takenIn } from './taken.ts'
import { takenOverTime } from './past.ts'
import { useHistory } from '../../live/history.ts'

const everyMs = 2_000
/** Of its use one point each. */
const beat = computed(() => Math.floor(now.value / everyMs))

export function Page({ place }: { readonly place: PagePlace }) {
  const subnets = [...objects.of('Subnet').values()].sort((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }))
  const chosen = objects.of('Subnet').get(place['subnet'] ?? '') ?? subnets[0]
  if (chosen === undefined) return <Empty title={objects.has('Subnet') ? 'There is no Subnet' : 'Reading …'} />
  return (
    <div class="page">
      <header class="head">
        <div>
          <h1>
            <bdi>{keyOf(chosen)}</bdi>
          </h1>
          <p>
            <PhaseOf item={chosen} /> <a href={linkTo('Subnet', chosen.metadata.namespace, chosen.metadata.name)}>the object</a>
          </p>
        </div>
        <label class="filter">
          <span>Subnet</span>
          <select value={keyOf(chosen)} data-subnet onChange={(event) => choose({ subnet: event.currentTarget.value })}>
            {subnets.slice(0, 1_000).map((each) => (
              <option key={keyOf(each)} value={keyOf(each)}>
                {keyOf(each)}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Subnet key={keyOf(chosen)} subnet={chosen} />
    </div>
  )
}

function Subnet({ subnet }: { readonly subnet: Item<'Subnet'> }) {
  const taken = takenIn(subnet)
  const count = (state: string): number => taken.filter((each) => each.state === state).length
  const { times, values } = useHistory([count('used'), count('reserved'), count('resting')], beat.value)
  return (
    <>
      {[subnet.spec.ipv4, subnet.spec.ipv6].map(
        (block) => block !== undefined && <BlockMap key={block.cidr} block={block} taken={taken} />,
      )}
      <Past subnet={subnet} made={taken.map(({ since }) => since)} />
      <section class="card wide">
        <h2>Since this page was opened</h2>
        <Chart
          label="Addresses"
          times={times}
          series={[
            { label: 'used', colour: 'accent', values: values[0] ?? [] },
            { label: 'reserved', colour: 'pending', values: values[1] ?? [] },
            { label: 'resting', colour: 'terminating', values: values[2] ?? [] },
          ]}
        />
      </section>
    </>
  )
}

/** What is taken now says since when. */
function Past({ subnet: { metadata }, made }: { readonly subnet: Item<'Subnet'>; readonly made: readonly number[] }) {
  const from = Date.parse(metadata.creationTimestamp)
  const { times, values } = takenOverTime(made, from, beat.value * everyMs + everyMs)
  return (
    <section class="card wide" data-taken-since={metadata.creationTimestamp} data-points={times.length}>
      <h2>Since the Subnet was made</h2>
      <p class="quiet">
        Of the addresses that are taken now, how many were taken at each time, by when their locks were made. What was freed since is not in
        it.
      </p>
      <Chart label="Taken" times={times} series={[{ label: 'taken', colour: 'accent', values, stepped: true }]} />
    </section>
  )
}
