// What rules let pass without connections: for data planes that follow none. An answer goes the other way than what it answers, so both
// ways must be allowed alike, and what is carried must not matter: an answer's ports are the other way round, and an ICMP error is of the
// connection that it is about. Such rules say of an identity only with whom it may talk.
import { familiesOf, type CompiledRule, type RuleSetSpec } from '../../kinds/policy/policy-rule-set.ts'
import { unknown, world } from '../../kinds/policy/tiers.ts'
import { printIp } from '../../net/ip.ts'
import { rangesText, type AddressRange } from '../../net/ranges.ts'
import { anyoneElse, type PeerAccess } from '../../kinds/policy/access.ts'
import { verdictOn } from '../verdict.ts'
import { addressPartsOf, type AddressPart } from './address-parts.ts'

/** Each costs an element of a table for every Port that is judged. */
export const pairsMost = 4_096
const directions = ['ingress', 'egress'] as const

/** What of an enforced set needs connections, a sentence each; none: all of it is done without. */
export function statefulParts(set: RuleSetSpec): readonly string[] {
  const rules = enforcedRules(set).filter((rule) => !isDoneAnyway(rule))
  const asking = rules.filter(({ transport }) => transport !== undefined)
  const framed = rules.filter(({ frame }) => frame?.peerMac !== undefined)
  const inVlan = rules.filter(({ frame }) => frame?.vlan !== undefined)
  const ofNoIP = rules.filter(({ frame }) => frame?.etherType !== undefined)
  const pairs = pairsOf({ ...set, rules })
  return [
    ...asking.map(({ source }) => `${source} asks what is carried, and connections are not followed here`),
    ...framed.map(({ source }) => `${source} asks for a MAC, and rules look at none here`),
    ...inVlan.map(({ source }) => `${source} asks for a VLAN, and rules look at none here`),
    ...ofNoIP.map(({ source }) => `${source} is for frames that are no IP, and none of them pass here`),
    ...oneWay(rules).map(({ source }) => `${source} is not said of the other direction too, and connections are not followed here`),
    ...(set.isolates.length === 1 ? [`it isolates ${set.isolates[0]} alone, and connections are not followed here`] : []),
    ...(pairs > pairsMost ? [`it names more than ${pairsMost} pairs of identities and blocks`] : []),
  ]
}

/** Of identities and parts of all addresses. */
export const pairsOf = (set: RuleSetSpec): number =>
  (namedIn([set]).length + 1) * (2 * new Set(set.rules.flatMap(({ peers }) => peers?.blocks ?? [])).size + 1)

/** Whatever is no IP does not pass a Port that is judged. */
const isDoneAnyway = ({ frame, action }: CompiledRule): boolean => action === 'deny' && frame?.etherType !== undefined

/** Rules that have no like in the other direction. */
export function oneWay(rules: readonly CompiledRule[]): readonly CompiledRule[] {
  const [inward, outward] = directions.map((direction) => textsOf(rules.filter((rule) => rule.direction === direction)))
  return [...without(inward!, outward!), ...without(outward!, inward!)]
}

type Texts = ReadonlyMap<CompiledRule, string>
function without(own: Texts, others: Texts): readonly CompiledRule[] {
  const like = new Set(others.values())
  return [...own].flatMap(([rule, text]) => (like.has(text) ? [] : [rule]))
}

/** Which level it is of those that are there: what is done anyway has none. */
function textsOf(rules: readonly CompiledRule[]): Texts {
  const levels = sorted([...new Set(rules.map(({ level }) => level))])
  return new Map(rules.map((rule) => [rule, textOf({ ...rule, level: levels.indexOf(rule.level) })]))
}

/** @returns those of the rules that say the same of the same as one of them, whichever way: it among them */
export function alikeIn(rules: readonly CompiledRule[]): (rule: CompiledRule) => readonly CompiledRule[] {
  const texts = textsOfBoth(rules)
  return (rule) => {
    const own = texts.get(rule)
    return own === undefined ? [rule] : [...texts].flatMap(([each, text]) => (text === own ? [each] : []))
  }
}

