// A Connection: as long as a Port is the client of a NetworkService, whose endpoint it has, and what that Port is told of it.
import type { Draft } from '../../contracts/store.ts'
import { keyOfItem, refOf, type Ref, type Resource, type SpecOf, type StatusOf } from '../../kinds/index.ts'
import { movesMost, type Move } from '../../kinds/services/connection.ts'
import type { OfNetworkService } from '../../kinds/vpc/port.ts'
import { sameJson } from '../../same-json.ts'
import { inPlace, waitingFor, type Plan, type Step } from '../plan.ts'
import { chooseEndpoint, type Candidate, type Chosen, type ClientPlace } from './choice.ts'
import { ownedBy } from './endpoint.ts'

type Port = Resource<'Port'>
type Connected = Pick<NonNullable<StatusOf<'Connection'>>, 'endpoint' | 'endpointPort' | 'addresses' | 'moves'>

export type ConnectionAction =
  | { readonly do: 'makeConnection'; readonly draft: Draft<'Connection'> }
  | { readonly do: 'deleteConnection'; readonly connection: Resource<'Connection'> }
  | { readonly do: 'tellPort'; readonly port: Port; readonly spec: SpecOf<'Port'> }

export interface ConnectionDesired {
  /** Undefined: there is none of that name that is a client, or it is going. */
  readonly port: Port | undefined
  readonly connection: Resource<'Connection'> | undefined
  readonly service: Resource<'NetworkService'> | undefined
  /** What makes endpoints of it as they are needed. */
  readonly scaler: Resource<'EndpointScaler'> | undefined
  readonly candidates: readonly Candidate[]
  /** Of those that it has, whether there are any that fit it, or not. */
  readonly isEndpointThere: boolean
  readonly client: ClientPlace
}
type ConnectionPlan = Plan<ConnectionAction>

/** What a Port is to its NetworkService, where it is a client that stays. */
export function clientIn(port: Port | undefined): OfNetworkService | undefined {
  const of = port?.spec.networkService
  return port?.metadata.deletionTimestamp === undefined && of?.as === 'client' ? of : undefined
}

export function planConnection(desired: ConnectionDesired, now: number): ConnectionPlan {
  const { port, connection } = desired
  const of = clientIn(port)
  if (connection?.metadata.deletionTimestamp !== undefined) return closed
  if (connection !== undefined && (of === undefined || connection.spec.portUID !== port?.metadata.uid)) return planGone(connection)
  if (port === undefined || of === undefined) return waitingFor('NoClient', 'there is no client of that name')
  if (connection === undefined) return planMade(port, of)
  return planChosen({ ...desired, port, connection, of }, now)
}

/** Whoever deleted it: where its client is there still, it is made anew. */
const closed: ConnectionPlan = { steps: [], phase: 'deleted', reason: 'Closed', message: 'it is closed' }

function planGone(connection: Resource<'Connection'>): ConnectionPlan {
  const because = { rule: 'a Connection whose Port is gone', of: refOf(connection) }
  const steps: Step<ConnectionAction>[] = [{ action: { do: 'deleteConnection', connection }, because }]
  return { steps, phase: 'terminating', reason: 'ClientGone', message: 'its Port is gone, or going' }
}

function planMade(port: Port, { name: networkService, labels }: OfNetworkService): ConnectionPlan {
  const { name, uid } = port.metadata
  const draft: Draft<'Connection'> = {
    kind: 'Connection',
    metadata: ownedBy(port, name),
    spec: { networkService, port: name, portUID: uid, ...(labels && { labels }) },
  }
  return {
    ...waitingFor('ConnectionPending', 'it is being made'),
    steps: [{ action: { do: 'makeConnection', draft }, because: { rule: 'a Port that is a client of a NetworkService', of: refOf(port) } }],
  }
}

interface Client extends ConnectionDesired {
  readonly port: Port
  readonly connection: Resource<'Connection'>
  readonly of: OfNetworkService
}

function planChosen(client: Client, now: number): ConnectionPlan {
  const chosen = chosenFor(client, now)
  const connected = connectedBy(client, chosen, now)
  const steps = toldSteps(client, connected)
  const again = chosen.againInMs === undefined ? {} : { requeueAfterMs: chosen.againInMs }
  return { ...verdictOn(client, chosen), steps, sections: { endpoint: connected }, ...again, ...happenedTo(client, chosen) }
}

