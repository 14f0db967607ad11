import { choose, linkHere, type PagePlace } from '../../frame/place.ts'
import type { NetworkObjects } from './facts.ts'
import type { Graph } from './graph.ts'

interface ToolsProps {
  readonly place: PagePlace
  readonly graph: Graph
  readonly all: NetworkObjects
}

export function NetworkTools({ place, graph, all }: ToolsProps) {
  const by = place['by'] === 'vpc' ? 'vpc' : 'node'
  const vnis = new Set([...all.vpcs.values()].flatMap(({ status }) => (status?.vni === undefined ? [] : [String(status.vni)])))
  return (
    <div class="tools" role="group" aria-label="What is drawn">
      <div class="segments" role="group" aria-label="Grouped by">
        <a href={linkHere({ by: undefined, open: undefined, chosen: undefined })} aria-current={by === 'node'}>
          By node
        </a>
        <a href={linkHere({ by: 'vpc', open: undefined, chosen: undefined })} aria-current={by === 'vpc'}>
          By Vpc
        </a>
      </div>
      <Filter name="vpc" label="Vpc" place={place} values={[...all.vpcs.keys()]} />
      <Filter name="vni" label="VNI" place={place} values={[...vnis]} />
      <Filter name="node" label="Node" place={place} values={[...all.nodes.keys()]} />
      <Filter name="phase" label="Phase" place={place} values={['ready', 'pending', 'error', 'terminating']} />
      <button type="button" onClick={() => choose({ open: 'all' })}>
        Open all
      </button>
      <button type="button" onClick={() => choose({ open: 'none' })}>
        Close all
      </button>
      <div class="segments narrow" role="group" aria-label="Shown as">
        <a href={linkHere({ as: undefined })} aria-current={place['as'] !== 'list'}>
          Picture
        </a>
        <a href={linkHere({ as: 'list' })} aria-current={place['as'] === 'list'}>
          List
        </a>
      </div>
      <span class="count" data-count>
        {graph.ports} Port{graph.ports === 1 ? '' : 's'}
      </span>
    </div>
  )
}

interface FilterProps {
  readonly name: string
  readonly label: string
  readonly place: PagePlace
  readonly values: readonly string[]
}
/** So many are offered; of more than that one is searched for. */
const offeredMost = 500

function Filter({ name, label, place, values }: FilterProps) {
  const chosen = place[name] ?? ''
  const offered = [...new Set([...values.slice(0, offeredMost), ...(chosen === '' ? [] : [chosen])])].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  return (
    <label class="filter">
      <span>{label}</span>
      <select value={chosen} data-filter={name} onChange={(event) => choose({ [name]: event.currentTarget.value, open: undefined })}>
        <option value="">any</option>
        {offered.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  )
}
