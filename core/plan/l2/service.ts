// An L2Service: the right to its VLAN on every physical network it touches, and the L2BridgeDomain that the fabric works from.
import { refOf, type Resource, type SpecOf } from '../../kinds/index.ts'
import { derivedName, vlanLockName } from '../../net/names.ts'
import { sameJson } from '../../same-json.ts'
import { firstAndMore, type Plan, type Step } from '../plan.ts'
import { defaultNetwork } from './switch-ports.ts'
import { againInMs, type Blockers } from '../vpc/blockers.ts'

type L2Service = Resource<'L2Service'>
type Domain = Resource<'L2BridgeDomain'>
type Lock = Resource<'SegmentLock'>
type DomainSpec = SpecOf<'L2BridgeDomain'>
type Draining = NonNullable<DomainSpec['draining']>[number]

export type L2ServiceAction =
  | { readonly do: 'takeVlan'; readonly service: L2Service; readonly physicalNetwork: string; readonly vlan: number }
  | { readonly do: 'freeVlan'; readonly lock: Lock }
  | { readonly do: 'makeDomain'; readonly name: string; readonly spec: DomainSpec }
  | { readonly do: 'changeDomain'; readonly domain: Domain; readonly spec: DomainSpec }
  | { readonly do: 'deleteDomain'; readonly domain: Domain }

export interface L2ServiceDesired {
  readonly service: L2Service
  /** Where attachments that stand have asked for it; each once, in order. */
  readonly connectionPoints: readonly string[]
  /** The physical networks of those. */
  readonly networks: readonly string[]
  /** Of a VLAN of before: nobody's definition says it any more, of the attachments that stand. */
  readonly definitionsFollow: (before: number) => boolean
  /** Of the pods that use one of those definitions: a name of one that was made before that time. */
  readonly podBefore: (time: string) => string | undefined
  readonly blockers: Blockers | undefined
}
export interface L2ServiceObserved {
  readonly domain: Domain | undefined
  /** By name, of those that it wants: read live. */
  readonly locks: ReadonlyMap<string, Lock>
  /** Those it has. */
  readonly held: readonly Lock[]
}
type L2ServicePlan = Plan<L2ServiceAction>

const takenAgainMs = 30_000
const names = new WeakMap<L2Service, string>()

/** An attachment asks for those of all its L2Services in every pass, so each is worked out once. */
export function domainNameOf(service: L2Service): string {
  const { namespace = '', name, uid } = service.metadata
  const domain = names.get(service) ?? derivedName(`${namespace}-${name}`, ['domain', uid], 253)
  names.set(service, domain)
  return domain
}

interface Segment {
  readonly physicalNetwork: string
  readonly vlan: number
}

/** The VLANs that it needs the right to, those of before among them. */
export function segmentsOf(
  { service, networks }: Pick<L2ServiceDesired, 'service' | 'networks'>,
  domain: Domain | undefined,
): readonly Segment[] {
  const all = [...new Set([...(service.spec.physicalNW ?? []), ...networks])].sort()
  const vlans = new Set([
    service.spec.segmentationID,
    ...(domain === undefined ? [] : [domain.spec.vlan, ...(domain.spec.draining ?? []).map((each) => each.vlan)]),
  ])
  return (all.length === 0 ? [defaultNetwork] : all).flatMap((physicalNetwork) => [...vlans].map((vlan) => ({ physicalNetwork, vlan })))
}
const lockNameOf = ({ physicalNetwork, vlan }: Segment): string => vlanLockName(physicalNetwork, vlan)
const key = ({ spec }: Lock): string => `${spec.physicalNetwork ?? ''}/${spec.vlan ?? 0}`

export function planL2Service(desired: L2ServiceDesired, observed: L2ServiceObserved, now: number): L2ServicePlan {
  const { service } = desired
  if (service.metadata.deletionTimestamp !== undefined) return planEnd(desired, observed)
  const { domain, locks } = observed
  const segments = segmentsOf(desired, domain)
  for (const segment of segments) {
    const holder = locks.get(lockNameOf(segment))?.spec.holder
    if (holder !== undefined && holder.uid !== service.metadata.uid)
      return { ...taken(segment, `${holder.kind} ${holder.namespace ?? ''}/${holder.name}`), steps: withdrawn(desired, domain) }
  }
  const of = refOf(service)
  const takes = segments.filter((segment) => locks.get(lockNameOf(segment)) === undefined)
  const spec = specOf(desired, domain, now)
  const steps: Step<L2ServiceAction>[] = takes.map((segment) => ({
    action: { do: 'takeVlan', service, ...segment },
    because: { rule: 'an L2Service without the lock of its VLAN', of },
  }))
  if (domain === undefined)
    steps.push({
      action: { do: 'makeDomain', name: domainNameOf(service), spec },
      because: { rule: 'an L2Service without an L2BridgeDomain', of },
    })
  else if (!sameJson(domain.spec, spec))
    steps.push({
      action: { do: 'changeDomain', domain, spec },
      because: { rule: 'an L2BridgeDomain that is not as its L2Service wants it', of },
    })
  return {
    ...withFreed(steps, desired, observed, spec),
    ...verdictOf(desired, domain, spec),
    sections: { segment: sectionOf(desired, domain, spec) },
  }
}

