// A Port: what it asks for against what the provider holds for it.
import type { PortScope, HeldPort, HolderAction } from '../../contracts/port-holder.ts'
import { refOf, type Resource } from '../../kinds/index.ts'
import { isNoEndpoint } from '../../kinds/services/connection.ts'
import { segmentOf, toldSegment } from '../../kinds/vpc/segment.ts'
import { contains, parseCidr } from '../../net/cidr.ts'
import { parseIp } from '../../net/ip.ts'
import { isKosMac, kosInterfaceName } from '../../net/mac.ts'
import { hostInterfaceName } from '../../net/names.ts'
import { evictionOf } from '../vpc/eviction.ts'
import { chooseMac } from './mac.ts'
import {
  routedBlocksOf,
  routedBlocksTold,
  withoutRoutedBlocks,
  type RoutedBlocks,
  type RoutedBlocksAction,
  type RoutedBlocksAround,
} from './routed-blocks.ts'
import { lockName, lockStateFor, type Claimant, type LockedThing, type LockState } from './locks.ts'
import { policyOutcome, tooManyText, type PolicyAction, type PolicyBinding, type PolicyOutcome } from '../policy/port-policy.ts'
import { moveSteps, notMoved, withoutFormerMove } from '../vpc/move.ts'
import { guardSteps, isWired, leaveSteps, onNode, type NodeAction } from '../vpc/on-node.ts'
import { refused, waitingFor, type Plan, type Step } from '../plan.ts'

export type PortAction = HolderAction | NodeAction | PolicyAction | RoutedBlocksAction

export type Family = 'ipv4' | 'ipv6'
/** A free address picked for the Port; `full` when its Subnet has none, with the milliseconds after which one may be free. */
export type AddressOffer = { readonly address: string } | { readonly full: true; readonly againInMs: number }

export interface PortDesired {
  readonly port: Resource<'Port'>
  /** Undefined: there is none that this namespace may refer to. */
  readonly subnet: Resource<'Subnet'> | undefined
  readonly vpc: Resource<'Vpc'> | undefined
  readonly scope: PortScope
  /** For each family that it lacks an address of and names none. */
  readonly offers: { readonly [F in Family]?: AddressOffer }
  /** The locks of its VNI or VLAN, as far as they are known. */
  readonly lockOf: (name: string) => Resource<'IPLock'> | undefined
  /** Whether whoever holds a lock is about to let it go: it is being deleted, or its pod of the same owner is. */
  readonly leaving: (lock: Resource<'IPLock'>) => boolean
  /** Internal address of the node that spec.node names. */
  readonly hostIP: string | undefined
  /** What its provider will call it, where that is known before it is made. */
  readonly providerID: string | undefined
  /** Made for a pod, and deleted with it. */
  readonly createdByUs: boolean
  /** It is a guest in a Vpc whose namespace is being deleted, and the time to leave by itself is over. */
  readonly isToLeave: boolean
  /** Who judges it; undefined: no policy of its VNI is in force. */
  readonly policy: PolicyBinding | undefined
  /** No policy of its VNI is known, and rules of one are there: by what is known nothing can be said yet. */
  readonly isPolicyLate?: boolean
  /** What the blocks that it has, or is to have, behind it are held to. */
  readonly routed: RoutedBlocksAround
  /** Nodes have agents: then one has to unwire it before it goes. */
  readonly agents: boolean
}
export interface PortObserved {
  readonly port: HeldPort | undefined
}
type PortPlan = Plan<PortAction>

const families = ['ipv4', 'ipv6'] as const
export const familyOf = (address: string): Family => (address.includes(':') ? 'ipv6' : 'ipv4')
/** A taken address is looked at again when its lock goes; this is for the case that nobody saw it go. */
const takenAgainMs = 30_000

