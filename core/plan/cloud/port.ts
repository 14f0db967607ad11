// A Port of a cloud: made there, bound to its node, plugged in by that, and active once the cloud says so.
import type { Draft } from '../../contracts/store.ts'
import type { CloudPort, CloudSeen, PortSettings, PortWanted } from '../../contracts/cloud.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import { sameJson } from '../../same-json.ts'
import { firstAndMore, inPlace, refused, waitingFor, type Plan, type Step } from '../plan.ts'
import { endNameOf } from '../node/pieces.ts'
import { evictionOf } from '../vpc/eviction.ts'
import { moveSteps, withoutFormerMove } from '../vpc/move.ts'
import { guardSteps, isWired, leaveSteps, onNode, type NodeAction } from '../vpc/on-node.ts'
import { makeGroupSteps, type GroupObjectAction } from './group.ts'
import { movePlan, nextVifOf } from './moving.ts'
import { askedQos, hasOtherQos, isQosToBeTold, wantedQos } from './qos.ts'
import { given, planTaking, type KeepEntry, type PortSeen, type TakingDesired } from './taking.ts'
import { againMs, auditMs, placeOf, planLife, planLifeEnd, planUnknown, pollMs, type LifeAction, type LifeDesired } from './life.ts'

export type CloudPortAction = LifeAction<'port'> | NodeAction | KeepEntry | GroupObjectAction
/** What the SecurityGroups that a Port names are at its cloud. */
export interface PortGroups {
  /** The cloud's own, by name; undefined: the Port names none, and the cloud chooses. */
  readonly named: readonly string[] | undefined
  /** IDs there of those of ours. */
  readonly ids: readonly string[]
  /** Names of those of ours that the cloud cannot have, as it makes none. */
  readonly unmade: readonly string[]
  /** Those of ours that are not there yet, in words. */
  readonly awaited: readonly string[]
  /** What is to be made, so that they will be. */
  readonly drafts: readonly Draft<'CloudSecurityGroup'>[]
}
export interface CloudPortDesired
  extends Omit<LifeDesired<'port'>, 'item' | 'wanted' | 'differs' | 'sectionsOf'>, Pick<TakingDesired, 'offer'> {
  readonly item: Resource<'Port'>
  readonly subnet: Resource<'Subnet'> | undefined
  /** Tunnel address of the node that spec.node names. */
  readonly hostIP: string | undefined
  readonly createdByUs: boolean
  /** It is a guest in a Vpc whose namespace is being deleted, and the time to leave by itself is over. */
  readonly isToLeave: boolean
  readonly agents: boolean
  readonly groups: PortGroups
  /** The policy that nobody does there, and that lets nothing pass where it is not done. */
  readonly closedBy?: string | undefined
}
type PortPlan = Plan<CloudPortAction>

/** Its node tells when it is wired; this is for the case that nobody saw that. */
const pluggingAgainMs = 30_000

export function planCloudPort(desired: CloudPortDesired, seen: PortSeen, now: number): PortPlan {
  const { item } = desired
  if (item.metadata.deletionTimestamp !== undefined) return planEnd(desired, seen, now)
  if (desired.isToLeave) return planEviction(desired, seen, now)
  const blocked = blockedBy(desired)
  if (blocked !== undefined) return { ...blocked, steps: leaveSteps(item) }
  const first = [...makeGroupSteps(desired.groups.drafts, item), ...guardSteps(item, desired.agents), ...moveSteps(item)]
  const plan = planTaking(desired, seen, now) ?? planTelling(desired, seen) ?? planOwn(desired, seen, now)
  return { ...plan, steps: [...first, ...plan.steps] }
}

function planTelling(desired: CloudPortDesired, { there }: PortSeen): PortPlan | undefined {
  if (there === undefined || !isQosToBeTold(desired.item, there)) return undefined
  return { ...waitingFor('Updating', `cloud ${desired.cloud} is asked for its QoS policy`, 1), sections: sectionsOf(desired, there) }
}

/** One that is not there yet is made with all its groups: with some of them alone it would be another's. */
function planOwn(desired: CloudPortDesired, seen: PortSeen, now: number): PortPlan {
  const { item } = desired
  const { there, problem } = seen
  if (item.spec.warm?.for !== undefined && there === undefined && problem === undefined) return given(desired)
  const waiting = problem === undefined ? awaitedOf(desired) : undefined
  if (waiting !== undefined && there === undefined) return waiting
  const life = planLife<'port'>(livingOf(desired, there), seen, now)
  const plan = life.is === 'not yet' ? life.plan : { ...planMade(desired, life.there, now), ...nextEntry(item) }
  return plan.phase === 'ready' ? { ...plan, ...waiting, steps: plan.steps } : plan
}

