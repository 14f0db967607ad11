import { choose, linkHere, type PagePlace } from '../../frame/place.ts'
import type { Picture } from '../../contract/topology.ts'
import type { Layer } from './graph.ts'
import { isTracing, noTrace } from './trace/question.ts'

interface ToolsProps {
  readonly place: PagePlace
  readonly picture: Picture | undefined
  readonly layers: ReadonlySet<Layer>
}

const nothing = { nodes: [], vpcs: [], vnis: [] }

export function NetworkTools({ place, picture, layers }: ToolsProps) {
  const by = place['by'] === 'vpc' ? 'vpc' : 'node'
  const { nodes, vpcs, vnis } = picture?.offered ?? nothing
  const ports = picture?.ports ?? 0
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
      <button
        type="button"
        aria-expanded={isTracing(place)}
        onClick={() => choose(isTracing(place) ? noTrace : { trace: '1' })}
        data-open-trace
      >
        Trace a packet
      </button>
      <Filter name="vpc" label="Vpc" place={place} values={vpcs} />
      <Filter name="vni" label="VNI" place={place} values={vnis.map(String)} />
      <Filter name="node" label="Node" place={place} values={nodes} />
      <Filter name="phase" label="Phase" place={place} values={['ready', 'pending', 'error', 'terminating']} />
      <Layers shown={layers} />
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
        {picture === undefined ? '' : `${ports} Port${ports === 1 ? '' : 's'}`}
      </span>
    </div>
  )
}

const layersOffered = { tunnels: 'Tunnels', fabric: 'Switches' } as const

/** Lines of many cross each other: each kind of them may be left out. */
function Layers({ shown }: { readonly shown: ReadonlySet<Layer> }) {
  const offered = Object.keys(layersOffered) as (keyof typeof layersOffered)[]
  const toggled = (layer: Layer): string => {
    const next = offered.filter((each) => shown.has(each) !== (each === layer))
    return next.length === 0 ? 'ports' : next.join(',')
  }
  return (
    <div class="segments" role="group" aria-label="Also drawn">
      {offered.map((layer) => (
        <button key={layer} type="button" class="plain" aria-pressed={shown.has(layer)} onClick={() => choose({ layers: toggled(layer) })}>
          {layersOffered[layer]}
        </button>
      ))}
    </div>
  )
}

interface FilterProps {
  readonly name: string
  readonly label: string
  readonly place: PagePlace
  readonly values: readonly string[]
}
function Filter({ name, label, place, values }: FilterProps) {
  const chosen = place[name] ?? ''
  const offered = [...new Set([...values, ...(chosen === '' ? [] : [chosen])])].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
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
