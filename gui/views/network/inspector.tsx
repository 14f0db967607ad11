// What was chosen in the picture, in short; its own page says all.
import { read } from '../../contract/api.ts'
import type { Item, Kind } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'
import type { Picture } from '../../contract/topology.ts'
import { choose, linkTo } from '../../frame/place.ts'
import { changes } from '../../live/changes.ts'
import { useAnswer } from '../../parts/answer.ts'
import { Phase } from '../../parts/phase.tsx'
import { endAt } from './trace/question.ts'
import { ownId, type DrawnLink, type Graph } from './graph.ts'

interface InspectorProps {
  readonly picture: Picture | undefined
  readonly graph: Graph
  readonly id: string
  readonly following: boolean
}

const kindOfPrefix: Readonly<Record<string, Kind>> = {
  ...{ node: 'Node', vpc: 'Vpc', subnet: 'Subnet', pod: 'Pod', port: 'Port', dot: 'Port', l2Service: 'L2Service' },
}

interface Chosen {
  readonly item: Item | undefined
  readonly isRead: boolean
}
/** Read anew whenever it has changed. */
function useChosen(id: string): Chosen {
  const [prefix, ...names] = id.split('/')
  const kind = kindOfPrefix[prefix ?? '']
  const name = names.pop() ?? ''
  const version = kind === undefined ? 0 : changes.of(kind, [...names, name].join('/'))
  const { answer, err } = useAnswer(id, version, async () => {
    if (kind === undefined || name === '' || name.includes(' ')) return undefined
    return (await read(kind, { namespace: names[0], name })).item
  })
  return { item: answer, isRead: answer !== undefined || err !== undefined || kind === undefined }
}

export function Inspector({ picture, graph, id, following }: InspectorProps) {
  const { item, isRead } = useChosen(id)
  const link = graph.links.find((each) => each.id === id)
  const vertex = picture?.nodes.find((each) => ownId(each.id) === id)
  const nothing = isRead ? 'gone' : '…'
  return (
    <aside class="inspector" aria-label="Chosen">
      <header>
        <span class="kind">{headOf(link) ?? item?.kind ?? vertex?.kind ?? nothing}</span>
        <button type="button" class="plain" aria-label="Close" onClick={() => choose({ chosen: undefined, follow: undefined }, 'replace')}>
          ✕
        </button>
      </header>
      {item === undefined ? <Beside vertex={vertex} link={link} graph={graph} isRead={isRead} /> : <Short item={item} />}
      {item !== undefined && <Next item={item} end={endAt(id)} following={following} />}
    </aside>
  )
}

interface BesideProps {
  readonly vertex: Vertex | undefined
  readonly link: DrawnLink | undefined
  readonly graph: Graph
  readonly isRead: boolean
}
function Beside({ vertex, link, graph, isRead }: BesideProps) {
  if (vertex !== undefined) return <Drawn vertex={vertex} graph={graph} />
  if (link !== undefined) return <Line link={link} graph={graph} />
  return isRead ? <p class="quiet">No object stands behind it, or it is gone.</p> : null
}

const headOf = (link: DrawnLink | undefined): string | undefined => {
  if (link === undefined || link.relation === 'port') return undefined
  return link.relation === 'ports' ? `${link.count} Port${link.count === 1 ? '' : 's'}` : link.relation
}

interface NextProps {
  readonly item: Item
  /** Where a traced packet may begin or end. */
  readonly end: string | undefined
  readonly following: boolean
}
const Next = ({ item, end, following }: NextProps) => (
  <p class="actions">
    <a class="button main" href={linkTo(item.kind, item.metadata.namespace, item.metadata.name)}>
      Look closer
    </a>
    <button type="button" aria-pressed={following} onClick={() => choose({ follow: following ? undefined : '1' }, 'replace')}>
      {following ? 'Following' : 'Follow'}
    </button>
    {end !== undefined && (
      <>
        <button type="button" onClick={() => choose({ from: end })}>
          Trace from here
        </button>
        <button type="button" onClick={() => choose({ to: end })}>
          Trace to here
        </button>
      </>
    )}
  </p>
)

type Vertex = Picture['nodes'][number]
const linesMost = 40

/** What is no object, or none that this caller may see: as the picture has it, and what it is joined to. */
function Drawn({ vertex, graph }: { readonly vertex: Vertex; readonly graph: Graph }) {
  const { namespace, name, phase, message, vni, vlan, ports, members } = vertex
  const id = ownId(vertex.id)
  const near = graph.links.filter(({ from, to }) => from === id || to === id)
  return (
    <>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      {(phase !== undefined || message !== undefined) && (
        <p>
          {phase !== undefined && <Phase of={phase} />} <span class="quiet">{message}</span>
        </p>
      )}
      <Facts
        facts={[
          ['Within', namespace],
          ['VNI', vni],
          ['VLAN', vlan],
          ['Ports', ports],
          ['In it', members],
          ...near
            .slice(0, linesMost)
            .map(({ from, to, label }): Fact => [label === '' ? 'joined to' : label, nameIn(graph, from === id ? to : from)]),
        ]}
      />
    </>
  )
}

const Line = ({ link: { from, to, label, count, phase }, graph }: { readonly link: DrawnLink; readonly graph: Graph }) => (
  <Facts
    facts={[
      ['From', nameIn(graph, from)],
      ['To', nameIn(graph, to)],
      ['Is', label],
      ['Ports', count],
      ['Phase', phase],
    ]}
  />
)

const nameIn = ({ nodes }: Graph, id: string): string => nodes.find((each) => each.id === id)?.label.replaceAll('\n', ' ') ?? id

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
      <Facts facts={factsOf(item)} />
    </>
  )
}

type Fact = readonly [name: string, value: unknown]

const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl>
    {facts
      .filter(([, value]) => isText(value))
      .map(([name, value], i) => (
        <div key={`${name} ${i}`}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <bdi>{String(value)}</bdi>
          </dd>
        </div>
      ))}
  </dl>
)

type Fields = Readonly<Record<string, unknown>>
const inside = (of: unknown, field: string): unknown => (of as Fields | undefined)?.[field]

function factsOf(item: Item): readonly Fact[] {
  const { spec, status = {} } = item as { readonly spec: Fields; readonly status?: Fields }
  const addresses = reportOf(item).nics?.flatMap(({ addresses: of = [] }) => of) ?? status['addresses']
  return [
    ['Namespace', item.metadata.namespace],
    ['Addresses', Array.isArray(addresses) ? addresses.filter((each) => typeof each === 'string').join(', ') : undefined],
    ['MAC', status['mac']],
    ['Subnet', spec['subnet']],
    ['Vpc', spec['vpc']],
    ['VNI', status['vni']],
    ['VLAN', spec['segmentationID']],
    ['IPv4', inside(spec['ipv4'], 'cidr')],
    ['IPv6', inside(spec['ipv6'], 'cidr')],
    ['Pod', inside(spec['claim'], 'pod')],
    ['Node', spec['node'] ?? spec['nodeName']],
  ]
}
const isText = (value: unknown): boolean => value !== '' && (typeof value === 'string' || typeof value === 'number')