export function planPort(desired: PortDesired, observed: PortObserved): PortPlan {
  if (desired.port.metadata.deletionTimestamp !== undefined) return planEnd(desired, observed)
  if (desired.isToLeave) return planEviction(desired, observed)
  const blocked = blockedBy(desired)
  if (blocked !== undefined) return withoutNode(blocked, desired.port)
  const subnet = desired.subnet!
  const addresses = chooseAddresses(desired, observed, subnet)
  if ('phase' in addresses) return withoutNode(addresses, desired.port)
  const whole = chooseNames(desired, observed, addresses.keep)
  return 'phase' in whole ? withoutNode(whole, desired.port) : planWhole(desired, observed, { ...whole, ...addresses })
}

/** Also where it cannot be served: else no other pod could ever have it. */
const withoutNode = (plan: PortPlan, port: Resource<'Port'>): PortPlan => ({ ...plan, steps: [...plan.steps, ...leaveSteps(port)] })

/** Its locks are kept while a node may still send from its addresses. */
function planEnd({ port, scope, routed }: PortDesired, { port: held }: PortObserved): PortPlan {
  const rule = 'a Port that is being deleted'
  const unrouted = withoutRoutedBlocks(port, routed)
  if (isWired(port))
    return { steps: unrouted, phase: 'terminating', reason: 'Wired', message: `node ${port.spec.node ?? ''} has still to unwire it` }
  const free: Step<PortAction>[] =
    held === undefined ? [] : [{ action: { do: 'deletePort', scope, port: held }, because: { rule, of: refOf(port) } }]
  return { steps: [...unrouted, ...free], phase: 'deleted', reason: 'Freed', message: 'all that it held is free' }
}

function planEviction({ port, scope, routed }: PortDesired, { port: held }: PortObserved): PortPlan {
  const because = { rule: 'a Port whose Vpc is being deleted with its namespace', of: refOf(port) }
  // Whose network is not shared with it any more is told of what it has named itself.
  const network = scope.vpc.name === '' ? `Subnet ${port.spec.subnet}` : `Vpc ${scope.vpc.namespace}/${scope.vpc.name}`
  const free: Step<PortAction>[] = held === undefined ? [] : [{ action: { do: 'deletePort', scope, port: held }, because }]
  const plan = evictionOf(port, network, { free, held: placeIn(scope) })
  return { ...plan, steps: [...withoutRoutedBlocks(port, routed), ...plan.steps] }
}

/** Where its status says it is. */
const placeIn = ({ vni, vlan }: PortScope): ReturnType<typeof toldSegment> => toldSegment({ segment: vni, vlan })

function blockedBy({ port, subnet, vpc }: PortDesired): PortPlan | undefined {
  const name = port.spec.subnet
  const served = segmentOf(port) !== undefined
  if (subnet === undefined) return waitingFor('SubnetMissing', `Subnet ${name} not found`)
  // A Subnet that is being deleted waits for the Ports it has, and takes no new ones.
  if (subnet.metadata.deletionTimestamp !== undefined && !served) return refused('SubnetTerminating', `Subnet ${name} is being deleted`)
  if (vpc === undefined) return waitingFor('VpcMissing', `Vpc ${subnet.spec.vpc} of Subnet ${name} is not there yet`)
  if (subnet.status?.validated !== true || segmentOf(subnet) === undefined)
    return waitingFor('SubnetNotValidated', `Subnet ${name} is not validated yet`)
  return undefined
}

interface Addresses {
  /** What it is to have, IPv4 first. */
  readonly keep: readonly string[]
  /** What it holds beyond that. */
  readonly surplus: readonly string[]
}

