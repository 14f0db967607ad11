// A pod: the Nics it asks for against the Ports that answer them.
import type { Draft } from '../../contracts/store.ts'
import type { Ref, Resource, SpecOf } from '../../kinds/index.ts'
import type { Phase } from '../../kinds/meta.ts'
import { portNameOf } from '../../net/names.ts'
import { wiringOf, type Wiring } from '../notify/changes.ts'
import { reportIn } from '../notify/notices.ts'
import type { Plan, Step, WaitsFor } from '../plan.ts'

export type PodAction =
  | { readonly do: 'createPort'; readonly draft: Draft<'Port'> }
  | { readonly do: 'updatePort'; readonly port: Resource<'Port'>; readonly spec: SpecOf<'Port'> }
  | { readonly do: 'deletePort'; readonly port: Resource<'Port'> }

/** One Nic and the Port that answers it, or that is to be made for it. */
export interface NicAnswer {
  readonly nic: string
  /** As it is, or as it will be where it is made in the same commit. */
  readonly port: Resource<'Port'> | undefined
  /** What is to be made where there is none. */
  readonly draft: Draft<'Port'> | undefined
  /** It names a Port of its own choice. */
  readonly portID: string | undefined
  /** Its node wires it into the running pod: its network is its policy's to say, or it is plugged in while the pod runs. */
  readonly follows?: true
  /** Its Port is in another Vpc than it is to be in. */
  readonly moves?: boolean
}
export interface PodDesired {
  readonly ref: Ref<'Pod'>
  /** Undefined: there is none of that name, as the store itself says. */
  readonly pod: Resource<'Pod'> | undefined
  /** `Kind/name` of its controller, else `Pod/name`. */
  readonly owner: string
  /** Undefined: it asks for none, or cannot be told yet. */
  readonly answers: readonly NicAnswer[] | undefined
  /** Where it cannot be told: what its NICs are called; undefined: that cannot be told either. */
  readonly listed?: ReadonlySet<string> | undefined
  /** Why it cannot be told. */
  readonly problem: { readonly message: string; readonly later: boolean } | undefined
  /** Its policy names a network that it cannot have: it keeps the one that it has, and is told so. */
  readonly isHeldBack?: boolean
  /** The Ports claimed for a pod of this name. */
  readonly claimed: readonly Resource<'Port'>[]
}

/** What a pod's report says of one Nic. */
export interface NicReport {
  readonly name: string
  readonly port?: string
  readonly portID?: string
  readonly subnet?: string
  readonly addresses?: readonly string[]
  readonly mac?: string
  readonly createdByUs?: boolean
  /** Of a client of a NetworkService: the endpoint that it has, and where that is reached. */
  readonly connection?: NicConnection
  readonly phase: Phase
}
interface NicConnection {
  readonly networkService: string
  readonly endpoint?: string
  readonly addresses?: readonly string[]
}
export type PodPlan = Plan<PodAction> & {
  /** Its Ports are being made, and nobody has to wait for anything: by the time it were read it would no longer be so. */
  readonly isOnItsWay?: boolean
  /** It asks for none, and is told nothing. */
  readonly requestsNothing?: boolean
  readonly nics: readonly NicReport[]
  /** Of each Nic, where it has a Port: what only some are told. */
  readonly wiring?: readonly (Wiring | undefined)[]
}

/** What a pod waits for wakes it when it comes; this is for the case that nobody saw it come. */
const waitingAgainMs = 60_000

/** A pod whose containers will never run again; one that is being deleted counts from when its grace period is over. */
export function isPodFinished({ metadata, status }: Resource<'Pod'>): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return true
  const graceSeconds = (metadata as { readonly deletionGracePeriodSeconds?: number }).deletionGracePeriodSeconds ?? 0
  return metadata.deletionTimestamp !== undefined && graceSeconds === 0
}

