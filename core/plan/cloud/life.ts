// The life of one thing at a cloud: wish, adopt or create, made, and its end. What is more than that of a port is in port.ts.
import type { CloudAction, CloudKind, CloudKinds, CloudProblem, CloudScope, CloudSeen } from '../../contracts/cloud.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import { readyCondition } from '../../kinds/meta.ts'
import type { OwnKind } from '../../kinds/index.ts'
import { refused, waitingFor, type Plan, type Step, type WaitsFor } from '../plan.ts'

/** What a status tells of where its object stands (core/kinds/vpc/at-provider.ts). */
export interface AtProvider {
  readonly cloud?: string
  readonly providerID?: string
  readonly state?: CloudKinds[CloudKind]['there']['state']
  readonly revision?: string
  readonly requestedAt?: string
}
export type PlacedObject = Resource<Extract<OwnKind, 'Vpc' | 'Subnet' | 'Port' | 'CloudSecurityGroup'>>

export interface LifeDesired<K extends CloudKind> {
  readonly item: PlacedObject
  /** Name of the Cloud. */
  readonly cloud: string
  readonly scope: CloudScope
  readonly wanted: CloudKinds[K]['wanted']
  /** Longest that a request may be under way once its sender is gone. */
  readonly landsWithinMs: number
  /** What is there is not as it is wanted, and can be changed. */
  readonly differs: (there: CloudKinds[K]['there']) => boolean
  /** Its cloud refuses no second one: who marks the object as asked for is the one who asks, and nobody else does for a while. */
  readonly isClaimed?: boolean
  /** What others may give back that its cloud lacked when it refused. */
  readonly room?: Room
  /** What its section `provider` tells beside, from the first request on. */
  readonly asked?: object
  /** The sections of its status, as what is there has them. */
  readonly sectionsOf: (there: CloudKinds[K]['there']) => NonNullable<Plan<unknown>['sections']>
}
export interface Room {
  readonly waitsFor: WaitsFor
  /** Milliseconds since 1970 when some was given back last, as far as this worker has heard. */
  readonly cameAt: number | undefined
}
/** The object says that it is asked for: of two who have read it alike one is refused by the store, and asks for nothing. */
export interface MarkAsked {
  readonly do: 'markAsked'
  readonly item: PlacedObject
  /** Its section `provider`. */
  readonly provider: object
}
export type LifeAction<K extends CloudKind> = CloudAction<K> | MarkAsked
type LifePlan<K extends CloudKind> = Plan<LifeAction<K>>
export type Lived<K extends CloudKind> =
  /** It is made, and as it is wanted. */
  { readonly is: 'made'; readonly there: CloudKinds[K]['there'] } | { readonly is: 'not yet'; readonly plan: LifePlan<K> }

/** A create is sent no later than this after its requestedAt was stored; else that is stored anew. */
export const sentWithinMs = 10_000
/** Clocks of workers may differ by so much. */
export const skewMs = 30_000
/** What was refused is asked for again, for the first time. */
const refusedMs = 60_000
/** What has failed, or is another's, is looked at again. */
export const againMs = 30_000
/** What is as it should be is looked at again, in case nobody tells of changes. */
export const auditMs = 300_000
const poll = { leastMs: 250, mostMs: 10_000 } as const

const statusOf = ({ status = {} }: PlacedObject): AtProvider => status

/** How soon to look again: a quarter of the time that it has been waited for. */
export function pollMs({ status }: PlacedObject, now: number): number {
  const since = status?.timeline?.at(-1)?.time
  const waitedMs = since === undefined ? 0 : now - Date.parse(since)
  return Math.min(Math.max(Math.round(waitedMs / 4), poll.leastMs), poll.mostMs)
}

export function planLife<K extends CloudKind>(desired: LifeDesired<K>, seen: CloudSeen<K>, now: number): Lived<K> {
  const { there, problem, doubles = [] } = seen
  if (problem !== undefined) return notYet(planUnknown(desired.item, problem, now))
  if (there === undefined) return notYet(desired.scope.existing === undefined ? created(desired, now) : missing(desired))
  return doubles.length > 0 ? notYet(doubled(desired, [there, ...doubles])) : planThere(desired, there, now)
}

function planThere<K extends CloudKind>(desired: LifeDesired<K>, there: CloudKinds[K]['there'], now: number): Lived<K> {
  const { existing, of } = desired.scope
  if (existing !== undefined && isShared(there)) return planOurs(desired, there, now)
  if (there.owner === undefined && existing !== undefined) return notYet(adopted(desired, there))
  if (there.owner !== of.uid) return notYet(takenBy(desired, there))
  return planOurs(desired, there, now)
}

function planOurs<K extends CloudKind>(desired: LifeDesired<K>, there: CloudKinds[K]['there'], now: number): Lived<K> {
  const { item, cloud } = desired
  const sections = desired.sectionsOf(there)
  const { state, message = 'the cloud says no more' } = there
  if (state === 'failed') return notYet({ ...refused('CloudFailed', message), requeueAfterMs: againMs, sections })
  if (state === 'building') return notYet({ ...waitingFor('Building', `cloud ${cloud} is making it`, pollMs(item, now)), sections })
  if (desired.scope.existing === undefined && desired.differs(there)) return notYet({ ...updated(desired, there), sections })
  return { is: 'made', there }
}

