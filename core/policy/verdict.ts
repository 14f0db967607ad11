// What rules say of a connection, and of a frame that is of none: the one truth about verdicts, which every data plane is held to.
import { familiesOf, type CompiledRule, type RuleSetSpec } from '../kinds/policy/policy-rule-set.ts'
import type { TransportMatch } from '../kinds/policy/transport-match.ts'
import { tierNames, tiers, unknown, type Tier } from '../kinds/policy/tiers.ts'
import { isInBlock } from '../net/cidr.ts'
import { parseIp } from '../net/ip.ts'

/** A connection's first packet, as one of its two ends is judged for it. */
export interface Judged {
  /** Of the end that is judged. */
  readonly subject: number
  /** ingress: the subject is its destination. */
  readonly direction: 'ingress' | 'egress'
  readonly peer: JudgedPeer
  readonly transport: Transport
  /** That the subject has it in. Absent: it is in a VNI. */
  readonly vlan?: number | undefined
}

export interface JudgedPeer extends JudgedMac {
  readonly identity: number
  readonly address: string
}

interface JudgedMac {
  /** As the frames of the subject have it: of what is routed the gateway's. Absent: not known. */
  readonly mac?: string | undefined
}

/** A frame that is no IP, each by itself: it is of no connection, and whose its ends are nobody knows. ARP is never judged. */
export interface JudgedFrame extends Pick<Judged, 'subject' | 'direction' | 'vlan'> {
  readonly etherType: number
  readonly peer: JudgedMac
}
export type AnyJudged = Judged | JudgedFrame

/** What a question is about: a connection by its first packet, or a frame that is no IP. */
export type Carried = Transport | FrameType

export interface FrameType {
  readonly etherType: number
}

export const isFrameType = (carried: Carried): carried is FrameType => 'etherType' in carried

export interface Transport {
  readonly protocol: number
  /** The destination's, of TCP, UDP and SCTP. */
  readonly l4Port?: number
  readonly icmpType?: number
  readonly icmpCode?: number
}

/** Which rule of which policy; without one: what the tier does with what no rule of it allows. */
export interface Reason {
  readonly set: RuleSetSpec
  readonly rule?: CompiledRule
}

export interface Verdict {
  readonly isAllowed: boolean
  /** What decided; absent: nothing had a say, and it passes. */
  readonly by?: Reason
  /** What would deny it if all were enforced, and before what ends the search now. */
  readonly audited: readonly Reason[]
  /** What each tier said that had a say, in order, up to the one that decided. */
  readonly tiers: readonly TierAnswer[]
}

export interface TierAnswer {
  readonly tier: Tier
  /** ends: allowed, and no later tier is asked. */
  readonly says: 'allows' | 'denies' | 'ends'
  readonly reason: Reason
}

/**
 * What is in audit changes no verdict, wherever it stands: rules are asked as if all were enforced, for what would then be denied, and
 * those that are enforced alone, for what is.
 *
 * @param sets of one VNI
 */
export function verdictOn(sets: readonly RuleSetSpec[], judged: AnyJudged): Verdict {
  const [tried, enforced] = [ask(sets, judged, () => true), ask(sets, judged, isEnforced)]
  const does = enforced.at(-1)
  const isAllowed = does?.says !== 'denies'
  const would = auditIn(tried, enforced)
  const answers = answersOf({ tried, enforced, would, isAllowed })
  const by = isAllowed ? answers.findLast(({ says }) => says !== 'denies') : does
  return { isAllowed, ...(by !== undefined && { by: by.reason }), audited: would === undefined ? [] : [would.reason], tiers: answers }
}

type Answers = readonly TierAnswer[]

/**
 * What in audit would deny it, unless what is enforced has ended the search in a tier before: a data plane that goes through the tiers once
 * does not ask those that are after it.
 */
function auditIn(tried: Answers, enforced: Answers): TierAnswer | undefined {
  const [would, does] = [tried.at(-1), enforced.at(-1)]
  if (would?.says !== 'denies' || isEnforced(would.reason)) return undefined
  return does !== undefined && does.says !== 'allows' && isBefore(does, would) ? undefined : would
}

interface BothSearches {
  readonly tried: Answers
  readonly enforced: Answers
  readonly would: TierAnswer | undefined
  readonly isAllowed: boolean
}

/** Of what audit would deny also what was asked after it. */
function answersOf({ tried, enforced, would, isAllowed }: BothSearches): Answers {
  if (would !== undefined) return [...tried, ...enforced.filter((each) => !isBefore(each, would))]
  return isAllowed && tried.at(-1)?.says !== 'denies' ? tried : enforced
}

const isBefore = (a: TierAnswer, b: TierAnswer): boolean => tierNames.indexOf(a.tier) < tierNames.indexOf(b.tier)

const isEnforced = ({ set, rule }: Reason): boolean => set.audit !== true && rule?.audit !== true