function livingOf(desired: CloudPortDesired, seen: CloudPort | undefined): LifeDesired<'port'> {
  const { item } = desired
  const wanted = wantedOf(desired, seen)
  return {
    ...desired,
    wanted,
    asked: askedQos(item, undefined),
    differs: (there) => isOtherwise(wanted, there) || hasOtherQos(item, there),
    sectionsOf: (there) => sectionsOf(desired, there),
  }
}

function awaitedOf({ groups: { awaited } }: CloudPortDesired): Plan<never> | undefined {
  const [missing, ...more] = awaited
  return missing === undefined ? undefined : waitingFor('GroupNotReady', firstAndMore(missing, more.length))
}

/** It is deleted by its pool once it says that it has nothing any more. */
const nextEntry = ({ metadata: { namespace = '' }, status }: Resource<'Port'>): Pick<PortPlan, 'next'> =>
  status?.from === undefined ? {} : { next: [{ kind: 'Port', namespace, name: status.from.name }] }

function planEnd(desired: CloudPortDesired, seen: CloudSeen<'port'>, now: number): PortPlan {
  const { item } = desired
  return isWired(item)
    ? { steps: [], phase: 'terminating', reason: 'Wired', message: `node ${item.spec.node ?? ''} has still to unwire it` }
    : planLifeEnd(desired, seen, now)
}

function planEviction(desired: CloudPortDesired, seen: CloudSeen<'port'>, now: number): PortPlan {
  const { item, scope } = desired
  const { there, problem } = seen
  if (problem !== undefined) return planUnknown(item, problem, now)
  const because = { rule: 'a Port whose Vpc is being deleted with its namespace', of: refOf(item) }
  const free: Step<CloudPortAction>[] =
    there?.owner !== scope.of.uid ? [] : [{ action: { do: scope.existing === undefined ? 'delete' : 'release', scope, there }, because }]
  const plan = evictionOf(item, `Subnet ${item.spec.subnet}`, { free, held: {} })
  return plan.sections?.['provider'] === undefined ? plan : { ...plan, ...untilGone(desired, there, now) }
}

/** A request may still be under way, and a delete may take its time. */
function untilGone(desired: CloudPortDesired, there: CloudPort | undefined, now: number): Pick<PortPlan, 'sections' | 'requeueAfterMs'> {
  const { item, cloud } = desired
  if (there !== undefined) return { sections: { address: {}, provider: placeOf(desired, there) }, requeueAfterMs: pollMs(item, now) }
  const { requestedAt } = item.status ?? {}
  return { sections: { address: {}, provider: { cloud, ...(requestedAt !== undefined && { requestedAt }) } } }
}

function blockedBy({ item, subnet, cloud, groups: { unmade } }: CloudPortDesired): PortPlan | undefined {
  const { subnet: name } = item.spec
  const isThere = item.status?.providerID !== undefined
  if (unmade.length > 0)
    return refused('Unsupported', `cloud ${cloud} makes no SecurityGroups: ${unmade.join(', ')} would not be held; name groups of its own`)
  if (subnet === undefined) return waitingFor('SubnetMissing', `Subnet ${name} not found`)
  if (subnet.metadata.deletionTimestamp !== undefined && !isThere) return refused('SubnetTerminating', `Subnet ${name} is being deleted`)
  if (subnet.status?.providerID === undefined) return waitingFor('SubnetNotReady', `Subnet ${name} is not at cloud ${cloud} yet`)
  return undefined
}

const wantedOf = ({ item, groups: { named, ids }, closedBy }: CloudPortDesired, there: CloudPort | undefined): PortWanted => ({
  securityGroups: named,
  groups: ids,
  portSecurity: item.spec.portSecurity ?? true,
  closed: closedBy !== undefined,
  qosPolicy: wantedQos(item, there),
  allowedAddressPairs: item.spec.allowedAddressPairs ?? [],
  addresses: item.spec.ips ?? [],
  mac: item.spec.mac,
  host: hostOf(item, undefined),
})

/** Groups that nobody named are the cloud's to choose. */
function isOtherwise(wanted: PortWanted, { settings, mac }: CloudPort): boolean {
  const { securityGroups, groups, portSecurity, closed, allowedAddressPairs } = wanted
  if (portSecurity !== settings.portSecurity || closed !== settings.closed) return true
  if (!sameJson(pairTexts(allowedAddressPairs, mac), pairTexts(settings.allowedAddressPairs, mac))) return true
  if (securityGroups === undefined) return false
  return !sameJson([securityGroups.toSorted(), groups.toSorted()], [settings.securityGroups.toSorted(), settings.groups.toSorted()])
}

/** In any order; without a MAC a pair is for the port's own. */
const pairTexts = (pairs: PortSettings['allowedAddressPairs'], own = ''): readonly string[] =>
  pairs.map(({ ip, mac = own }) => `${ip} ${mac.toLowerCase()}`).sort()

