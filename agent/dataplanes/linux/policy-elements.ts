// What is judged, as elements of nftables, and back. Pure.
import { rangeText } from '../../../core/net/ranges.ts'
import { anyoneElse } from '../../../core/kinds/policy/access.ts'
import { ownerText, readOwner, type PeerDecision, type PolicyRuleOwner } from '../../../core/kinds/policy/peer-decision.ts'
import { isDecision, type DecisionElement, type PolicyElement } from '../../../core/wire/nft/policies.ts'
import { marks } from '../../../core/node/frame-marks.ts'
import type { LinuxItem } from '../../../core/linux/linux-items.ts'
import { markOf, type JudgedDecision } from '../../../core/linux/treatments.ts'

export type PolicyItem = Extract<LinuxItem, { readonly kind: 'judged' | 'identity' | 'inside' }>
type Judged = Extract<PolicyItem, { readonly kind: 'judged' }>

/** Of what is logged: VNIs that are alike modulo as many have one together. */
export const buckets = 16
export const bucketOf = (vni: number): string => `log${vni % buckets}`

const ways = { egress: 'out', ingress: 'in' } as const
export const directionOf = ({ of }: DecisionElement): PeerDecision['direction'] => (of === 'out' ? 'egress' : 'ingress')
const logWord = ' log '
/** By which rules: what is said of the element. What is none of ours says nothing. */
export const ownersOf = ({ comment }: DecisionElement): readonly PolicyRuleOwner[] =>
  comment
    .split(logWord)[0]!
    .split(' ')
    .flatMap((text) => readOwner(text) ?? [])
export const loggingIn = ({ comment }: DecisionElement): PolicyRuleOwner | undefined => readOwner(comment.split(logWord)[1] ?? '')

export function elementsOf(thing: PolicyItem): readonly PolicyElement[] {
  if (thing.kind === 'identity') return [{ of: 'identity', vni: thing.vni, address: thing.address, identity: thing.identity }]
  if (thing.kind === 'inside') return [{ of: 'inside', vni: thing.vni, block: thing.block }]
  const { ifname, vni, decisions } = thing
  const named = [...new Set(decisions.map(({ identity }) => identity))].filter((identity) => identity !== anyoneElse)
  return [
    { of: 'network', ifname, vni },
    ...named.map((identity) => ({ of: 'named', ifname, identity }) as const),
    ...(decisions.some(({ log }) => log !== undefined) ? [{ of: 'bucket', ifname, limit: bucketOf(vni) } as const] : []),
    ...decisions.map((decision) => elementOf(ifname, decision)),
  ]
}

function elementOf(ifname: string, decision: JudgedDecision): DecisionElement {
  const { direction, identity, range, by, log } = decision
  const comment = `${by.map(ownerText).join(' ')}${log === undefined ? '' : `${logWord}${ownerText(log)}`}`
  return { of: ways[direction], ifname, identity, range, mark: markOf(decision), comment }
}

/** An element, but for what a map has for it. */
export function keyOf(element: PolicyElement): string {
  if (element.of === 'network' || element.of === 'bucket') return `${element.of} ${element.ifname}`
  if (element.of === 'identity') return `identity ${element.vni} ${element.address}`
  return isDecision(element) ? decisionKey(element) : textOf(element)
}

const decisionKey = ({ of, ifname, identity, range }: DecisionElement): string => `${of} ${ifname} ${identity} ${rangeText(range)}`

/** Without what it has counted. */
export const textOf = (element: PolicyElement): string =>
  isDecision(element) ? `${decisionKey(element)} ${element.mark} ${element.comment}` : Object.values(element).join(' ')

/** What has no network, and so is asked about by nothing, is an interface's that is judged in none. */
export function policyItems(all: readonly PolicyElement[]): readonly PolicyItem[] {
  const byIfname = Map.groupBy(
    all.filter((each) => 'ifname' in each),
    ({ ifname }) => ifname,
  )
  return [
    ...[...byIfname].map(([ifname, elements]) => judgedBy(ifname, elements)),
    ...all.flatMap((each): readonly PolicyItem[] => {
      if (each.of === 'identity') return [{ kind: 'identity', vni: each.vni, address: each.address, identity: each.identity }]
      return each.of === 'inside' ? [{ kind: 'inside', vni: each.vni, block: each.block }] : []
    }),
  ]
}

/** Whatever of it is not as it would have been put there has a VNI that is none. */
function judgedBy(ifname: string, elements: readonly PolicyElement[]): Judged {
  const decisions = elements.filter(isDecision).map(decisionOf).sort(inOrder)
  const thing: Judged = { kind: 'judged', ifname, vni: elements.find((each) => each.of === 'network')?.vni ?? 0, decisions }
  const textsOf = (some: readonly PolicyElement[]): string => some.map(textOf).sort().join('; ')
  return textsOf(elementsOf(thing)) === textsOf(elements) ? thing : { ...thing, vni: 0 }
}

const decisionOf = (element: DecisionElement): JudgedDecision => ({
  direction: directionOf(element),
  identity: element.identity,
  range: element.range,
  isAllowed: (element.mark & marks.passes) !== 0,
  by: ownersOf(element),
  ...logOf(element),
  treatment: element.mark & marks.treatment,
  isRuled: (element.mark & marks.ruled) !== 0,
})
function logOf(element: DecisionElement): Pick<JudgedDecision, 'log'> {
  const log = loggingIn(element)
  return log === undefined ? {} : { log }
}

/** As `decisionsOf` has it: anyone else before all others. */
const inOrder = (a: PeerDecision, b: PeerDecision): number =>
  placeOf(a) - placeOf(b) ||
  a.direction.localeCompare(b.direction) ||
  a.range.family - b.range.family ||
  (a.range.first < b.range.first ? -1 : 1)
const placeOf = ({ identity }: PeerDecision): number => (identity === anyoneElse ? -1 : identity)