const isShared = (there: CloudKinds[CloudKind]['there']): boolean => 'shared' in there && there.shared === true

const notYet = <K extends CloudKind>(plan: LifePlan<K>): Lived<K> => ({ is: 'not yet', plan })

/** What was ready, or has failed, stays told so: that it cannot be looked at is said beside it. */
export function planUnknown(item: PlacedObject, { reason, message }: CloudProblem, now: number): Plan<never> {
  const requeueAfterMs = pollMs(item, now)
  const ready = readyCondition(item.status?.conditions)
  const { phase, observedGeneration } = item.status ?? {}
  const isSettled = (phase === 'ready' || phase === 'error') && observedGeneration === item.metadata.generation
  if (!isSettled || ready === undefined) return waitingFor(reason, message, requeueAfterMs)
  const condition = { type: 'CloudReachable', status: 'False', reason, message } as const
  return { steps: [], phase, reason: ready.reason, message: ready.message, requeueAfterMs, conditions: [condition] }
}

/** What the status tells of a thing that is there. */
export function placeOf<K extends CloudKind>(
  { item, cloud }: Pick<LifeDesired<K>, 'item' | 'cloud'>,
  there: CloudKinds[K]['there'],
): AtProvider {
  const { requestedAt } = statusOf(item)
  return {
    cloud,
    providerID: there.id,
    state: there.state,
    revision: there.revision,
    ...(requestedAt !== undefined && { requestedAt }),
  }
}

/** That it is asked for is stored before it is: at its end it is known that a request may be under way. */
function created<K extends CloudKind>(desired: LifeDesired<K>, now: number): LifePlan<K> {
  const { item, cloud, asked, isClaimed } = desired
  const { requestedAt } = statusOf(item)
  const askedMs = requestedAt === undefined ? Infinity : now - Date.parse(requestedAt)
  const refused = refusalOf(desired, now)
  if (askedMs <= sentWithinMs) return isClaimed === true ? awaited(desired, askedMs, refused) : creating(desired)
  if (refused !== undefined && askedMs < refused.againMs) return { ...refused.plan, requeueAfterMs: refused.againMs - askedMs }
  const provider = { cloud, requestedAt: new Date(now).toISOString(), ...asked }
  if (isClaimed === true) return marked(desired, provider, refused)
  const asks = { sections: { provider }, requeueAfterMs: 1 }
  return refused === undefined ? { ...waitingFor('Requested', `cloud ${cloud} is asked for it`, 1), ...asks } : { ...refused.plan, ...asks }
}

function creating<K extends CloudKind>({ item, cloud, scope, wanted }: LifeDesired<K>): LifePlan<K> {
  const because = { rule: 'what its cloud does not have', of: refOf(item) }
  return {
    ...waitingFor('Creating', `cloud ${cloud} is asked for it`, poll.leastMs),
    steps: [{ action: { do: 'create', scope, wanted }, because }],
  }
}

/** Asked for in the pass that has marked it: whoever else plans it meanwhile waits for what comes of that. */
function marked<K extends CloudKind>(desired: LifeDesired<K>, provider: object, refused: Refusal | undefined): LifePlan<K> {
  const { item } = desired
  const plan = creating(desired)
  const because = { rule: 'one worker asks at a time', of: refOf(item) }
  return { ...plan, ...refused?.plan, steps: [{ action: { do: 'markAsked', item, provider }, because }, ...plan.steps] }
}

function awaited<K extends CloudKind>({ cloud }: LifeDesired<K>, askedMs: number, refused: Refusal | undefined): LifePlan<K> {
  if (refused !== undefined) return { ...refused.plan, requeueAfterMs: Math.max(sentWithinMs + 1, refused.againMs) - askedMs }
  return waitingFor('Creating', `cloud ${cloud} has been asked for it`, Math.max(poll.leastMs, askedMs / 4))
}

interface Refusal {
  readonly plan: Plan<never>
  readonly againMs: number
}

/**
 * What the cloud has refused stays told as it was until it is taken: it is asked for once somebody has given back what it may have lacked,
 * else after a minute, and then after twice as long.
 */
function refusalOf({ item: { status, metadata }, room }: Pick<LifeDesired<CloudKind>, 'item' | 'room'>, now: number): Refusal | undefined {
  const ready = status?.conditions?.find(({ type, reason }) => type === 'Ready' && reason === 'Refused')
  if (ready === undefined || ready.observedGeneration !== metadata.generation) return undefined
  const { reason, message, lastTransitionTime } = ready
  const againMs = Math.max(refusedMs, (now - Date.parse(lastTransitionTime)) / 2)
  return {
    plan: { ...refused(reason, message), ...(room && { waitsFor: room.waitsFor }) },
    againMs: Math.min(againMs, untilAskedMs(room?.cameAt, status?.requestedAt)),
  }
}

