// Connections: one for each Port that is a client of a NetworkService, with the endpoint that it has. Of what happens to an endpoint those
// hear that have it, and those that wait for one.
import type { Write } from '../../../core/contracts/store.ts'
import { keyOfItem, refOf, type Kind, type Resource } from '../../../core/kinds/index.ts'
import {
  connectsOtherwise,
  planConnection,
  type ConnectionAction,
  type ConnectionDesired,
} from '../../../core/plan/connections/connection.ts'
import { readyCondition } from '../../../core/kinds/meta.ts'
import { isPodFinished } from '../../../core/plan/pod/pod.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import { objects } from '../../drivers/store-objects.ts'
import { basisOfConnection, gatherConnection } from './gather-connection.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { asItWasAndIs, by, itself, named, type Keys } from '../../watch/map-to-keys.ts'
import { own } from '../../watch/compared-fields.ts'
import { changes, either, isReportedInAnotherPhase, part, specChanges } from '../../watch/predicates.ts'

type Port = Resource<'Port'>

const asClient = part<'Port'>('what it is to a NetworkService as a client, its node, its VNI, or whether it goes', (port) =>
  port?.spec.networkService?.as === 'client'
    ? [port.metadata.uid, port.metadata.deletionTimestamp, port.spec.networkService, port.spec.node, port.status?.vni]
    : undefined,
)
const asEndpoint = part<'Port'>('how it stands as an endpoint of a NetworkService', (port) =>
  port?.spec.networkService?.as === 'endpoint'
    ? [
        port.metadata.uid,
        port.metadata.deletionTimestamp,
        port.status?.phase,
        port.status?.addresses,
        port.status?.node?.wired,
        port.status?.node?.unreachable,
        port.spec.node,
      ]
    : undefined,
)
const asServer = part<'Pod'>('readiness, phase or whether it goes', (pod) => {
  if (pod === undefined) return undefined
  const ready = readyCondition(pod.status?.conditions)?.status
  return [pod.metadata.uid, pod.metadata.deletionTimestamp, isPodFinished(pod), ready]
})
const asPlace = part<'Node'>('whether it takes pods', (node) => node?.spec.unschedulable === true)
const scalesOtherwise = part<'EndpointScaler'>('what it says of its Deployment', (scaler) => [
  scaler?.status?.phase,
  scaler?.status?.message,
])
const choosesAnother = part<'Connection'>('the endpoint that it tells of', (connection) => connection?.status?.endpoint)

function* ofEndpointPort(port: Port, { caches }: Env): Generator<string> {
  const of = port.spec.networkService
  if (of?.as !== 'endpoint') return
  for (const each of caches.Connection.by('endpointPort', keyOfItem(port))) yield keyOfItem(each)
  for (const each of caches.Connection.by('waiting', of.name)) yield keyOfItem(each)
}
const ofPorts =
  <K extends Kind>(portsOf: (item: Resource<K>, env: Env) => Iterable<Port>) =>
  (item: Resource<K>, env: Env): readonly string[] =>
    [...portsOf(item, env)].flatMap((port) => [...ofEndpointPort(port, env)])
const concerned = <K extends Kind>(of: string, portsOf: (item: Resource<K>, env: Env) => Iterable<Port>): Keys<K, 'Connection'> =>
  asItWasAndIs('Connection', `${of} those that have it as their endpoint, and those of its NetworkService that wait`, ofPorts(portsOf))

const ofRegistered = asItWasAndIs<'NetworkServiceEndpoint', 'Connection'>(
  'Connection',
  'by index Connection.endpoint, and those of its services that wait',
  (endpoint, { caches }) => [
    ...[...caches.Connection.by('endpoint', keyOfItem(endpoint))].map(keyOfItem),
    ...(endpoint.spec.network_service_names ?? []).flatMap((name) =>
      [...caches.Connection.by('waiting', `${endpoint.metadata.namespace ?? ''}/${name}`)].map(keyOfItem),
    ),
  ],
)

export const connections: Row<'Connection'> = row(
  'Connection',
  (on) => [
    on('Connection', { when: either(specChanges, isReportedInAnotherPhase, choosesAnother), keys: itself }),
    on('Port', { when: asClient, keys: named('Connection', 'that of its name', own), hearsMade: true }),
    on('Port', { when: asEndpoint, keys: concerned('of an endpoint', (port) => [port]), hearsMade: true }),
    on('Pod', {
      when: asServer,
      keys: concerned('of its Ports', (pod, { caches }) => caches.Port.by('claimPod', keyOfItem(pod))),
    }),
    on('Node', { when: asPlace, keys: concerned('of its Ports', ({ metadata }, { caches }) => caches.Port.by('node', metadata.name)) }),
    on('NetworkServiceEndpoint', { when: specChanges, keys: ofRegistered }),
    on('NetworkService', { when: changes, keys: by('Connection', 'service', own) }),
    on('EndpointScaler', { when: scalesOtherwise, keys: by('Connection', 'waiting', own) }),
  ],
  open,
)

function open(env: Env): Controller<ConnectionDesired, undefined, undefined, ConnectionAction, Plan<ConnectionAction>> {
  const driver = objects<undefined, undefined, ConnectionAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  return {
    gather: (key) => gatherConnection(key, env),
    driver: () => driver,
    scope: () => undefined,
    item: ({ connection }) => connection,
    basis: (desired) => basisOfConnection(desired, { now: env.clock.now() }),
    plan: (desired, _, now) => planConnection(desired, now),
    needsLive: (desired, plan) => (connectsOtherwise(desired, plan) ? [] : undefined),
  }
}

function writesOf(action: ConnectionAction): readonly Write[] {
  switch (action.do) {
    case 'makeConnection':
      return [{ do: 'create', draft: action.draft }]
    case 'tellPort':
      return [{ do: 'update', item: { ...action.port, spec: action.spec } }]
    case 'deleteConnection':
      return [{ do: 'delete', ref: refOf(action.connection), preconditions: { uid: action.connection.metadata.uid } }]
  }
}
