// EndpointScalers: woken by who comes to wait for an endpoint, or goes, and by time.
import { keyOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import {
  deploymentOf,
  directionOf,
  isWaiting,
  planScaler,
  type LookedAt,
  type ScalerAction,
  type ScalerDesired,
} from '../../../core/plan/connections/scaler.ts'
import { refused, type Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import { scaleDriver, type ScaleScope } from '../../drivers/scales.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import type { SomeOfKind } from '../../loop/live-reads.ts'
import { own } from '../../watch/compared-fields.ts'
import { by, itself, known, named } from '../../watch/map-to-keys.ts'
import { either, part, specChanges } from '../../watch/predicates.ts'

type Scaler = Resource<'EndpointScaler'>

const waitsOrGoes = part<'Connection'>(
  'whether it waits for an endpoint, or goes',
  (connection) => connection && [connection.metadata.deletionTimestamp !== undefined, isWaiting(connection)],
)
const decided = part<'EndpointScaler'>('what it says of its Deployment', ({ status } = {} as Scaler) => [
  status?.deployment,
  status?.activatedAt,
  status?.replicas,
])
const targetOf = (scaler: Scaler): string => keyOf(deploymentOf(scaler))

export const endpointScalers: Row<'EndpointScaler'> = row(
  'EndpointScaler',
  (on) => [
    on('EndpointScaler', { when: either(specChanges, decided), keys: itself }),
    on('EndpointScaler', { when: specChanges, keys: by('EndpointScaler', 'target', (scaler) => [targetOf(scaler)]) }),
    on('Connection', {
      when: waitsOrGoes,
      keys: named('EndpointScaler', 'that of its NetworkService', ({ spec }) => [spec.networkService], known),
    }),
    on('NetworkService', { when: specChanges, keys: named('EndpointScaler', 'that of its name', own, known) }),
  ],
  open,
)

function open(env: Env): Controller<ScalerDesired, ScaleScope, LookedAt, ScalerAction, Plan<ScalerAction>> {
  const driver = scaleDriver(env.scales)
  return {
    gather: (key) => gatherScaler(key, env),
    driver: () => driver,
    scope: (desired) => ({ of: deploymentOf(desired.scaler), direction: directionOf(desired, { now: env.clock.now() }) }),
    item: ({ scaler }) => scaler,
    plan: planScaler,
    needsLive: ({ scaler }, { steps }) => (steps.length > 0 ? [connectionsOf(keyOfItem(scaler))] : undefined),
    refusal: (message) => refused('ScaleRefused', message),
  }
}

function gatherScaler(key: string, { caches, scales }: Env): ScalerDesired | undefined {
  const scaler = caches.EndpointScaler.get(key)
  return (
    scaler && {
      scaler,
      service: caches.NetworkService.get(key),
      connections: [...caches.Connection.by('service', key)],
      older: [...caches.EndpointScaler.by('target', targetOf(scaler))].find((other) => isBefore(other, scaler))?.metadata.name,
      hasDeployments: scales !== undefined,
    }
  )
}

/** Of two that name one Deployment the older one scales it; of two as old, by name. */
const isBefore = ({ metadata: one }: Scaler, { metadata: other }: Scaler): boolean =>
  one.deletionTimestamp === undefined &&
  (one.creationTimestamp === other.creationTimestamp ? one.name < other.name : one.creationTimestamp < other.creationTimestamp)

const connectionsOf = (key: string): SomeOfKind => ({
  kind: 'Connection',
  within: { fields: { '.spec.networkService': key } },
  isWithin: (item) => (item as Resource<'Connection'>).spec.networkService === key,
})