function chooseAddresses(desired: PortDesired, { port: held }: PortObserved, subnet: Resource<'Subnet'>): Addresses | PortPlan {
  const keep: string[] = []
  for (const family of families) {
    if (subnet.spec[family] === undefined) continue
    const chosen = chooseOne(desired, subnet, { family, held: held?.addresses ?? [] })
    if (typeof chosen !== 'string') return chosen
    keep.push(chosen)
  }
  const misplacedIp = desired.port.spec.ips?.find((ip) => subnet.spec[familyOf(ip)] === undefined)
  if (misplacedIp !== undefined) return refused('AddressOutside', `address ${misplacedIp} is not in Subnet ${desired.port.spec.subnet}`)
  return { keep, surplus: (held?.addresses ?? []).filter((address) => !keep.includes(address)) }
}

interface Wish {
  readonly family: Family
  readonly held: readonly string[]
}

function chooseOne(desired: PortDesired, subnet: Resource<'Subnet'>, wish: Wish): string | PortPlan {
  const { port, offers, scope } = desired
  const fixed = port.spec.ips?.find((ip) => familyOf(ip) === wish.family)
  if (fixed !== undefined) return chooseFixed(desired, subnet, fixed, wish)
  // What its status tells of is kept of several, so that an address once reported stays.
  const mine = wish.held.filter((address) => familyOf(address) === wish.family)
  const known = scope.known.filter((address) => familyOf(address) === wish.family)
  const kept =
    mine.find((address) => known.includes(address)) ??
    mine[0] ??
    known.find((address) => lockStateOf(desired, { address }).kind !== 'taken')
  if (kept !== undefined) return kept
  const offer = offers[wish.family]
  if (offer !== undefined && 'address' in offer) return offer.address
  const full = waitingFor(
    'SubnetFull',
    `Subnet ${port.spec.subnet} has no free ${wish.family === 'ipv4' ? 'IPv4' : 'IPv6'} address`,
    offer?.againInMs,
  )
  return { ...full, waitsFor: { kind: 'address', namespace: scope.vpc.namespace, subnet: scope.subnet } }
}

function chooseFixed(desired: PortDesired, subnet: Resource<'Subnet'>, text: string, { family }: Wish): string | PortPlan {
  const ip = parseIp(text)
  const cidr = parseCidr(subnet.spec[family]?.cidr ?? '')
  if (ip === undefined || cidr === undefined || !contains(cidr, ip))
    return refused('AddressOutside', `address ${text} is not in Subnet ${desired.port.spec.subnet}`)
  const stands = lockStateOf(desired, { address: text })
  return stands.kind === 'taken' ? taken(desired, text, stands.by) : text
}

function taken({ leaving, lockOf, scope }: PortDesired, address: string, by: string): PortPlan {
  const lock = lockOf(lockName(scope.vni, { address }) ?? '')
  if (lock !== undefined && leaving(lock))
    return { ...waitingFor('AddressLeaving', `address ${address} is taken by ${by}, which is going`), ...untilFree(scope, { address }) }
  return { ...refused('AddressTaken', `address ${address} is taken by ${by}`), ...untilFree(scope, { address }) }
}

/** For what somebody else has of its VNI. */
function untilFree({ vpc, vni }: PortScope, thing: LockedThing): Pick<PortPlan, 'requeueAfterMs' | 'waitsFor'> {
  const name = lockName(vni, thing)
  return { requeueAfterMs: takenAgainMs, ...(name !== undefined && { waitsFor: { kind: 'lock', namespace: vpc.namespace, name } }) }
}

/** How the lock of a thing stands to this Port. */
export function lockStateOf({ port, scope, lockOf }: Pick<PortDesired, 'port' | 'scope' | 'lockOf'>, thing: LockedThing): LockState {
  const name = lockName(scope.vni, thing)
  return lockStateFor(name === undefined ? undefined : lockOf(name), claimantOf(port))
}

export function claimantOf(port: Resource<'Port'>): Claimant {
  const { claim } = port.spec
  return { uid: port.metadata.uid, namespace: port.metadata.namespace ?? '', podUID: claim?.podUID, owner: claim?.owner, nic: claim?.nic }
}

interface Names {
  readonly mac: string
  readonly macNeedsLock: boolean
}