/** Whether a Port was made for the pod that claims it: its name is a function of both. */
export function isMadeFor(port: Resource<'Port'>): boolean {
  const { claim } = port.spec
  return claim !== undefined && port.metadata.name === portNameOf({ name: claim.pod, uid: claim.podUID }, claim.nic)
}

export function planPod(given: PodDesired, now: number): PodPlan {
  const desired = { ...given, claimed: inOrder(given) }
  const { pod, claimed } = desired
  if (pod === undefined || isPodFinished(pod)) return planGone(desired)
  const answers = answersOf(desired, pod)
  const goes = unasked(desired, pod)
  const mine = claimed.filter((port) => port.spec.claim?.podUID === pod.metadata.uid && !goes.includes(port))
  // A pod that has its Ports keeps them, whatever has become of what it was admitted with.
  const kept = answers ?? mine.map((port): NicAnswer => ({ nic: port.spec.claim?.nic ?? '', port, draft: undefined, portID: undefined }))
  const surplus = [...claimed.filter((port) => isConfirmed(port) && port.spec.claim?.podUID !== pod.metadata.uid), ...goes]
  if (kept.length === 0)
    return {
      ...(isGoing(pod) && desired.answers !== undefined ? planLast : planProblem(desired)),
      steps: surplus.flatMap((port) => letGo(port, desired.ref)),
    }
  const served = kept.map((answer) => inTime(serve(answer, { ...desired, pod, now }), answer, pod))
  const steps = [...surplus.flatMap((port) => letGo(port, desired.ref)), ...served.flatMap((each) => each.steps)]
  const verdict = verdictOf(served, desired.ref)
  return { ...verdict, ...(desired.isHeldBack && heldBack(desired, verdict.message)), steps, ...nextOf(steps) }
}

/**
 * The Ports of a pod that it does not ask for any more. What admission keeps for it lapses by itself: the change that asks for it may not
 * be stored yet.
 */
export function unaskedPorts(desired: PodDesired): readonly Resource<'Port'>[] {
  return desired.pod === undefined ? [] : unasked(desired, desired.pod)
}
function unasked({ answers, listed, claimed }: PodDesired, pod: Resource<'Pod'>): readonly Resource<'Port'>[] {
  const answered = new Set(answers?.map(({ port }) => port?.metadata.uid))
  const isAsked = ({ metadata: { uid }, spec: { claim } }: Resource<'Port'>): boolean =>
    answers === undefined ? listed?.has(claim?.nic ?? '') !== false : answered.has(uid)
  return claimed.filter((port) => isConfirmed(port) && port.spec.claim?.podUID === pod.metadata.uid && !isAsked(port))
}

/** It is looked at again, as one that waits. */
const heldBack = ({ problem, ref }: PodDesired, message: string): Partial<PodPlan> => ({
  message: `${message}; it stays where it is: ${problem?.message ?? ''}`,
  requeueAfterMs: waitingAgainMs,
  waitsFor: untilNamed(ref),
})

const isGoing = ({ metadata }: Resource): boolean => metadata.deletionTimestamp !== undefined

/**
 * As the pod was told of them, and others by their names: in which order a worker has heard of them is its own affair, and two that go by
 * that would correct each other without end.
 */
function inOrder({ pod, claimed }: PodDesired): readonly Resource<'Port'>[] {
  if (claimed.length < 2) return claimed
  const reported = reportedNics(pod)
  const placeOf = ({ metadata: { name } }: Resource<'Port'>): number => (reported.includes(name) ? reported.indexOf(name) : reported.length)
  return [...claimed].sort((a, b) => placeOf(a) - placeOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1))
}

/** Whoever may write a pod's annotations may have written anything there. */
function reportedNics(pod: Resource<'Pod'> | undefined): readonly unknown[] {
  const nics = pod === undefined ? undefined : (reportIn(pod) as { readonly nics?: unknown } | undefined)?.nics
  return Array.isArray(nics) ? nics.map((nic: { readonly port?: unknown } | null) => nic?.port) : []
}

