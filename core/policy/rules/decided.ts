// Which rules decide what passes between an identity and others, each way, where connections are not followed: what is counted of them.
import { anyoneElse } from '../../kinds/policy/access.ts'
import type { PeerDecision, PolicyRuleOwner, RuleRate } from '../../kinds/policy/peer-decision.ts'
import type { CompiledRule, RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import type { AddressRange } from '../../net/ranges.ts'
import { printIp } from '../../net/ip.ts'
import { verdictOn, type Reason } from '../verdict.ts'
import { addressPartsOf, type AddressPart } from './address-parts.ts'
import { alikeIn, enforcedRules, namedIn, oneWay, pairsMost, pairsOf } from './stateless.ts'

const directions = ['egress', 'ingress'] as const
type Decided = Pick<PeerDecision, 'isAllowed' | 'by' | 'log' | 'max' | 'dscp'>

/**
 * What is allowed is what `accessOf` says of the same sets, as far as they are enforced.
 *
 * @param sets of one VNI, of which no part is stateful; those in audit among them
 * @returns of each way, of anyone else and of each identity that is not treated as anyone else is: all addresses, in order, cut where
 *   other rules decide
 */
export function decisionsOf(sets: readonly RuleSetSpec[], subject: number): readonly PeerDecision[] {
  const judging = sets.filter(({ subjects }) => subjects.includes(subject)).map((set) => ({ ...set, rules: countedRules(set) }))
  const parts = ([4, 6] as const).flatMap((family) => addressPartsOf(judging, family))
  const rates = new Map(judging.flatMap(ratesIn))
  const of = (identity: number): readonly PeerDecision[] =>
    directions.flatMap((direction) => {
      const answers = new Map<AddressPart['sets'], Decided>()
      const decided = ({ sets: those, range }: AddressPart): Decided => {
        const known = answers.get(those) ?? decide(those, rates, { subject, direction, identity, range })
        answers.set(those, known)
        return known
      }
      return joined(parts.map((part) => ({ direction, identity, range: part.range, ...decided(part) })))
    })
  const others = of(anyoneElse)
  const asOthers = textOf(others)
  return [
    others,
    ...namedIn(judging)
      .map(of)
      .filter((each) => textOf(each) !== asOthers),
  ].flat()
}

/**
 * What a rule in audit would deny is counted where it needs no connections: of one that is said of one direction alone, answers would be
 * counted too. Nor where it would take too many pairs.
 */
function countedRules(set: RuleSetSpec): RuleSetSpec['rules'] {
  const audited = set.rules.filter(({ audit, transport, frame }) => audit === true && transport === undefined && frame === undefined)
  const alone = new Set(oneWay(audited))
  const rules = [...enforcedRules(set), ...audited.filter((rule) => !alone.has(rule))]
  return pairsOf({ ...set, rules }) > pairsMost ? enforcedRules(set) : rules
}

interface JudgedPeers extends Pick<PeerDecision, 'direction' | 'identity' | 'range'> {
  readonly subject: number
}

function decide(
  sets: readonly RuleSetSpec[],
  rates: Rates,
  { subject, direction, identity, range: { family, first } }: JudgedPeers,
): Decided {
  const peer = { identity, address: printIp({ family, value: first }) }
  const { isAllowed, tiers } = verdictOn(sets, { subject, direction, peer, transport: { protocol: 255 } })
  const logging = tiers.find(({ reason: { rule } }) => rule?.log === true)
  return {
    isAllowed,
    by: tiers.map(({ reason }) => ownerOf(reason)),
    ...(logging && { log: ownerOf(logging.reason) }),
    ...(isAllowed &&
      trafficOf(
        tiers.flatMap(({ reason }) => (isAllowing(reason) ? [reason] : [])),
        rates,
      )),
  }
}

type AllowingRule = Required<Reason>
/** What is in audit limits and marks nothing. */
const isAllowing = (reason: Reason): reason is AllowingRule =>
  reason.rule?.action === 'allow' && reason.rule.audit !== true && reason.set.audit !== true

/** UnifiedNetworkPolicies alone limit and mark, and one at most is in force: of several the lowest rate, and the last mark. */
function trafficOf(allowing: readonly AllowingRule[], rates: Rates): Pick<Decided, 'max' | 'dscp'> {
  const [rate] = allowing.flatMap((by) => rates.get(rateKey(by)) ?? []).sort((a, b) => a.bitsPerSecond - b.bitsPerSecond)
  const dscp = allowing.findLast(({ rule }) => rule.dscp !== undefined)?.rule.dscp
  return { ...(rate && { max: rate }), ...(dscp !== undefined && { dscp }) }
}

type Rates = ReadonlyMap<string, RuleRate>
const rateKey = ({
  set: { number },
  rule: { index },
}: {
  readonly set: Pick<RuleSetSpec, 'number'>
  readonly rule: CompiledRule
}): string => `${number}/${index}`

/** Rules that are alike share the first one's. */
function ratesIn(set: RuleSetSpec): readonly (readonly [string, RuleRate])[] {
  const { number, rules } = set
  const limiting = rules.filter(({ max }) => max !== undefined)
  if (limiting.length === 0) return []
  const alike = alikeIn(rules)
  return limiting.map((rule) => {
    const first = Math.min(...alike(rule).map(({ index }) => index))
    return [rateKey({ set, rule }), { by: { set: number, rule: first }, bitsPerSecond: rule.max! }]
  })
}

const ownerOf = ({ set, rule }: Reason): PolicyRuleOwner =>
  rule === undefined ? { set: set.number } : { set: set.number, rule: rule.index }

/** Whoever the other end is. */
const textOf = (decisions: readonly PeerDecision[]): string =>
  JSON.stringify(decisions.map(({ direction, range, ...decided }) => [direction, String(range.first), range.family, decidedText(decided)]))

function joined(parts: readonly PeerDecision[]): readonly PeerDecision[] {
  const all: PeerDecision[] = []
  for (const part of parts) {
    const before = all.at(-1)
    if (before !== undefined && touches(before.range, part.range) && isAlike(before, part))
      all[all.length - 1] = { ...before, range: { ...before.range, last: part.range.last } }
    else all.push(part)
  }
  return all
}

const touches = (one: AddressRange, other: AddressRange): boolean => one.family === other.family && one.last + 1n === other.first
const isAlike = (one: Decided, other: Decided): boolean => decidedText(one) === decidedText(other)
const decidedText = ({ isAllowed, by, log, max, dscp }: Decided): string => JSON.stringify([isAllowed, by, log, max, dscp])