/** Where clocks of two workers do not say which was first, that it was given back or asked for, it waits as the first time. */
function untilAskedMs(cameAt: number | undefined, requestedAt: string | undefined): number {
  if (cameAt === undefined || requestedAt === undefined) return Infinity
  const sinceMs = cameAt - Date.parse(requestedAt)
  if (sinceMs > 0) return 0
  return sinceMs > -skewMs ? refusedMs : Infinity
}

function missing<K extends CloudKind>({ item, cloud, scope }: LifeDesired<K>): LifePlan<K> {
  const had = statusOf(item).providerID !== undefined
  const message = `cloud ${cloud} has ${had ? 'no longer anything' : 'nothing'} of the name or ID ${scope.existing ?? ''}`
  return { ...refused(had ? 'GoneAtCloud' : 'NotAtCloud', message), requeueAfterMs: againMs }
}

function adopted<K extends CloudKind>({ item, cloud, scope, sectionsOf }: LifeDesired<K>, there: CloudKinds[K]['there']): LifePlan<K> {
  const because = { rule: 'what is there at its cloud, and nobody has', of: refOf(item) }
  return {
    ...waitingFor('Adopting', `${there.name} of cloud ${cloud} is adopted`, 1),
    steps: [{ action: { do: 'adopt', scope, there }, because }],
    sections: sectionsOf(there),
  }
}

/** The one that the status tells of stays, else the first: that is the same for all who look. */
function doubled<K extends CloudKind>({ item, cloud, scope }: LifeDesired<K>, all: readonly CloudKinds[K]['there'][]): LifePlan<K> {
  const { providerID } = statusOf(item)
  const stays = all.find(({ id }) => id === providerID) ?? all[0]
  const because = { rule: 'a second one of one owner', of: refOf(item) }
  const others = all.filter((each) => each !== stays)
  return {
    ...waitingFor('Doubled', `cloud ${cloud} has made it ${all.length} times, and is asked to delete all but one`, poll.leastMs),
    steps: others.map((there) => ({ action: { do: 'delete', scope, there }, because })),
  }
}

/** Of whose it is nothing is said: it may be another tenant's. */
const takenBy = <K extends CloudKind>({ cloud }: LifeDesired<K>, { name }: CloudKinds[K]['there']): LifePlan<K> => ({
  ...refused('TakenAtCloud', `${name} of cloud ${cloud} is another's`),
  requeueAfterMs: againMs,
})

function updated<K extends CloudKind>({ item, cloud, scope, wanted }: LifeDesired<K>, there: CloudKinds[K]['there']): LifePlan<K> {
  const because = { rule: 'what is otherwise at its cloud than it should be', of: refOf(item) }
  return {
    ...waitingFor('Updating', `cloud ${cloud} is asked to change it`, poll.leastMs),
    steps: [{ action: { do: 'update', scope, there, wanted }, because }],
  }
}

/** The end: what we made goes, what we adopted is let go, and nothing may land behind that. */
export function planLifeEnd<K extends CloudKind>(
  { item, cloud, scope, landsWithinMs }: Pick<LifeDesired<K>, 'item' | 'cloud' | 'scope' | 'landsWithinMs'>,
  { there, problem, doubles = [] }: CloudSeen<K>,
  now: number,
): LifePlan<K> {
  const going = { phase: 'terminating' } as const
  if (problem !== undefined)
    return hasAsked(item, scope)
      ? { ...waitingFor(problem.reason, problem.message, pollMs(item, now)), ...going }
      : { steps: [], phase: 'deleted', reason: 'Freed', message: `nothing was asked of cloud ${cloud}` }
  if (there !== undefined && there.owner === scope.of.uid) {
    const verb = scope.existing === undefined ? 'delete' : 'release'
    const because = { rule: 'what is being deleted', of: refOf(item) }
    const steps = [there, ...doubles].map((each): Step<CloudAction<K>> => ({ action: { do: verb, scope, there: each }, because }))
    return { ...going, steps, reason: 'Deleting', message: `cloud ${cloud} is asked to delete it`, requeueAfterMs: poll.leastMs }
  }
  const leftMs = underWayMs(item, landsWithinMs, now)
  if (leftMs > 0)
    return {
      ...going,
      steps: [],
      reason: 'Settling',
      message: `a request to cloud ${cloud} may still be under way`,
      requeueAfterMs: leftMs,
    }
  return { steps: [], phase: 'deleted', reason: 'Freed', message: `cloud ${cloud} has nothing of it` }
}

/** Before anything is made its status says so; what is adopted is asked for at once. */
const hasAsked = (item: PlacedObject, { existing }: CloudScope): boolean => existing !== undefined || statusOf(item).cloud !== undefined

/** Milliseconds until no request for it can be under way any more. */
function underWayMs(item: PlacedObject, landsWithinMs: number, now: number): number {
  const { requestedAt } = statusOf(item)
  return requestedAt === undefined ? 0 : Math.max(0, Date.parse(requestedAt) + sentWithinMs + skewMs + landsWithinMs - now)
}
