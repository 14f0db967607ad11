// What was chosen in the picture, in short; its own page says all.
import type { Item, Kind } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'
import { choose, linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Phase } from '../../parts/phase.tsx'
import type { Graph } from './graph.ts'

interface InspectorProps {
  readonly graph: Graph
  readonly id: string
  readonly following: boolean
}

const kindOfPrefix: Readonly<Record<string, Kind>> = { node: 'Node', vpc: 'Vpc', subnet: 'Subnet', pod: 'Pod', port: 'Port', dot: 'Port' }

function itemOf(id: string): Item | undefined {
  const slash = id.indexOf('/')
  const kind = kindOfPrefix[id.slice(0, slash)]
  return kind === undefined ? undefined : objects.of(kind).get(id.slice(slash + 1))
}

export function Inspector({ graph, id, following }: InspectorProps) {
  const item = itemOf(id)
  const link = graph.links.find((each) => each.id === id)
  return (
    <aside class="inspector" aria-label="Chosen">
      <header>
        <span class="kind">{link !== undefined && link.count > 1 ? `${link.count} Ports` : (item?.kind ?? 'gone')}</span>
        <button type="button" class="plain" aria-label="Close" onClick={() => choose({ chosen: undefined, follow: undefined }, 'replace')}>
          ✕
        </button>
      </header>
      {item === undefined ? <p class="quiet">No object stands behind it, or it is gone.</p> : <Short item={item} />}
      {item !== undefined && <Next item={item} following={following} />}
    </aside>
  )
}

const Next = ({ item, following }: { readonly item: Item; readonly following: boolean }) => (
  <p class="actions">
    <a class="button main" href={linkTo(item.kind, item.metadata.namespace, item.metadata.name)}>
      Look closer
    </a>
    <button type="button" aria-pressed={following} onClick={() => choose({ follow: following ? undefined : '1' }, 'replace')}>
      {following ? 'Following' : 'Follow'}
    </button>
  </p>
)

function Short({ item }: { readonly item: Item }) {
  const { phase, message } = reportOf(item)
  return (
    <>
      <h2>
        <bdi>{item.metadata.name}</bdi>
      </h2>
      <p>
        <Phase of={phase} /> <span class="quiet">{message}</span>
      </p>
      <dl>
        {factsOf(item).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

type Fields = Readonly<Record<string, unknown>>
const inside = (of: unknown, field: string): unknown => (of as Fields | undefined)?.[field]

function factsOf(item: Item): readonly (readonly [string, string])[] {
  const { spec, status = {} } = item as { readonly spec: Fields; readonly status?: Fields }
  const addresses = reportOf(item).nics?.flatMap(({ addresses: of = [] }) => of) ?? status['addresses']
  const of: readonly (readonly [string, unknown])[] = [
    ['Namespace', item.metadata.namespace],
    ['Addresses', Array.isArray(addresses) ? addresses.join(', ') : undefined],
    ['MAC', status['mac']],
    ['Subnet', spec['subnet']],
    ['Vpc', spec['vpc']],
    ['VNI', status['vni']],
    ['IPv4', inside(spec['ipv4'], 'cidr')],
    ['IPv6', inside(spec['ipv6'], 'cidr')],
    ['Pod', inside(spec['claim'], 'pod')],
    ['Node', spec['node'] ?? spec['nodeName']],
  ]
  return of.flatMap(([name, value]) => (isText(value) ? [[name, String(value)] as const] : []))
}
const isText = (value: unknown): boolean => value !== '' && (typeof value === 'string' || typeof value === 'number')