/** A level that one direction alone has, of what is tried out or done anyway, makes no others different. */
function textsOfBoth(rules: readonly CompiledRule[]): Texts {
  const compared = rules.filter((rule) => rule.audit !== true && !isDoneAnyway(rule))
  return new Map(directions.flatMap((way) => [...textsOf(compared.filter(({ direction }) => direction === way))]))
}

/**
 * Rates and marks that what connections are of would have to be known for: where the rule of an answer has not the same. A sentence each.
 */
export function oneSidedTraffic(set: RuleSetSpec): readonly string[] {
  const rules = enforcedRules(set)
  const alike = alikeIn(rules)
  const isSame = (one: CompiledRule, other: CompiledRule): boolean => one.max === other.max && one.dscp === other.dscp
  return rules
    .filter((rule) => (rule.max ?? rule.dscp) !== undefined && !alike(rule).every((each) => isSame(each, rule)))
    .map(({ source }) => `${source} limits or marks otherwise than a rule that is alike, and connections are not followed here`)
}

function textOf(rule: CompiledRule): string {
  const { action, final, level, subjects, peers, frame } = rule
  const families = familiesOf(rule)
  const who = peers && { identities: sorted(peers.identities), blocks: peers.blocks.toSorted() }
  return JSON.stringify([action, final === true, level, families && sorted(families), subjects && sorted(subjects), who, frame?.peerMac])
}

/**
 * What may pass between an identity and others, whichever way.
 *
 * @param sets of one VNI that are enforced, of which no part is stateful
 * @returns anyone else first; who is not among them is treated as anyone else
 */
export function accessOf(sets: readonly RuleSetSpec[], subject: number): readonly [PeerAccess, ...PeerAccess[]] {
  const judging = sets.filter(({ subjects }) => subjects.includes(subject)).map((set) => ({ ...set, rules: enforcedRules(set) }))
  const parts = ([4, 6] as const).flatMap((family) => addressPartsOf(judging, family))
  const access = (identity: number): PeerAccess => {
    const answers = new Map<AddressPart['sets'], boolean>()
    const isOpen = (part: AddressPart): boolean => {
      const open = answers.get(part.sets) ?? isAllowed({ subject, identity, part })
      answers.set(part.sets, open)
      return open
    }
    return { identity, ranges: joined(parts.filter(isOpen).map(({ range }) => range)) }
  }
  const others = access(anyoneElse)
  const named = namedIn(judging).map(access)
  return [others, ...named.filter(({ ranges }) => rangesText(ranges) !== rangesText(others.ranges))]
}

interface JudgedPart {
  readonly subject: number
  readonly identity: number
  readonly part: AddressPart
}

/** Both ways are alike, and so is all that may be carried. */
function isAllowed({ subject, identity, part: { sets, range } }: JudgedPart): boolean {
  const peer = { identity, address: printIp({ family: range.family, value: range.first }) }
  return verdictOn(sets, { subject, direction: 'egress', peer, transport: { protocol: 255 } }).isAllowed
}

function joined(parts: readonly AddressRange[]): readonly AddressRange[] {
  const all: AddressRange[] = []
  for (const part of parts) {
    const before = all.at(-1)
    if (before?.family === part.family && before.last + 1n === part.first) all[all.length - 1] = { ...before, last: part.last }
    else all.push(part)
  }
  return all
}

export const enforcedRules = ({ rules }: RuleSetSpec): RuleSetSpec['rules'] => rules.filter(({ audit }) => audit !== true)
const sorted = (numbers: readonly number[]): readonly number[] => numbers.toSorted((a, b) => a - b)
/** Of those somebody may be taken for another where a rule names any. */
export const namedIn = (sets: readonly RuleSetSpec[]): readonly number[] =>
  sorted([...new Set([world, unknown, ...sets.flatMap(({ rules }) => rules.flatMap(({ peers }) => peers?.identities ?? []))])])
