// Ports that are endpoints of NetworkServices: each is registered under its own name, as long as it stays.
import type { Write } from '../../../core/contracts/store.ts'
import { keyOfItem, refFromKey, refOf, type Resource } from '../../../core/kinds/index.ts'
import {
  isEndpoint,
  planEndpoint,
  portOfEndpoint,
  portOfGroup,
  sides,
  type EndpointAction,
  type EndpointDesired,
} from '../../../core/plan/connections/endpoint.ts'
import { endpointGroupName } from '../../../core/net/names.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import { objects } from '../../drivers/store-objects.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { written } from '../../watch/map-to-keys.ts'
import { specChanges, when } from '../../watch/predicates.ts'

const wasOrIs = when<'Port'>(
  'is an endpoint of a NetworkService, or was',
  (event, env) => [event.before, event.after].some((port) => port?.spec.networkService?.as === 'endpoint') && specChanges.test(event, env),
)
const itsPort = (endpoint: Resource<'NetworkServiceEndpoint'> | undefined): readonly string[] =>
  endpoint === undefined ? [] : [portOfEndpoint(endpoint) ?? keyOfItem(endpoint)]

export const endpoints: Row<'endpoint'> = row(
  'endpoint',
  (on) => [
    on('Port', { when: wasOrIs, keys: written('its own', ({ key }) => [key]), hearsMade: true }),
    on('NetworkServiceEndpoint', {
      when: specChanges,
      keys: written('that of its Port', ({ before, after }) => [...new Set([...itsPort(before), ...itsPort(after)])]),
    }),
    on('SecurityGroup', {
      when: specChanges,
      keys: written('that of the Port that it is for', ({ before, after }) => {
        const port = portOfGroup((after ?? before)!)
        return port === undefined ? [] : [port]
      }),
    }),
  ],
  open,
)

function open(env: Env): Controller<EndpointDesired, undefined, undefined, EndpointAction, Plan<EndpointAction>> {
  const driver = objects<undefined, undefined, EndpointAction>(env.store, 'objects', { observe: () => undefined, writesOf })
  return {
    gather: (key) => gatherEndpoint(key, env),
    driver: () => driver,
    scope: () => undefined,
    item: () => undefined,
    basis: ({ port, endpoint, groups }) => [
      ...(port === undefined ? [] : [refOf(port)]),
      ...(endpoint === undefined ? [] : [refOf(endpoint)]),
      ...groups.map((group) => refOf(group)),
    ],
    plan: planEndpoint,
    needsLive: (_, { steps }) => (steps.length > 0 ? [] : undefined),
  }
}

/** What a cache has not heard of may be there: before anything is unregistered the store is asked. */
async function gatherEndpoint(key: string, { caches, store }: Env): Promise<EndpointDesired | undefined> {
  const endpoint = caches.NetworkServiceEndpoint.get(key)
  const [namespace = '', name = ''] = key.split('/')
  const groups = sides.flatMap((side) => caches.SecurityGroup.get(`${namespace}/${endpointGroupName(name, side)}`) ?? [])
  const isSomethingLeft = endpoint !== undefined || groups.length > 0
  const cached = caches.Port.get(key)
  const port = isEndpoint(cached) || !isSomethingLeft ? cached : await store.get(refFromKey('Port', key))
  return !isSomethingLeft && !isEndpoint(port) ? undefined : { port, endpoint, groups }
}

function writesOf(action: EndpointAction): readonly Write[] {
  switch (action.do) {
    case 'register':
      return [{ do: 'create', draft: action.draft }]
    case 'correct':
      return [{ do: 'update', item: { ...action.endpoint, spec: action.spec } }]
    case 'unregister':
      return [{ do: 'delete', ref: refOf(action.endpoint), preconditions: { uid: action.endpoint.metadata.uid } }]
    case 'makeGroup':
      return [{ do: 'create', draft: action.draft }]
    case 'correctGroup':
      return [{ do: 'update', item: { ...action.group, spec: action.spec } }]
    case 'deleteGroup':
      return [{ do: 'delete', ref: refOf(action.group), preconditions: { uid: action.group.metadata.uid } }]
  }
}