/** The node that it is to be bound to: where another has still to unwire it, that one. */
function hostOf(item: Resource<'Port'>, bound: string | undefined): string | undefined {
  if (onNode(item)) return item.spec.node
  return isWired(item) ? bound : undefined
}

function planMade(desired: CloudPortDesired, there: CloudPort, now: number): PortPlan {
  const { item, cloud } = desired
  const host = isHeldBack(desired, there) ? undefined : hostOf(item, there.host)
  const plan = planBinding(desired, { there, host }, now) ?? movePlan(desired, there, planBound(desired, there, now))
  const isOnNone = host === undefined && there.host === undefined
  const made = isOnNone ? { ...inPlace('Made', `${addressText(there)} of cloud ${cloud}`), requeueAfterMs: auditMs } : plan
  return { ...closed(desired, there, made), sections: sectionsOf(desired, there) }
}

/** What is adopted is not ours to close: as long as it is on no node it is bound to none. */
const isHeldBack = ({ closedBy, scope }: CloudPortDesired, { host }: CloudPort): boolean =>
  closedBy !== undefined && scope.existing !== undefined && host === undefined

/** It is bound and plugged in as others are: who opens it waits for nothing. */
function closed({ closedBy, cloud, scope }: CloudPortDesired, { host }: CloudPort, plan: PortPlan): PortPlan {
  if (closedBy === undefined) return plan
  const open = host === undefined ? 'bound to no node' : 'open, as it was bound before and is not ours to close'
  const is = scope.existing === undefined ? 'closed' : open
  return {
    ...refused('PolicyNotDone', `the Port is ${is}: cloud ${cloud} does nothing of ${closedBy}, which says onUnsupported: deny`),
    steps: plan.steps,
    requeueAfterMs: plan.reason === 'Binding' ? (plan.requeueAfterMs ?? auditMs) : auditMs,
  }
}

/** Undefined: it is bound to where it is to be. */
function planBinding(
  { item, scope, cloud }: CloudPortDesired,
  { there, host }: { readonly there: CloudPort; readonly host: string | undefined },
  now: number,
): PortPlan | undefined {
  const because = { rule: host === undefined ? 'a Port that is on no node' : 'a Port on a node', of: refOf(item) }
  const steps: readonly Step<CloudPortAction>[] = [{ action: { do: 'bind', scope, there, host }, because }]
  if (there.host !== host) return { ...waitingFor('Binding', `cloud ${cloud} is asked to bind it`, 1), steps }
  if (there.unbound !== undefined) return { ...refused('CloudFailed', there.unbound), requeueAfterMs: againMs, steps }
  if (there.vif !== undefined) return undefined
  return waitingFor('Binding', `cloud ${cloud} is binding it to node ${host ?? ''}`, pollMs(item, now))
}

function planBound({ item, cloud, agents }: CloudPortDesired, there: CloudPort, now: number): Plan<never> {
  const host = there.host ?? ''
  if (there.state === 'active' || isCarriedAsItMoves(item, there))
    return { ...inPlace('Active', `${addressText(there)} of cloud ${cloud}, on node ${host}`), requeueAfterMs: auditMs }
  if (agents && item.status?.node?.wired !== true) return waitingFor('Bound', `node ${host} has still to plug it in`, pluggingAgainMs)
  return waitingFor('Plugged', `cloud ${cloud} has still to activate it`, pollMs(item, now))
}

/** Of one that is to move a cloud may say that it is down: where it is it is carried. */
const isCarriedAsItMoves = ({ status }: Resource<'Port'>, { second }: CloudPort): boolean =>
  second !== undefined && status?.node?.wired === true

const addressText = ({ addresses }: CloudPort): string => addresses.join(' and ') || 'a port without an address'

function sectionsOf(desired: CloudPortDesired, there: CloudPort): NonNullable<PortPlan['sections']> {
  const { item, hostIP, createdByUs } = desired
  const { addresses, mac, vif, mtu } = there
  return {
    address: {
      ...(addresses.length > 0 && { addresses }),
      ...(mac !== undefined && { mac }),
      ifcName: endNameOf({ metadata: item.metadata, status: { ...(vif !== undefined && { vif }) } }),
      ...(vif !== undefined && hostIP !== undefined && { hostIP }),
    },
    provider: {
      portID: item.spec.portID ?? item.metadata.uid,
      createdByUs,
      ...placeOf(desired, there),
      ...askedQos(item, there),
      ...(vif !== undefined && { vif }),
      ...nextVifOf(item, there),
      ...(mtu !== undefined && { mtu }),
    },
    ...withoutFormerMove(item),
  }
}
