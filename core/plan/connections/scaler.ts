// An EndpointScaler: a Deployment is scaled to 1 when a client of its NetworkService waits, and to 0 again when there has been none for a
// while. Only between 0 and 1, and only what we have made 1. What is decided is written down before it is done, so that whoever comes
// after a worker that was killed goes on.
import type { DeploymentName, NoScale, Scale } from '../../contracts/scales.ts'
import { refOf, type Resource, type StatusOf } from '../../kinds/index.ts'
import { readyCondition } from '../../kinds/meta.ts'
import { inPlace, refused, waitingFor, type Plan, type Step } from '../plan.ts'

type Scaler = Resource<'EndpointScaler'>
type Connection = Resource<'Connection'>
type ScaleNote = Pick<NonNullable<StatusOf<'EndpointScaler'>>, 'deployment' | 'activatedAt' | 'replicas' | 'idleSince' | 'failingSince'>

export interface ScalerDesired {
  readonly scaler: Scaler
  readonly service: Resource<'NetworkService'> | undefined
  /** All of its NetworkService. */
  readonly connections: readonly Connection[]
  /** The name of another one of the same Deployment, which is older. */
  readonly older: string | undefined
  /** There are Deployments at all. */
  readonly hasDeployments: boolean
}
/** As it was looked at; undefined: nobody had to. */
export type LookedAt = (Scale & { readonly isOurs: boolean }) | NoScale | undefined
export interface ScalerAction {
  readonly do: 'scaleUp' | 'scaleDown'
  readonly of: DeploymentName
  readonly scale: Scale
}
type ScalerPlan = Plan<ScalerAction>

/** As a Deployment has by itself (progressDeadlineSeconds). */
const readyWithinMs = 600_000
/** Somebody may set it back to 0 while a client waits. */
const checkAgainMs = 30_000
/** So long it is left at 0 where somebody else has scaled it down while a client waits. */
const restMs = 60_000
const [retryFirstMs, retryMostMs] = [5_000, 300_000]

export const deploymentOf = ({ metadata: { namespace = '' }, spec }: Scaler): DeploymentName => ({
  namespace,
  name: spec.scaleTargetRef.name,
})
export const cooldownMsOf = ({ spec }: Scaler): number => (spec.cooldownSeconds ?? 300) * 1000

/** A Connection that is being made does not say yet whether it has one. */
export const isWaiting = ({ status }: Connection): boolean =>
  status?.endpoint === undefined && waitingReasons.has(readyCondition(status?.conditions)?.reason ?? '')
const waitingReasons: ReadonlySet<string> = new Set(['NoEndpoint', 'EndpointStarting'])

const clientsOf = ({ connections }: ScalerDesired): readonly Connection[] =>
  connections.filter(({ metadata }) => metadata.deletionTimestamp === undefined)

/** What was noted of the Deployment that is named now: another one is left as it is. */
function keptOf({ scaler }: ScalerDesired): ScaleNote {
  const { deployment, activatedAt, replicas, idleSince, failingSince } = scaler.status ?? {}
  const all = { deployment, activatedAt, replicas, idleSince, failingSince }
  return deployment === scaler.spec.scaleTargetRef.name ? given(all) : {}
}
const given = (all: { readonly [F in keyof ScaleNote]: ScaleNote[F] | undefined }): ScaleNote =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

/** Which way the Deployment may have to go: only then it is looked at. */
export function directionOf(desired: ScalerDesired, { now }: { readonly now: number }): 'up' | 'down' | undefined {
  if (whyNone(desired) !== undefined) return undefined
  const clients = clientsOf(desired)
  if (clients.length > 0) return clients.some(isWaiting) ? 'up' : undefined
  const { activatedAt, idleSince } = keptOf(desired)
  const isOver = idleSince !== undefined && now >= Date.parse(idleSince) + cooldownMsOf(desired.scaler)
  return activatedAt !== undefined && isOver ? 'down' : undefined
}

export function planScaler(desired: ScalerDesired, looked: LookedAt, now: number): ScalerPlan {
  const none = whyNone(desired)
  if (none !== undefined) return none
  const direction = directionOf(desired, { now })
  if (direction === undefined) return planQuiet(desired, now)
  // Its time has come while it was planned.
  if (looked === undefined) return { ...planKept(desired), requeueAfterMs: 1 }
  if (typeof looked === 'string') return planFailing(desired, looked, now)
  return direction === 'up' ? planUp(desired, looked, now) : planDown(desired, looked)
}

/** What stands in the way, whatever clients there are. */
function whyNone({ scaler: { metadata, spec }, service, older, hasDeployments }: ScalerDesired): ScalerPlan | undefined {
  const { name } = spec.scaleTargetRef
  if (metadata.deletionTimestamp !== undefined)
    return { steps: [], phase: 'deleted', reason: 'Unused', message: `Deployment ${name} is left as it is` }
  if (!hasDeployments) return refused('Unsupported', 'there are no Deployments without Kubernetes')
  if (older !== undefined) return refused('DeploymentTaken', `EndpointScaler ${older}, which is older, scales Deployment ${name}`)
  return service === undefined ? waitingFor('NetworkServiceNotFound', `NetworkService ${metadata.name} not found`) : undefined
}

const noted = (kept: ScaleNote): Pick<ScalerPlan, 'sections'> => ({ sections: { scale: kept } })
const idle = inPlace('Idle', 'its NetworkService has no clients')
const active = inPlace('Active', 'the clients of its NetworkService have endpoints')