/** A pod that is going needs no Port that it has not got, nor another for one that has been deleted. */
const answersOf = ({ answers }: PodDesired, pod: Resource<'Pod'>): readonly NicAnswer[] | undefined =>
  isGoing(pod) ? answers?.filter(({ port }) => port !== undefined) : answers

const planLast = {
  steps: [],
  phase: 'terminating',
  reason: 'PodOver',
  message: 'the pod is going, and none of its NICs is there any more',
  nics: [],
} as const

const untilNamed = ({ namespace = '' }: Ref): WaitsFor => ({ kind: 'named', namespace })

const isConfirmed = (port: Resource<'Port'>): boolean => port.spec.claim?.until === undefined

function planGone({ pod, ref, claimed }: PodDesired): PodPlan {
  const steps = claimed
    .filter((port) => isConfirmed(port) || port.spec.claim?.podUID === pod?.metadata.uid)
    .flatMap((port) => letGo(port, ref))
  // What has been deleted is dropped from what it is told, one by one.
  const nics = claimed.filter((port) => isMadeFor(port) && port.spec.claim?.podUID === pod?.metadata.uid).map((port) => goingReportOf(port))
  return {
    steps,
    phase: pod === undefined || isGoing(pod) ? 'deleted' : 'terminating',
    reason: 'PodOver',
    message: 'the pod is over: its Ports are let go',
    nics,
  }
}

function planProblem({ problem: fault, ref }: PodDesired): PodPlan {
  if (fault === undefined)
    return { steps: [], phase: 'ready', reason: 'NoNics', message: 'the pod asks for no NICs', nics: [], requestsNothing: true }
  const verdict = fault.later
    ? ({ phase: 'pending', reason: 'NicsUnresolved' } as const)
    : ({ phase: 'error', reason: 'NicsRefused' } as const)
  return { steps: [], ...verdict, message: fault.message, nics: [], requeueAfterMs: waitingAgainMs, waitsFor: untilNamed(ref) }
}

/** Made for it, a Port goes with its pod unless it is to be retained; any other loses its claim, and its node once that has unwired it. */
function letGo(port: Resource<'Port'>, of: Ref): Step<PodAction>[] {
  if (port.metadata.deletionTimestamp !== undefined) return []
  const because = { rule: 'a Port whose pod is over or no longer asks for it', of }
  if (isMadeFor(port) && port.spec.retain !== true) return [{ action: { do: 'deletePort', port }, because }]
  const { claim: _, podUID, ...rest } = port.spec
  return [
    { action: { do: 'updatePort', port, spec: rest.node === undefined || podUID === undefined ? rest : { ...rest, podUID } }, because },
  ]
}

/** The Ports that it makes. */
function nextOf(steps: readonly Step<PodAction>[]): Pick<PodPlan, 'next'> {
  const next = steps.flatMap(({ action }) => (action.do === 'createPort' ? [draftRefOf(action.draft)] : []))
  return next.length === 0 ? {} : { next }
}
const draftRefOf = ({ kind, metadata: { namespace, name } }: Draft): Ref =>
  namespace === undefined ? { kind, name } : { kind, namespace, name }

interface Served {
  readonly steps: readonly Step<PodAction>[]
  readonly nic: NicReport
  readonly wiring?: Wiring
  readonly reason: string
  readonly message: string
  readonly isOnItsWay?: boolean
}
/** The pod that is served, and when. */
interface Serving extends Pick<PodDesired, 'ref' | 'owner'> {
  readonly pod: Resource<'Pod'>
  readonly now: number
}

