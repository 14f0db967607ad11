// NetworkServices: who serves each, which client has which endpoint, and clients that were moved, as it happens.
import { keyOf } from '../../contract/kinds.ts'
import { linkTo } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { Empty } from '../../parts/empty.tsx'
import { drawnMost, TwoRows } from '../../parts/two-rows.tsx'
import {
  boxOfClient,
  boxOfServing,
  joinedBy,
  linesOf,
  movesOf,
  type NetworkService,
  type ServiceGraph,
  type ServiceObjects,
} from './joined.ts'
import { Clients, Endpoints, Moves } from './tables.tsx'

export function Page() {
  const services = [...objects.of('NetworkService').values()]
  const seen: ServiceObjects = {
    endpoints: [...objects.of('NetworkServiceEndpoint').values()],
    connections: [...objects.of('Connection').values()],
    ports: objects.of('Port'),
  }
  if (services.length === 0)
    return (
      <Empty title={objects.has('NetworkService') ? 'There is no NetworkService' : 'Reading …'}>
        <p>Clients ask for a NetworkService by name; each gets one of its endpoints, and another one when that goes.</p>
      </Empty>
    )
  return (
    <div class="page">
      <h1>Services</h1>
      {services.map((service) => (
        <OneService key={keyOf(service)} service={service} seen={seen} />
      ))}
    </div>
  )
}

function OneService({ service, seen }: { readonly service: NetworkService; readonly seen: ServiceObjects }) {
  const graph = joinedBy(service, seen)
  const { namespace, name } = service.metadata
  return (
    <section class="card wide" data-service={keyOf(service)}>
      <header class="head">
        <h2>
          <a href={linkTo('NetworkService', namespace, name)}>
            <bdi>{name}</bdi>
          </a>{' '}
          <span class="kind">
            <bdi>{namespace}</bdi>, {service.spec?.payload || 'IP'}
          </span>
        </h2>
      </header>
      <Picture graph={graph} seen={seen} />
      <Endpoints of={name} servings={graph.servings} />
      <Clients of={name} connections={graph.connections} ports={seen.ports} />
      <Moves of={name} moves={movesOf(graph.connections)} ports={seen.ports} />
    </section>
  )
}

function Picture({ graph: { servings, connections }, seen }: { readonly graph: ServiceGraph; readonly seen: ServiceObjects }) {
  const drawn = servings.length + connections.length
  if (drawn === 0) return <p class="quiet">Nobody serves it, and nobody asks for it.</p>
  const sentence = `${connections.length} clients, ${servings.length} endpoints`
  if (drawn > drawnMost) return <p class="quiet">{sentence} are too many to draw.</p>
  return (
    <TwoRows
      label={sentence}
      upper={connections.map((each) => boxOfClient(each, seen.ports))}
      lower={servings.map(boxOfServing)}
      lines={linesOf(connections)}
    />
  )
}
