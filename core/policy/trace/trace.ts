// What policies say of one connection, end by end and tier by tier.
import { segmentOf } from '../../kinds/vpc/segment.ts'
import type { Resource } from '../../kinds/index.ts'
import type { RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { unknown, type Tier } from '../../kinds/policy/tiers.ts'
import { numberedName, ruleSetNumber } from '../numbers.ts'
import { isFrameType, verdictOn, type AnyJudged, type Carried, type Reason, type TierAnswer } from '../verdict.ts'
import { inspectionsOf, type TracedInspection } from './inspections.ts'
import { frameMac, macSeen } from './peer-mac.ts'

/** One end of a connection in a VNI, or beyond it. */
export interface TraceEnd {
  readonly address: string
  /** Of whom in a VLAN nothing else is known. */
  readonly mac?: string
  readonly identity: number
  /** Absent: outside, or not the caller's to see. Then nothing is judged for it, unless it is an interface. */
  readonly port?: Resource<'Port'>
  /** In place of a Port: a pod's interface in a VLAN, of which nobody knows the address. */
  readonly interface?: VlanInterface
  /** What judges the Port and is not there: until it is, nothing passes. */
  readonly missing?: TracedTier['policy']
}

export interface VlanInterface {
  readonly pod: Resource<'Pod'>
  readonly attachment: Resource<'L2ServiceAttachment'>
  /** Of those that it is in the one that is asked about. */
  readonly vlan: number
  /** What its node carries Ports with; absent: not known. */
  readonly dataplane?: string
}

export const nodeOf = ({ port, interface: at }: TraceEnd): string | undefined => port?.spec.node ?? at?.pod.spec.nodeName

/** As a reader is shown it: by names, without numbers. */
export interface TracedTier {
  readonly tier: Tier
  readonly says: 'allows' | 'denies' | 'audits'
  readonly policy: { readonly kind: string; readonly namespace?: string; readonly name: string }
  /** A JSON pointer into the policy; absent: that no rule of it allows this. */
  readonly rule?: string
}

export interface TracedDirection {
  readonly isAllowed: boolean
  readonly tiers: readonly TracedTier[]
  /** What is asked in it then, in order; absent: nothing, or it does not pass. */
  readonly inspections?: readonly TracedInspection[]
}

export interface Traced {
  readonly isAllowed: boolean
  /** As its sender is judged; absent: none of ours. */
  readonly egress?: TracedDirection
  /** As its receiver is judged; absent: none of ours, or nothing reaches it. */
  readonly ingress?: TracedDirection
}

export interface TracedConnection {
  readonly from: TraceEnd
  readonly to: TraceEnd
  readonly transport: Carried
}

/** @param sets of the VNI that both are in */
export function traceOf(sets: readonly RuleSetSpec[], { from, to, transport }: TracedConnection): Traced {
  const egress = isOurs(from) ? directionOf(sets, from, judgedAs('egress', { of: from, peer: to, transport })) : undefined
  const reaches = egress?.isAllowed !== false
  const ingress = reaches && isOurs(to) ? directionOf(sets, to, judgedAs('ingress', { of: to, peer: from, transport })) : undefined
  const isAllowed = reaches && ingress?.isAllowed !== false
  return { isAllowed, ...(egress && { egress }), ...(ingress && { ingress }) }
}

const isOurs = ({ port, interface: at }: TraceEnd): boolean => port !== undefined || at !== undefined

interface JudgedEnd {
  readonly of: TraceEnd
  readonly peer: TraceEnd
  readonly transport: Carried
}

function judgedAs(direction: AnyJudged['direction'], { of, peer, transport }: JudgedEnd): AnyJudged {
  const vlan = of.interface?.vlan ?? of.port?.status?.vlan?.id
  const end = { subject: of.identity, direction, vlan }
  if (isFrameType(transport)) return { ...end, ...transport, peer: { mac: frameMac(peer) } }
  // Whoever is in a VLAN may send from any address: of none it is known whose it is.
  const identity = vlan === undefined ? peer.identity : unknown
  return { ...end, transport, peer: { identity, address: peer.address, mac: macSeen(peer, of) } }
}

function directionOf(sets: readonly RuleSetSpec[], { missing }: TraceEnd, judged: AnyJudged): TracedDirection {
  if (missing !== undefined) return { isAllowed: false, tiers: [{ tier: 'securityGroup', says: 'denies', policy: missing }] }
  const { isAllowed, tiers, audited } = verdictOn(sets, judged)
  const inspections = isAllowed ? inspectionsOf(sets, judged) : []
  return { isAllowed, tiers: tiers.map((each) => tierOf(each, audited)), ...(inspections.length > 0 && { inspections }) }
}

function tierOf({ tier, says, reason }: TierAnswer, audited: readonly Reason[]): TracedTier {
  const { kind, namespace, name } = reason.set.policy
  return {
    tier,
    says: audited.includes(reason) ? 'audits' : says === 'denies' ? 'denies' : 'allows',
    policy: { kind, ...(namespace !== undefined && { namespace }), name },
    ...(reason.rule !== undefined && { rule: reason.rule.source }),
  }
}

/** A SecurityGroup that nobody has made, or else rules that are being made. */
export function missingOn(port: Resource<'Port'>, sets: readonly RuleSetSpec[]): TracedTier['policy'] | undefined {
  const [vni, policy] = [segmentOf(port) ?? 0, port.status?.policy]
  const there = new Set(sets.map((set) => numberedName(set.vni, set.number)))
  const missing = policy?.ruleSets.find((name) => !there.has(name))
  if (missing === undefined) return undefined
  const groups = (port.spec.securityGroups ?? []).map((name) => ({ kind: 'SecurityGroup', ...namespaceIn(port), name }))
  const toBe = groups.find(
    ({ kind, namespace = '', name }) => numberedName(vni, ruleSetNumber(vni, `${kind} ${namespace}/${name}`)) === missing,
  )
  return toBe ?? { kind: 'PolicyRuleSet', name: missing }
}

const namespaceIn = ({ metadata: { namespace } }: Resource): { readonly namespace?: string } =>
  namespace === undefined ? {} : { namespace }

/** Of a Port in the VNI; one that no policy's workers have looked at is unknown to all others. */
export const identityOf = ({ status }: Pick<Resource<'Port'>, 'status'>): number => status?.policy?.identity ?? unknown
