// A NetworkService, who serves it, who has which of them, and whom each had before.
import { keyOf, type Item } from '../../contract/kinds.ts'
import type { RowBox, RowLine } from '../../parts/two-rows.tsx'

export type NetworkService = Item<'NetworkService'>
type Endpoint = Item<'NetworkServiceEndpoint'>
export type Connection = Item<'Connection'>
type Port = Item<'Port'>

export interface Serving {
  readonly endpoint: Endpoint
  /** It stands on; undefined: it is no pod's here, or of a namespace that one does not see. */
  readonly port: Port | undefined
  readonly clients: number
}
export interface ServiceGraph {
  readonly servings: readonly Serving[]
  readonly connections: readonly Connection[]
}
/** Of all of them. */
export interface ServiceObjects {
  readonly endpoints: readonly Endpoint[]
  readonly connections: readonly Connection[]
  readonly ports: ReadonlyMap<string, Port>
}

/** In the order of their names. An endpoint counts for services of its own namespace alone. */
export function joinedBy(service: NetworkService, { endpoints, connections, ports }: ServiceObjects): ServiceGraph {
  const { namespace } = service.metadata
  const name = service.spec?.name || service.metadata.name
  const its = connections.filter(({ spec }) => spec.networkService === keyOf(service)).sort(byKey)
  return {
    connections: its,
    servings: endpoints
      .filter(({ metadata, spec }) => metadata.namespace === namespace && spec?.network_service_names?.includes(name) === true)
      .sort(byKey)
      .map((endpoint) => ({
        endpoint,
        port: ports.get(keyOf(endpoint)),
        clients: its.filter(({ status }) => status?.endpoint === keyOf(endpoint)).length,
      })),
  }
}

const byKey = (a: Item, b: Item): number => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true })

/** A move from one endpoint to another, with whose it is. */
export type MoveOf = NonNullable<NonNullable<Connection['status']>['moves']>[number] & { readonly connection: Connection }

/** Latest first; that a client got its first endpoint is no move. */
export const movesOf = (connections: readonly Connection[]): readonly MoveOf[] =>
  connections
    .flatMap((connection) => (connection.status?.moves ?? []).map((move): MoveOf => ({ ...move, connection })))
    .filter(({ from }) => from !== undefined)
    .sort((a, b) => b.time.localeCompare(a.time))

export const boxOfClient = (connection: Connection, ports: ServiceObjects['ports']): RowBox => ({
  id: idOfClient(connection),
  name: podOf(ports.get(keyOf(connection))) ?? connection.spec.port,
  note: connection.status?.endpoint === undefined ? 'has no endpoint' : `to ${(connection.status.addresses ?? []).join(', ')}`,
  title: `${keyOf(connection)}, a client`,
})

export const boxOfServing = ({ endpoint, port, clients }: Serving): RowBox => ({
  id: `endpoint ${keyOf(endpoint)}`,
  name: podOf(port) ?? endpoint.metadata.name,
  note: `${clients} ${clients === 1 ? 'client' : 'clients'}${port?.spec.node === undefined ? '' : `, ${port.spec.node}`}`,
  title: `${keyOf(endpoint)}, an endpoint`,
})

export const linesOf = (connections: readonly Connection[]): readonly RowLine[] =>
  connections.flatMap((connection) => {
    const { endpoint, phase } = connection.status ?? {}
    if (endpoint === undefined) return []
    const [from, state] = [idOfClient(connection), phase ?? 'new']
    return [{ from, to: `endpoint ${endpoint}`, state, isGood: phase === 'ready', title: `${keyOf(connection)} has ${endpoint}: ${state}` }]
  })

const idOfClient = (connection: Connection): string => `client ${keyOf(connection)}`
export const podOf = (port: Port | undefined): string | undefined => port?.spec.claim?.pod