/** What it has stays while it is refused another VLAN, where somebody still asks for it. */
function withdrawn({ service, connectionPoints }: L2ServiceDesired, domain: Domain | undefined): Step<L2ServiceAction>[] {
  const kept = domain?.spec.connectionPoints.filter((each) => connectionPoints.includes(each)) ?? []
  if (domain === undefined || kept.length === domain.spec.connectionPoints.length) return []
  const { physicalNW, vrf, ...rest } = domain.spec
  const gateways = { ...(physicalNW !== undefined && { physicalNW }), ...(vrf !== undefined && { vrf }) }
  const spec = { ...rest, connectionPoints: kept, ...(kept.length > 0 && gateways) }
  return [
    {
      action: { do: 'changeDomain', domain, spec },
      because: { rule: 'a connection point that no attachment asks for any more', of: refOf(service) },
    },
  ]
}

function taken({ physicalNetwork, vlan }: Segment, holder: string): Omit<L2ServicePlan, 'steps'> {
  const message = `VLAN ${vlan} of physical network ${physicalNetwork} is held by ${holder}`
  return {
    phase: 'error',
    reason: 'VlanTaken',
    message,
    requeueAfterMs: takenAgainMs,
    waitsFor: { kind: 'segment', name: vlanLockName(physicalNetwork, vlan) },
  }
}

/** A lock goes only once the fabric says that nothing of it is open any more. */
function withFreed(
  steps: Step<L2ServiceAction>[],
  desired: L2ServiceDesired,
  { domain, held }: L2ServiceObserved,
  spec: DomainSpec,
): Pick<L2ServicePlan, 'steps'> {
  const settled =
    domain !== undefined &&
    isSettled(domain) &&
    domain.status?.phase === 'ready' &&
    domain.status.closing === undefined &&
    sameJson(domain.spec, spec)
  if (!settled) return { steps }
  const needed = new Set(segmentsOf(desired, { ...domain, spec }).map(({ physicalNetwork, vlan }) => `${physicalNetwork}/${vlan}`))
  const surplus = held.filter((lock) => !needed.has(key(lock)))
  return {
    steps: [
      ...steps,
      ...surplus.map((lock): Step<L2ServiceAction> => ({
        action: { do: 'freeVlan', lock },
        because: { rule: 'a VLAN that the L2Service does not use', of: refOf(desired.service) },
      })),
    ],
  }
}

const isSettled = ({ status, metadata }: Domain): boolean => status?.observedGeneration === metadata.generation

/** Where nobody asks for it no port is opened, gateways included. */
function specOf(desired: L2ServiceDesired, domain: Domain | undefined, now: number): DomainSpec {
  const { service, connectionPoints } = desired
  const { namespace = '', name, uid } = service.metadata
  const draining = drainingOf(desired, domain, now)
  const physicalNW = connectionPoints.length === 0 ? [] : [...(service.spec.physicalNW ?? [])].sort()
  return {
    vlan: service.spec.segmentationID,
    connectionPoints: [...connectionPoints],
    ...(physicalNW.length > 0 && { physicalNW, ...(service.spec.vrf !== undefined && { vrf: service.spec.vrf }) }),
    ...(draining.length > 0 && { draining: [...draining] }),
    holder: { kind: 'L2Service', namespace, name, uid },
  }
}

/**
 * Add, drain, remove: a VLAN of before stays open until all definitions follow, then until no pod is left that began with it, then is
 * closed.
 */
function drainingOf(desired: L2ServiceDesired, domain: Domain | undefined, now: number): readonly Draining[] {
  if (domain === undefined) return []
  const vlan = desired.service.spec.segmentationID
  const before = domain.spec.vlan === vlan ? [] : [{ vlan: domain.spec.vlan }]
  const listed = (domain.spec.draining ?? []).flatMap((each) => nextOf(each, desired, domain, now))
  return [...listed.filter((each) => each.vlan !== vlan && each.vlan !== domain.spec.vlan), ...before]
}