function chooseNames(desired: PortDesired, { port: held }: PortObserved, addresses: readonly string[]): Names | PortPlan {
  const {
    scope,
    port: { spec },
  } = desired
  const takenBy = (thing: LockedThing): string | undefined => {
    const stands = lockStateOf(desired, thing)
    return stands.kind === 'taken' ? stands.by : undefined
  }
  const { portID, mac: fixed } = spec
  const named = portID === undefined ? undefined : takenBy({ portID })
  if (portID !== undefined && named !== undefined)
    return { ...refused('PortIDTaken', `portID ${portID} is taken by ${named}`), ...untilFree(scope, { portID }) }
  if (held?.mac !== undefined) return { mac: held.mac, macNeedsLock: !isKosMac(scope.vni, held.mac, addresses) }
  const choice = chooseMac(scope.vni, addresses, fixed, (mac) => takenBy({ mac }))
  if ('conflict' in choice)
    return {
      ...refused('MacTaken', `MAC ${fixed ?? ''} cannot be had: ${choice.conflict}`),
      ...(fixed === undefined ? { requeueAfterMs: takenAgainMs } : untilFree(scope, { mac: fixed })),
    }
  return { mac: choice.mac, macNeedsLock: choice.lock }
}

/** All that it needs is known, save perhaps what its provider will call it. */
function planWhole(desired: PortDesired, observed: PortObserved, wanted: Addresses & Names): PortPlan {
  const { port, scope } = desired
  const held = observed.port?.identity
  // Where its locks disagree none of them is right.
  const policy = policyOutcome(port, desired.policy, held === -1 ? undefined : held)
  const routed = routedIn(desired, wanted.keep)
  const steps = [
    ...guardSteps(port, desired.agents),
    ...moveSteps(port),
    ...identitySteps(port, policy),
    ...providerSteps(desired, observed, { ...wanted, policy }),
    ...routed.steps,
  ]
  const providerID = observed.port?.providerID ?? desired.providerID
  if (providerID === undefined)
    return { steps, phase: 'pending', reason: 'ProviderPending', message: 'its provider is making it', requeueAfterMs: 1 }
  return {
    steps,
    ...routed.again,
    ...waitingOf(policy, desired),
    ...(wanted.surplus.length > 0 && !isReported(wanted, scope) && { requeueAfterMs: 1 }),
    phase: 'ready',
    reason: 'InPlace',
    message: `${wanted.keep.join(' and ')} in Subnet ${port.spec.subnet}${closedBy(desired.policy)}`,
    ...conditionsOf(desired, routed),
    sections: {
      address: {
        addresses: wanted.keep,
        mac: wanted.mac,
        ...routed.section,
        ...placeIn(scope),
        ifcName: interfaceName(desired, wanted),
        hostIP: onNode(port) ? desired.hostIP : undefined,
      },
      policy: { policy: policy.told },
      provider: { providerID, portID: port.spec.portID ?? port.metadata.uid, createdByUs: desired.createdByUs },
      ...withoutFormerMove(port),
    },
  }
}

function closedBy({ absent = [], tooMany }: Partial<PolicyBinding> = {}): string {
  const what = absent.some(isNoEndpoint) ? 'it has an endpoint of its NetworkService' : `there is SecurityGroup ${absent.join(' and ')}`
  const until = absent.length === 0 ? '' : `; nothing passes until ${what}`
  return tooMany === undefined ? until : `${until}; nothing passes, as ${tooManyText(tooMany)}`
}

function routedIn({ port, subnet, vpc, routed }: PortDesired, addresses: readonly string[]): RoutedBlocks {
  return routedBlocksOf({ port, subnet: subnet!, vpc: vpc!, addresses }, routed)
}

function conditionsOf({ port, policy }: PortDesired, routed: RoutedBlocks): Pick<PortPlan, 'conditions'> {
  const conditions = [...unsupportedBy(port, policy), ...routedBlocksTold(routed)]
  return conditions.length === 0 ? {} : { conditions }
}

