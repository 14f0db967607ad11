// Tables of a NetworkService; each has room for so many rows.
import { keyOf } from '../../contract/kinds.ts'
import { linkTo } from '../../frame/place.ts'
import { PhaseOf } from '../../parts/phase.tsx'
import { Table } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'
import { podOf, type Connection, type MoveOf, type Serving, type ServiceObjects } from './joined.ts'

const listedMost = 200

export function Endpoints({ of, servings }: { readonly of: string; readonly servings: readonly Serving[] }) {
  if (servings.length === 0) return <p class="bad">No endpoint serves it.</p>
  return (
    <Table label={`Endpoints of ${of}`} heads={['Endpoint', 'Pod', 'Node', 'Clients', 'Until']}>
      {servings.slice(0, listedMost).map(({ endpoint, port, clients }) => (
        <tr key={keyOf(endpoint)} data-endpoint={keyOf(endpoint)}>
          <th scope="row">
            <a href={linkTo('NetworkServiceEndpoint', endpoint.metadata.namespace, endpoint.metadata.name)}>
              <bdi>{endpoint.metadata.name}</bdi>
            </a>
          </th>
          <td>
            <bdi>{podOf(port) ?? ''}</bdi>
          </td>
          <td>
            <bdi>{port?.spec.node ?? ''}</bdi>
          </td>
          <td class="value">{clients}</td>
          <td>
            <Until seconds={endpoint.spec?.expiration_time?.seconds} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

const Until = ({ seconds }: { readonly seconds: number | undefined }) =>
  seconds === undefined ? <span class="quiet">it goes</span> : <When at={new Date(seconds * 1_000).toISOString()} />

interface ClientsProps {
  readonly of: string
  readonly connections: readonly Connection[]
  readonly ports: ServiceObjects['ports']
}

export function Clients({ of, connections, ports }: ClientsProps) {
  if (connections.length === 0) return <p class="quiet">No pod asks for it.</p>
  return (
    <Table label={`Clients of ${of}`} heads={['Client', 'State', 'Addresses of its own', 'Endpoint', 'Reached at', 'Moves']}>
      {connections.slice(0, listedMost).map((connection) => {
        const port = ports.get(keyOf(connection))
        return (
          <tr key={keyOf(connection)} data-client={keyOf(connection)}>
            <th scope="row">
              <a href={linkTo('Connection', connection.metadata.namespace, connection.metadata.name)}>
                <bdi>{podOf(port) ?? connection.spec.port}</bdi>
              </a>
            </th>
            <td>
              <PhaseOf item={connection} />
            </td>
            <td>
              <code>{port?.status?.addresses?.join(', ')}</code>
            </td>
            <td>
              <bdi>{connection.status?.endpoint ?? 'none'}</bdi>
            </td>
            <td>
              <code>{connection.status?.addresses?.join(', ')}</code>
            </td>
            <td class="value">{movesOfOne(connection)}</td>
          </tr>
        )
      })}
    </Table>
  )
}

const movesOfOne = ({ status }: Connection): number => (status?.moves ?? []).filter(({ from }) => from !== undefined).length

export function Moves({
  of,
  moves,
  ports,
}: {
  readonly of: string
  readonly moves: readonly MoveOf[]
  readonly ports: ServiceObjects['ports']
}) {
  if (moves.length === 0) return null
  return (
    <Table label={`Clients of ${of} that were moved`} heads={['When', 'Client', 'From', 'To', 'Why']}>
      {moves.slice(0, listedMost).map(({ connection, time, from, to, reason }) => (
        <tr key={`${keyOf(connection)} ${time}`} data-move={reason}>
          <td>
            <When at={time} />
          </td>
          <th scope="row">
            <bdi>{podOf(ports.get(keyOf(connection))) ?? connection.metadata.name}</bdi>
          </th>
          <td>
            <bdi>{from}</bdi>
          </td>
          <td>
            <bdi>{to ?? 'none'}</bdi>
          </td>
          <td>{reason}</td>
        </tr>
      ))}
    </Table>
  )
}