/** Up to what ends it. @param isAsked which rules, and which sets for whom they isolate */
function ask(sets: readonly RuleSetSpec[], judged: AnyJudged, isAsked: (reason: Reason) => boolean): readonly TierAnswer[] {
  const answers: TierAnswer[] = []
  for (const tier of tierNames) {
    if (tier === 'baseline' && answers.some((each) => !tiers[each.tier].isOrdered)) break
    const answer = askTier(tier, sets, judged, isAsked)
    if (answer === undefined) continue
    answers.push(answer)
    if (answer.says !== 'allows') break
  }
  return answers
}

/** Undefined: the tier has no say. */
function askTier(
  tier: Tier,
  sets: readonly RuleSetSpec[],
  judged: AnyJudged,
  isAsked: (reason: Reason) => boolean,
): TierAnswer | undefined {
  const mine = sets.filter((set) => set.tier === tier && set.subjects.includes(judged.subject))
  const matching = mine.flatMap((set) => set.rules.filter((rule) => matches(rule, judged)).map((rule) => ({ set, rule }))).filter(isAsked)
  const first = tiers[tier].isOrdered ? matching.sort(inOrder)[0] : matching.toSorted(enforcedFirst)[0]
  if (first !== undefined) return answerOf(tier, first)
  const isolating = mine.filter((set) => set.isolates.includes(judged.direction)).map((set) => ({ set }))
  const by = isolating.filter(isAsked).sort(enforcedFirst)[0]
  return by && { tier, says: 'denies', reason: by }
}

/** Of several that would do the same: one answer, in whatever order the sets come. */
const enforcedFirst = (a: Reason, b: Reason): number => Number(isEnforced(b)) - Number(isEnforced(a)) || a.set.number - b.set.number

function answerOf(tier: Tier, reason: Required<Reason>): TierAnswer | undefined {
  const { action, final } = reason.rule
  if (action === 'pass') return undefined
  if (action === 'deny') return { tier, says: 'denies', reason }
  const ends = final === true || tier === 'admin' || tier === 'baseline'
  return { tier, says: ends ? 'ends' : 'allows', reason }
}

const inOrder = (a: Required<Reason>, b: Required<Reason>): number =>
  a.set.priority - b.set.priority || a.rule.level - b.rule.level || a.rule.index - b.rule.index

function matches(rule: CompiledRule, judged: AnyJudged): boolean {
  if (rule.direction !== judged.direction || rule.subjects?.includes(judged.subject) === false) return false
  return isFramed(rule, judged) && ('etherType' in judged ? isFrame(rule, judged.etherType) : isConnection(rule, judged))
}

/** Nothing that stands in packets of IP alone is in it, and at its other end may be anybody. */
function isFrame(rule: CompiledRule, etherType: number): boolean {
  const { transport, frame, peers } = rule
  if (transport !== undefined || familiesOf(rule) !== undefined) return false
  return (frame?.etherType ?? etherType) === etherType && (peers === undefined || isIdentity(rule, unknown))
}

function isConnection(rule: CompiledRule, { peer, transport }: Judged): boolean {
  if (rule.frame?.etherType !== undefined || !isOfFamily(rule, peer)) return false
  return rule.transport?.some((each) => carries(each, transport)) !== false && isPeer(rule, peer)
}

function isOfFamily(rule: CompiledRule, { address }: JudgedPeer): boolean {
  const { family } = parseIp(address) ?? {}
  return family !== undefined && familiesOf(rule)?.includes(family) !== false
}

const isFramed = (rule: CompiledRule, { peer, vlan }: AnyJudged): boolean =>
  hasMac(rule, peer) && (rule.frame?.vlan === undefined || rule.frame.vlan === vlan)

/** Of somebody whose MAC is not known a rule that denies has to think the worst, and one that allows too. */
const hasMac = ({ frame: { peerMac } = {}, action }: CompiledRule, { mac }: JudgedMac): boolean =>
  peerMac === undefined || (mac === undefined ? action === 'deny' : mac === peerMac)

function isPeer(rule: CompiledRule, { identity, address }: JudgedPeer): boolean {
  const { peers } = rule
  if (peers === undefined || isIdentity(rule, identity)) return true
  const ip = parseIp(address)
  return ip !== undefined && peers.blocks.some((block) => isInBlock(block, ip))
}

/** Of somebody in the VNI who is not known yet a rule that denies identities has to think the worst. */
function isIdentity({ peers, action }: CompiledRule, identity: number): boolean {
  const { identities = [] } = peers ?? {}
  return identities.includes(identity) || (identity === unknown && action === 'deny' && identities.length > 0)
}

export function carries(match: TransportMatch, { protocol, l4Port, icmpType, icmpCode }: Transport): boolean {
  if (match.protocol !== protocol) return false
  if (match.icmpType !== undefined && match.icmpType !== icmpType) return false
  if (match.icmpCode !== undefined && match.icmpCode !== icmpCode) return false
  return match.first === undefined || (l4Port !== undefined && l4Port >= match.first && l4Port <= (match.last ?? match.first))
}