function serve(answer: NicAnswer, serving: Serving): Served {
  const { port, draft, nic } = answer
  const because = { rule: 'a NIC without a Port', of: serving.ref }
  if (draft !== undefined) return made(nic, { action: { do: 'createPort', draft }, because }, draft.metadata.name)
  if (port === undefined)
    return {
      steps: [],
      nic: { name: nic, phase: 'pending' },
      reason: 'PortMissing',
      message: `Port ${answer.portID ?? ''} is not there yet`,
    }
  if (answer.moves === true && !isGoing(serving.pod)) return moved(port, answer, serving)
  if (isEnding(port, answer, serving.pod))
    return { steps: [], nic: goingReportOf(port, nic), reason: 'PortTerminating', message: `Port ${port.metadata.name} is being deleted` }
  const problem = problemIn(port, nic, serving)
  if (problem !== undefined) return { steps: [], nic: { name: nic, port: port.metadata.name, phase: 'error' }, ...problem }
  const spec = bound(port, nic, serving)
  return verdict(
    port,
    nic,
    spec === undefined
      ? []
      : [{ action: { do: 'updatePort', port, spec }, because: { rule: "a Port that is not yet the pod's on its node", of: serving.ref } }],
  )
}

/** One that was taken out and put in again waits for the end of the Port before. */
const isEnding = (port: Resource<'Port'>, { follows }: NicAnswer, pod: Resource<'Pod'>): boolean =>
  isGoing(port) && (isGoing(pod) || follows === true)

/** Break before make: no frame of the pod is in two networks, and one name is one Port. */
function moved(port: Resource<'Port'>, { nic }: NicAnswer, { ref }: Serving): Served {
  const { name } = port.metadata
  return {
    steps: isGoing(port)
      ? []
      : [{ action: { do: 'deletePort', port }, because: { rule: "a Port in another network than its pod's policy names", of: ref } }],
    nic: goingReportOf(port, nic),
    reason: 'MovesToNetwork',
    message: `Port ${name} goes, and is made anew in the network that the pod's policy names`,
  }
}

/** A pod that came past admission, and past every agent, may run without what was made for it since: only a new one gets it. */
function inTime(served: Served, { port, follows }: NicAnswer, pod: Resource<'Pod'>): Served {
  const since = sandboxSince(pod)
  if (
    follows === true ||
    port === undefined ||
    since === undefined ||
    !isMadeFor(port) ||
    Date.parse(port.metadata.creationTimestamp) <= since
  )
    return served
  return {
    ...served,
    nic: { ...served.nic, phase: 'error' },
    reason: 'StartedWithoutNics',
    message: 'the pod was started before its Port was made: make the pod anew',
    isOnItsWay: false,
  }
}

/** When a pod's network was set up, in milliseconds since 1970; kubelet says so where PodReadyToStartContainers is on (Kubernetes 1.29). */
function sandboxSince({ status }: Resource<'Pod'>): number | undefined {
  const condition = status?.conditions?.find(({ type, status: is }) => type === 'PodReadyToStartContainers' && is === 'True')
  return condition?.lastTransitionTime === undefined ? undefined : Date.parse(condition.lastTransitionTime)
}

function made(nic: string, step: Step<PodAction>, name: string): Served {
  return {
    steps: [step],
    nic: { name: nic, port: name, phase: 'pending' },
    reason: 'PortsPending',
    message: `Port ${name} is being made`,
    isOnItsWay: true,
  }
}

/**
 * Why a Port that is there cannot answer the Nic. An unconfirmed claim may be taken over by the same owner's pod for the same Nic; workers
 * end it once it has lapsed.
 */
function problemIn(
  { metadata, spec: { claim } }: Resource<'Port'>,
  nic: string,
  { pod, owner }: Serving,
): Pick<Served, 'reason' | 'message'> | undefined {
  if (metadata.deletionTimestamp !== undefined) return { reason: 'PortTerminating', message: `Port ${metadata.name} is being deleted` }
  if (claim === undefined || claim.podUID === pod.metadata.uid) return undefined
  const sameNic = claim.owner === owner && claim.nic === nic
  if (claim.until !== undefined && sameNic) return undefined
  return { reason: 'PortTaken', message: `Port ${metadata.name} is claimed by pod ${claim.pod}` }
}

