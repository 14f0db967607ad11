// Who speaks BGP with whom and how that stands, which node announces what, and by which next hops an address is reached.
import type { Item } from '../../contract/kinds.ts'
import { reportOf } from '../../contract/report.ts'
import { linkTo, type PagePlace } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Empty } from '../../parts/empty.tsx'
import { PhaseOf } from '../../parts/phase.tsx'
import { Table } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'
import { drawnMost } from '../../parts/two-rows.tsx'
import { Drawing } from './drawing.tsx'
import { Followed, FollowForm, useFollowed, type RoutesFound } from './follow.tsx'
import { groupOf, sessionsOf, type Speaker } from './sessions.ts'

export function Page({ place }: { readonly place: PagePlace }) {
  const groups = [...objects.of('BGPSessionGroup').values()]
  const speakers = [...objects.of('BGPSpeaker').values()]
  const { answer, err } = useFollowed(place['to'], speakers.map(({ metadata }) => metadata.resourceVersion).join())
  if (groups.length === 0)
    return (
      <Empty title={objects.has('BGPSessionGroup') ? 'There is no BGPSessionGroup' : 'Reading …'}>
        <p>A BGPSessionGroup says which nodes speak BGP, with whom, what they announce, and into which Vpcs routes come.</p>
      </Empty>
    )
  return (
    <div class="page">
      <h1>Routing</h1>
      <section class="card wide">
        <FollowForm key={place['to']} to={place['to']} />
        <Followed found={answer} err={err} />
      </section>
      {groups.map((each) => (
        <Group key={each.metadata.name} group={each} speakers={speakers} found={answer} />
      ))}
    </div>
  )
}

interface GroupProps {
  readonly group: Item<'BGPSessionGroup'>
  readonly speakers: readonly Speaker[]
  readonly found: RoutesFound | undefined
}

function Group({ group, speakers, found }: GroupProps) {
  const { name } = group.metadata
  const graph = sessionsOf(speakers, name)
  const hops = (found?.ways ?? []).flatMap((way) => (way.group === name ? way.hops : []))
  const marked = new Set(hops.map(({ node, address }) => node ?? address))
  return (
    <section class="card wide" data-group={name}>
      <header class="head">
        <h2>
          <a href={linkTo('BGPSessionGroup', undefined, name)}>
            <bdi>{name}</bdi>
          </a>{' '}
          <PhaseOf item={group} /> <span class="kind">AS {group.spec.as}</span>
        </h2>
      </header>
      <p class="quiet">{reportOf(group).message}</p>
      {graph.nodes.length === 0 ? (
        <p class="quiet">No node speaks in it.</p>
      ) : graph.nodes.length + graph.neighbours.length <= drawnMost ? (
        <Drawing graph={graph} marked={marked} />
      ) : (
        <p class="quiet">
          {graph.nodes.length} nodes and {graph.neighbours.length} neighbours are too many to draw.
        </p>
      )}
      <Sessions group={name} speakers={speakers} />
      <Announced group={name} speakers={speakers} />
    </section>
  )
}

/** Those that are down first; a table has room for so many. */
const listedMost = 200

function Sessions({ group, speakers }: { readonly group: string; readonly speakers: readonly Speaker[] }) {
  const all = speakers
    .flatMap(({ spec: { node }, status }) => (status?.sessions ?? []).flatMap((each) => (each.group === group ? [{ node, ...each }] : [])))
    .sort((a, b) => Number(a.state === 'established') - Number(b.state === 'established'))
  if (all.length === 0) return <p class="quiet">No node has told of a session yet.</p>
  return (
    <Table label={`Sessions of ${group}`} heads={['Node', 'With', 'State', 'Since', 'Prefixes in', 'Prefixes out', 'Last error']}>
      {all.slice(0, listedMost).map(({ node, session, address, state, since, imported, exported, lastError }) => (
        <tr key={`${node} ${session} ${address}`} data-row={`${node} ${session}`}>
          <th scope="row">
            <bdi>{node}</bdi>
          </th>
          <td>
            <bdi>{session}</bdi> <code>{address}</code>
          </td>
          <td class={state === 'established' ? undefined : 'bad'}>{state}</td>
          <td>
            <When at={since} />
          </td>
          <td class="value">{imported ?? ''}</td>
          <td class="value">{exported ?? ''}</td>
          <td>{lastError}</td>
        </tr>
      ))}
    </Table>
  )
}

function Announced({ group, speakers }: { readonly group: string; readonly speakers: readonly Speaker[] }) {
  const nodes = new Map<string, string[]>()
  for (const speaker of speakers)
    for (const { cidr, vni, hostRoutes } of groupOf(speaker, group)?.advertise ?? []) {
      const key = `${cidr} ${vni} ${hostRoutes ? 'addresses of it' : 'the block'}`
      nodes.set(key, [...(nodes.get(key) ?? []), speaker.spec.node])
    }
  if (nodes.size === 0) return null
  return (
    <Table label={`Announced in ${group}`} heads={['Prefix', 'VNI', 'As', 'By']}>
      {[...nodes].slice(0, listedMost).map(([key, by]) => {
        const [cidr, vni, ...as] = key.split(' ')
        return (
          <tr key={key} data-announced={cidr}>
            <th scope="row">
              <code>{cidr}</code>
            </th>
            <td class="value">{vni}</td>
            <td>{as.join(' ')}</td>
            <td>{by.sort().join(', ')}</td>
          </tr>
        )
      })}
    </Table>
  )
}