/** Of what workers leave out; what its node does is in the node's section. */
function unsupportedBy(port: Resource<'Port'>, { tooMany }: Partial<PolicyBinding> = {}): NonNullable<PortPlan['conditions']> {
  const move = notMoved(port)
  if (tooMany === undefined) return move === undefined ? [] : [move]
  const why = [tooManyText(tooMany), ...(move === undefined ? [] : [move.message])]
  return [{ type: 'Unsupported', status: 'True', reason: 'TooManyPolicies', message: why.join('; ') }]
}

/** An identity is there before what relies on it. */
const identitySteps = (port: Resource<'Port'>, { action }: PolicyOutcome): readonly Step<PortAction>[] =>
  action === undefined ? [] : [{ action, because: { rule: 'a Port that policies judge', of: refOf(port) } }]

/** What makes an identity known may come unnoticed; and a policy, after the rules that another worker has made of it. */
const identityAgainMs = 5_000
function waitingOf({ waitsFor }: PolicyOutcome, { isPolicyLate }: PortDesired): Pick<PortPlan, 'waitsFor' | 'requeueAfterMs'> {
  if (waitsFor !== undefined) return { waitsFor, requeueAfterMs: identityAgainMs }
  return isPolicyLate === true ? { requeueAfterMs: identityAgainMs } : {}
}

type WantedPort = Addresses & Names & { readonly policy: PolicyOutcome }

function providerSteps(desired: PortDesired, { port: held }: PortObserved, wanted: WantedPort): Step<PortAction>[] {
  const { port, scope } = desired
  const of = refOf(port)
  const hostIP = onNode(port) ? desired.hostIP : undefined
  const { keep: addresses, mac, macNeedsLock, surplus } = wanted
  const { lockIdentity: identity } = wanted.policy
  const steps: Step<PortAction>[] = []
  const whole = held !== undefined && isWhole(held, port, wanted)
  if (!whole) {
    const { claim, portID, securityGroups = [] } = port.spec
    const because = { rule: 'a Port that its provider does not hold', of }
    steps.push({
      action: { do: 'createPort', scope, addresses, mac, macNeedsLock, portID, securityGroups, hostIP, identity, claim },
      because,
    })
  }
  // A rival may be telling of any of them: what is told stays, and only then does the rest go.
  if (surplus.length > 0 && isReported(wanted, scope))
    steps.push({ action: { do: 'freeAddresses', scope, addresses: surplus, mac }, because: { rule: 'a Port that was served twice', of } })
  if (whole && (held.hostIP !== hostIP || held.identity !== identity))
    steps.push({
      action: { do: 'bindPort', scope, port: { ...held, addresses }, hostIP, identity },
      because: { rule: bindingRule(held, hostIP), of },
    })
  return steps
}

function bindingRule(held: HeldPort, hostIP: string | undefined): string {
  if (held.hostIP === hostIP) return 'a Port that policies know by another identity'
  return hostIP === undefined ? 'a Port that is on no node' : 'a Port on a node'
}

/** Its status tells of all that it is to keep. */
const isReported = ({ keep }: Addresses, { known }: PortScope): boolean => keep.every((address) => known.includes(address))

function isWhole(held: HeldPort, port: Resource<'Port'>, wanted: Addresses): boolean {
  return held.mac !== undefined && held.portID === port.spec.portID && wanted.keep.every((address) => held.addresses.includes(address))
}

/** KOS's own name for a Port that no pod has; else one that no two Ports share. */
function interfaceName({ port, scope }: PortDesired, { mac, keep }: Names & Addresses): string {
  return port.spec.claim === undefined && isKosMac(scope.vni, mac, keep) ? kosInterfaceName(mac) : hostInterfaceName(port.metadata.uid)
}