const planKept = (desired: ScalerDesired): ScalerPlan => ({
  ...(clientsOf(desired).length === 0 ? idle : active),
  ...noted(keptOf(desired)),
})

/** Nobody waits, and no time is over. */
function planQuiet(desired: ScalerDesired, now: number): ScalerPlan {
  const { deployment, activatedAt, replicas, idleSince = isoOf(now) } = keptOf(desired)
  const ours = given({ deployment, activatedAt, replicas, idleSince: undefined, failingSince: undefined })
  if (clientsOf(desired).length > 0) return { ...active, ...noted(activatedAt === undefined ? {} : ours) }
  if (activatedAt === undefined) return { ...idle, ...noted({}) }
  const leftMs = Math.max(1, Date.parse(idleSince) + cooldownMsOf(desired.scaler) - now)
  return { ...idle, ...noted({ ...ours, idleSince }), requeueAfterMs: leftMs }
}

/** A client waits. */
function planUp(desired: ScalerDesired, looked: Scale, now: number): ScalerPlan {
  const { name } = desired.scaler.spec.scaleTargetRef
  const { activatedAt, replicas } = keptOf(desired)
  if (looked.replicas > 0) return planStarting(desired, looked, now)
  const decided = { deployment: name, activatedAt: isoOf(now) }
  const activating = waitingFor('Activating', `Deployment ${name} is being scaled to 1 for a client`, 1000)
  if (activatedAt === undefined) return { ...activating, ...noted(decided) }
  if (replicas !== 1)
    return {
      ...starting(name, checkAgainMs),
      ...noted({ deployment: name, activatedAt, replicas: 1 }),
      ...step('scaleUp', desired, looked),
    }
  const restLeftMs = Date.parse(activatedAt) + restMs - now
  if (restLeftMs <= 0) return { ...activating, ...noted(decided) }
  const message = `somebody has scaled Deployment ${name} to 0 while a client waits: it is scaled up again within a minute`
  return { ...waitingFor('ScaledDown', message, restLeftMs), ...noted({ deployment: name, activatedAt, replicas }) }
}

const starting = (name: string, againMs: number): ScalerPlan =>
  waitingFor('Starting', `Deployment ${name} is starting an endpoint for a client`, againMs)

/** It has pods, or soon will, and none of them is an endpoint for the client yet. */
function planStarting(desired: ScalerDesired, { replicas }: Scale, now: number): ScalerPlan {
  const { name } = desired.scaler.spec.scaleTargetRef
  const { activatedAt } = keptOf(desired)
  // More than 1 is somebody else's doing.
  if (activatedAt === undefined || replicas !== 1)
    return { ...waitingFor('Starting', `Deployment ${name} has ${replicas} replicas, and a client waits`, checkAgainMs), ...noted({}) }
  const ours = noted({ deployment: name, activatedAt, replicas })
  const leftMs = Date.parse(activatedAt) + readyWithinMs - now
  if (leftMs > 0) return { ...starting(name, Math.min(checkAgainMs, leftMs)), ...ours }
  const message = `Deployment ${name} was scaled to 1 at ${activatedAt}, and it has no endpoint that a client waits for`
  return { ...refused('NotReadyInTime', message), ...ours, requeueAfterMs: retryMostMs }
}

/** There has been no client for long enough. */
function planDown(desired: ScalerDesired, looked: Scale & { readonly isOurs: boolean }): ScalerPlan {
  const isDue = looked.replicas === 1 && looked.isOurs
  return { ...idle, ...noted({}), ...(isDue ? step('scaleDown', desired, looked) : {}) }
}

const reasonOf: Readonly<Record<NoScale, string>> = { NotFound: 'DeploymentNotFound', Forbidden: 'ScaleForbidden' }
const textOf: Readonly<Record<NoScale, string>> = { NotFound: 'not found', Forbidden: 'may not be scaled by Megrez' }
export const noScaleText = (name: string, why: NoScale): string => `Deployment ${name} ${textOf[why]}`

/** Tried again as long after as it has failed already, within bounds. */
function planFailing(desired: ScalerDesired, why: NoScale, now: number): ScalerPlan {
  const { name } = desired.scaler.spec.scaleTargetRef
  const { failingSince = isoOf(now), ...kept } = keptOf(desired)
  const isWanted = clientsOf(desired).length > 0
  if (why === 'NotFound' && !isWanted) return { ...idle, ...noted({}) }
  const afterMs = Math.min(retryMostMs, Math.max(retryFirstMs, now - Date.parse(failingSince)))
  return {
    ...refused(reasonOf[why], noScaleText(name, why)),
    // Of one that comes again nothing is ours.
    ...noted({ ...(why === 'NotFound' ? {} : kept), deployment: name, failingSince }),
    requeueAfterMs: afterMs,
  }
}

const because = { scaleUp: 'a client waits, and no endpoint is there', scaleDown: 'no client has been there for cooldownSeconds' }
function step(what: ScalerAction['do'], { scaler }: ScalerDesired, { replicas, resourceVersion }: Scale): Pick<ScalerPlan, 'steps'> {
  const action: ScalerAction = { do: what, of: deploymentOf(scaler), scale: { replicas, resourceVersion } }
  const steps: readonly Step<ScalerAction>[] = [{ action, because: { rule: because[what], of: refOf(scaler) } }]
  return { steps }
}

const isoOf = (now: number): string => new Date(now).toISOString()