/** From one endpoint to another: its phase stays as it is, and it is told of all the same. */
const happenedTo = ({ connection }: Client, { candidate, reason }: Chosen): Pick<ConnectionPlan, 'happened'> =>
  reason === undefined || candidate === undefined || connection.status?.endpoint === undefined ? {} : { happened: reason }

export function chosenFor({ connection, candidates, isEndpointThere, client }: ConnectionDesired, now: number): Chosen {
  const { endpoint: had, moves = [] } = connection?.status ?? {}
  return chooseEndpoint({ had, isHadThere: isEndpointThere, moves, candidates, client }, now)
}

function verdictOn({ of, service, candidates, scaler }: Client, { candidate, againInMs }: Chosen): Plan<never> {
  if (candidate !== undefined) {
    const { endpoint, port, leaving } = candidate
    const kept = leaving === undefined ? '' : `; ${textOf[leaving]}${againInMs === undefined ? '' : ', and no other is ready'}`
    return inPlace('Connected', `NetworkService ${of.name} by ${endpoint} at ${(port.status?.addresses ?? []).join(' and ')}${kept}`)
  }
  if (service === undefined) return waitingFor('ServiceNotFound', `NetworkService ${of.name} not found`)
  const many = candidates.length === 0 ? 'has no endpoint that fits its labels' : 'has no endpoint that is ready'
  return waitingFor(isStarting(scaler) ? 'EndpointStarting' : 'NoEndpoint', `NetworkService ${of.name} ${many}${saidOf(scaler)}`)
}

/** A Deployment that cannot be scaled, or does not become ready, is an error of its EndpointScaler. */
const isStarting = (scaler: Resource<'EndpointScaler'> | undefined): boolean =>
  scaler?.status?.phase === 'pending' && scaler.status.activatedAt !== undefined
const saidOf = (scaler: Resource<'EndpointScaler'> | undefined): string =>
  scaler === undefined || scaler.status?.phase === 'ready' ? '' : `; ${scaler.status?.message ?? 'its EndpointScaler is about to look'}`

const textOf: Readonly<Record<NonNullable<Candidate['leaving']>, string>> = {
  EndpointNotReady: 'that endpoint is not ready',
  EndpointUnreachable: 'that endpoint does not answer its node',
  EndpointGoing: 'that endpoint is going',
  NodeDrained: "that endpoint's node takes no pods",
}

function connectedBy({ connection: { status = {} } }: Client, { candidate, reason }: Chosen, now: number): Connected {
  const { endpoint: from, moves: before = [] } = status
  const to = candidate?.endpoint
  const moves = from === to || reason === undefined ? before : [...before, moveOf({ from, to, reason }, now)].slice(-movesMost)
  return { ...(candidate && toldOf(candidate)), ...(moves.length > 0 && { moves }) }
}

const moveOf = ({ from, to, reason }: { readonly [F in 'from' | 'to']: string | undefined } & Pick<Move, 'reason'>, now: number): Move => ({
  time: new Date(now).toISOString(),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  reason,
})

const toldOf = ({ endpoint, port }: Candidate): Pick<OfNetworkService, 'endpoint' | 'endpointPort' | 'addresses'> => ({
  endpoint,
  endpointPort: keyOfItem(port),
  addresses: [...(port.status?.addresses ?? [])],
})

/** By its Port who judges it and who tells its pod know of its endpoint. */
function toldSteps({ port, of, connection }: Client, { endpoint, endpointPort, addresses }: Connected): readonly Step<ConnectionAction>[] {
  const { name, as, labels } = of
  const networkService: OfNetworkService = {
    name,
    as,
    ...(labels && { labels }),
    ...(endpoint !== undefined && { endpoint }),
    ...(endpointPort !== undefined && { endpointPort }),
    ...(addresses && { addresses }),
  }
  if (sameJson(networkService, of)) return []
  const because = { rule: 'a client whose endpoint is another one than its Port says', of: refOf<'Connection'>(connection) as Ref }
  return [{ action: { do: 'tellPort', port, spec: { ...port.spec, networkService } }, because }]
}

/** Whether it tells of another endpoint than before, or of none: then that is not left to what a cache says. */
export const connectsOtherwise = (
  { connection }: ConnectionDesired,
  { steps, sections }: Pick<ConnectionPlan, 'steps' | 'sections'>,
): boolean => steps.length > 0 || (sections !== undefined && (sections['endpoint'] as Connected).endpoint !== connection?.status?.endpoint)