/** The spec of a Port that is this pod's, or undefined where it says so already. */
function bound(port: Resource<'Port'>, nic: string, { pod, owner }: Serving): SpecOf<'Port'> | undefined {
  const { uid, name } = pod.metadata
  const { podUID, node } = port.spec
  const wanted = isLeaving(port, pod) ? { podUID, node } : { podUID: uid, node: pod.spec.nodeName ?? node }
  if (isConfirmed(port) && port.spec.claim?.podUID === uid && wanted.podUID === podUID && wanted.node === node) return undefined
  const claim = { pod: name, nic, owner, podUID: uid }
  return {
    ...port.spec,
    claim,
    ...(wanted.podUID !== undefined && { podUID: wanted.podUID }),
    ...(wanted.node !== undefined && { node: wanted.node }),
  }
}

/** A node has still to unwire it, from the pod before or where it was without one: until then it stays there, and on no other node. */
function isLeaving({ spec: { podUID, node } }: Resource<'Port'>, { metadata, spec }: Resource<'Pod'>): boolean {
  return podUID === undefined ? node !== undefined && node !== spec.nodeName : podUID !== metadata.uid
}

function verdict(port: Resource<'Port'>, nic: string, steps: readonly Step<PodAction>[]): Served {
  const { status = {}, metadata } = port
  const { message = `Port ${metadata.name} is being made`, conditions: [first] = [] } = status
  return {
    steps,
    nic: reportOf(port, nic),
    wiring: wiringOf(port),
    reason: first?.reason ?? 'PortsPending',
    message,
    ...(first === undefined && { isOnItsWay: true }),
  }
}

const goingReportOf = (port: Resource<'Port'>, nic = port.spec.claim?.nic ?? ''): NicReport => ({
  ...reportOf(port, nic),
  phase: 'terminating',
})

function reportOf(port: Resource<'Port'>, nic: string): NicReport {
  const { status = {}, metadata, spec } = port
  const { portID, addresses, mac, createdByUs = isMadeFor(port), phase = 'pending' } = status
  return {
    name: nic,
    port: metadata.name,
    ...(portID !== undefined && { portID }),
    subnet: spec.subnet,
    ...(addresses && { addresses }),
    ...(mac !== undefined && { mac }),
    createdByUs,
    ...connectionOf(spec),
    phase,
  }
}

function connectionOf({ networkService: of }: SpecOf<'Port'>): Pick<NicReport, 'connection'> {
  if (of?.as !== 'client') return {}
  const { name: networkService, endpoint, addresses } = of
  return { connection: { networkService, ...(endpoint !== undefined && { endpoint }), ...(addresses && { addresses }) } }
}

/** The worst of them speaks for the pod. */
function verdictOf(served: readonly Served[], ref: Ref): Omit<PodPlan, 'steps'> {
  const [nics, wiring] = [served.map((each) => each.nic), served.map((each) => each.wiring)]
  const worst = served.find((each) => each.nic.phase === 'error') ?? served.find((each) => each.nic.phase !== 'ready')
  if (worst === undefined)
    return { phase: 'ready', reason: 'InPlace', message: nics.length === 1 ? '1 NIC ready' : `${nics.length} NICs ready`, nics, wiring }
  const phase = worst.nic.phase === 'error' || worst.nic.phase === 'terminating' ? worst.nic.phase : 'pending'
  // Ports of its own wake it as they change: births of others are no news to it, and there would be as many passes as pods for each.
  const waits = worst.isOnItsWay === true ? { isOnItsWay: true } : { waitsFor: untilNamed(ref) }
  return {
    phase,
    reason: worst.reason,
    message: `NIC ${worst.nic.name}: ${worst.message}`,
    nics,
    wiring,
    requeueAfterMs: waitingAgainMs,
    ...waits,
  }
}