function nextOf(each: Draining, desired: L2ServiceDesired, domain: Domain, now: number): readonly Draining[] {
  const settled = isSettled(domain) && domain.spec.vlan === desired.service.spec.segmentationID
  return settled ? advanced(each, desired, domain, now) : [each]
}

function advanced(each: Draining, { definitionsFollow, podBefore }: L2ServiceDesired, domain: Domain, now: number): readonly Draining[] {
  if (each.close === true) return domain.status?.closed?.includes(each.vlan) === true ? [] : [each]
  // The new VLAN may never be open everywhere: a dry run, a switch that refuses. What no definition names is closed anyway.
  if (each.since === undefined) return definitionsFollow(each.vlan) ? [{ vlan: each.vlan, since: new Date(now).toISOString() }] : [each]
  return podBefore(each.since) === undefined ? [{ ...each, close: true }] : [each]
}

/** VLANs of before that go on to be closed by this plan: by the attachments, or by the pods, that it knows of. */
export function advances({ steps }: L2ServicePlan): { readonly byAttachments: boolean; readonly byPods: boolean } {
  const drained = steps.flatMap(({ action }) =>
    action.do === 'changeDomain'
      ? (action.spec.draining ?? []).map((each) => ({ each, was: action.domain.spec.draining?.find(({ vlan }) => vlan === each.vlan) }))
      : [],
  )
  return {
    byAttachments: drained.some(({ each, was }) => each.since !== undefined && was?.since === undefined),
    byPods: drained.some(({ each, was }) => each.close === true && was?.close !== true),
  }
}

function sectionOf({ connectionPoints }: L2ServiceDesired, domain: Domain | undefined, spec: DomainSpec): object {
  const current = domain !== undefined && isSettled(domain) && sameJson(domain.spec, spec)
  return {
    ...(current && domain.status?.phase === 'ready' && { vlan: spec.vlan }),
    connectionPoints: [...connectionPoints],
    ...(domain?.status?.progress !== undefined && { progress: domain.status.progress }),
  }
}

type ServiceVerdict = Pick<L2ServicePlan, 'phase' | 'reason' | 'message' | 'requeueAfterMs'>

function verdictOf({ connectionPoints, podBefore }: L2ServiceDesired, domain: Domain | undefined, spec: DomainSpec): ServiceVerdict {
  const follows = domain !== undefined && isSettled(domain) && sameJson(domain.spec, spec)
  if (!follows) return { phase: 'pending', reason: 'FabricPending', message: `VLAN ${spec.vlan} is asked of the fabric` }
  const { phase = 'pending', message = '' } = domain.status ?? {}
  if (phase !== 'ready') return { phase: phase === 'error' ? 'error' : 'pending', reason: 'FabricNotOpen', message }
  const what = connectionPoints.length === 0 ? `VLAN ${spec.vlan}: no attachment uses it yet` : message
  return { phase: 'ready', reason: 'Open', message: `${what}${drainText(spec, podBefore)}` }
}

function drainText({ draining = [] }: DomainSpec, podBefore: L2ServiceDesired['podBefore']): string {
  const texts = draining.flatMap(({ vlan, since, close }) => {
    const pod = since === undefined || close === true ? undefined : podBefore(since)
    return pod === undefined ? [] : [`; VLAN ${vlan} stays open for pod ${pod}`]
  })
  return texts.join('')
}

function planEnd({ service, blockers }: L2ServiceDesired, { domain, held }: L2ServiceObserved): L2ServicePlan {
  if (blockers !== undefined)
    return {
      steps: [],
      phase: 'terminating',
      reason: 'InUse',
      message: `L2ServiceAttachment ${firstAndMore(blockers.first, blockers.others)} still uses it`,
      ...againInMs(blockers),
    }
  const of = refOf(service)
  if (domain !== undefined) {
    const steps: Step<L2ServiceAction>[] =
      domain.metadata.deletionTimestamp === undefined
        ? [{ action: { do: 'deleteDomain', domain }, because: { rule: 'an L2Service that is being deleted', of } }]
        : []
    return {
      steps,
      phase: 'terminating',
      reason: 'Closing',
      message: `VLAN ${domain.spec.vlan} is being closed: ${domain.status?.message ?? ''}`,
    }
  }
  const steps = held.map((lock): Step<L2ServiceAction> => ({
    action: { do: 'freeVlan', lock },
    because: { rule: 'an L2Service that is being deleted', of },
  }))
  return { steps, phase: 'deleted', reason: 'Freed', message: 'its VLAN is free' }
}
