// Random rule sets of one VNI, and random connections that they are asked about.
import type { PolicyPeers } from '../../core/kinds/policy/compiled/policy-peers.ts'
import { familiesOf, type CompiledRule, type PolicyTraffic } from '../../core/kinds/policy/policy-rule-set.ts'
import type { TransportMatch } from '../../core/kinds/policy/transport-match.ts'
import { tierNames, tiers, world, type Tier } from '../../core/kinds/policy/tiers.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import type { Transport } from '../../core/policy/verdict.ts'
import { unifiedSet } from './unified-set.ts'

type Random = () => number
const below = (random: Random, n: number): number => Math.floor(random() * n)
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!
const chance = (random: Random, p: number): boolean => random() < p
const some = <T>(random: Random, list: readonly T[], p: number): T[] => list.filter(() => chance(random, p))

/** Identities that are drawn: of few, so that rules meet those whom they are about. */
export const identities: readonly number[] = [1, 2, 3, 4, 5]
const blocks = ['10.0.0.0/24', '10.0.0.0/30', '10.0.0.3/32', '192.0.2.0/24', '0.0.0.0/0', '128.0.0.0/1', '2001:db8::/64', '::/0']
const l4Ports = [1, 22, 53, 80, 443, 1023, 8080, 65_535]

function drawTransport(random: Random): TransportMatch {
  const protocol = oneOf(random, [6, 17, 132, 1, 58, 47])
  if (protocol === 1 || protocol === 58) {
    const icmpType = protocol === 1 ? oneOf(random, [8, 3]) : oneOf(random, [128, 1])
    return { protocol, ...(chance(random, 0.6) && { icmpType }), ...(chance(random, 0.3) && { icmpCode: below(random, 2) }) }
  }
  if (protocol === 47 || chance(random, 0.2)) return { protocol }
  const first = oneOf(random, l4Ports)
  return { protocol, first, ...(chance(random, 0.5) && { last: Math.min(65_535, first + below(random, 2_000)) }) }
}

function drawPeers(random: Random): PolicyPeers {
  const peers = { identities: some(random, [world, ...identities], 0.3), blocks: some(random, blocks, 0.15) }
  return peers.identities.length + peers.blocks.length === 0 ? { identities: [oneOf(random, identities)], blocks: [] } : peers
}

/** What frames have at an end of one of few numbers: `macOf` of test/core/policy-frames.ts, or nobody's. */
export const macs = ['02:00:00:00:00:01', '02:00:00:00:00:02', '02:00:00:00:00:64', '02:00:00:00:00:65', '02:ff:00:00:00:00']

/** Of few kinds of frames that are no IP (IEEE 802's own, for experiments). */
export const etherTypes: readonly number[] = [0x88b5, 0x88b6]

/** Of few VLANs: in a VNI a rule with one is for no frame. */
export const vlans: readonly number[] = [100, 200]

/** As compiled: who does not know of frames reads a rule that allows as one of no family. */
function drawFrame(
  random: Random,
  { action, families }: Pick<CompiledRule, 'action' | 'families'>,
): Pick<CompiledRule, 'families' | 'frame'> {
  const ofNoIP = chance(random, 0.4)
  const of = families === undefined || ofNoIP ? {} : { families }
  const mac = !ofNoIP || chance(random, 0.3) ? { peerMac: oneOf(random, macs) } : {}
  const inVlan = chance(random, 0.2) ? { vlan: oneOf(random, vlans) } : {}
  const frame = { ...mac, ...inVlan, ...(ofNoIP && { etherType: oneOf(random, etherTypes) }), ...of }
  return { ...(action === 'deny' ? of : { families: [] }), frame }
}

function drawRule(random: Random, tier: Tier, index: number): CompiledRule {
  const rule = drawPlainRule(random, tier, index)
  return tier === 'unified' && chance(random, 0.3) ? framed(rule, drawFrame(random, rule)) : rule
}

/** One for frames that are no IP asks for nothing that stands in IP. */
function framed({ peers, transport, families, ...rule }: CompiledRule, of: Pick<CompiledRule, 'families' | 'frame'>): CompiledRule {
  if (of.frame?.etherType !== undefined) return { ...rule, ...of }
  return { ...rule, ...(peers && { peers }), ...(transport && { transport }), ...(families && { families }), ...of }
}

function drawPlainRule(random: Random, tier: Tier, index: number): CompiledRule {
  return {
    index,
    source: `/spec/rules/${index}`,
    direction: oneOf(random, ['ingress', 'egress']),
    ...(tiers[tier].isOrdered ? drawAction(random, tier, index) : { level: 0, action: 'allow' }),
    ...(chance(random, 0.15) && { log: true }),
    ...(chance(random, 0.2) && { subjects: some(random, identities, 0.5) }),
    ...(chance(random, 0.8) && { peers: drawPeers(random) }),
    ...(chance(random, 0.6) && { transport: Array.from({ length: 1 + below(random, 3) }, () => drawTransport(random)) }),
    ...(chance(random, 0.2) && { families: oneOf(random, [[4], [6], [4, 6]]) }),
  }
}

function drawAction(
  random: Random,
  tier: Tier,
  level: number,
): Pick<CompiledRule, 'level' | 'action' | 'final' | 'audit' | 'dscp' | 'max'> {
  const action = oneOf<CompiledRule['action']>(random, ['allow', 'deny', ...(tier === 'baseline' ? [] : (['pass'] as const))])
  return {
    level,
    action,
    ...(tier === 'unified' && drawUnified(random, action)),
    ...(chance(random, 0.15) && { audit: true }),
  }
}

function drawUnified(random: Random, action: CompiledRule['action']): Pick<CompiledRule, 'final' | 'dscp' | 'max'> {
  return {
    ...(chance(random, 0.3) && { final: true }),
    ...(action === 'allow' && chance(random, 0.3) && { dscp: below(random, 64) }),
    ...(action === 'allow' && chance(random, 0.2) && { max: oneOf(random, [64_000, 10_000_000]) }),
  }
}

function drawRuleSet(random: Random, { vni, number }: { readonly vni: number; readonly number: number }): RuleSet {
  const tier = oneOf(random, tierNames)
  const { isOrdered } = tiers[tier]
  const traffic = tier === 'unified' ? drawTraffic(random) : undefined
  return {
    namespace: 'net',
    vni,
    number,
    tier,
    policy: { kind: 'NetworkPolicy', namespace: 'a', name: `policy-${number}`, uid: `uid-${number}` },
    // No two of an ordered tier have one.
    priority: isOrdered ? (number * 97) % 1001 : 0,
    ...(chance(random, 0.15) && { audit: true }),
    subjects: some(random, identities, 0.5),
    ...(traffic !== undefined && { traffic }),
    isolates: tier === 'admin' || tier === 'baseline' ? [] : some(random, ['ingress', 'egress'] as const, 0.5),
    rules: Array.from({ length: below(random, 5) }, (_, index) => drawRule(random, tier, index)),
  }
}

export function drawTraffic(random: Random): PolicyTraffic | undefined {
  const rate = (): number => oneOf(random, [1, 64_000, 10_000_000, 25_000_000_000])
  const traffic = {
    ...(chance(random, 0.5) && { maxIngress: rate() }),
    ...(chance(random, 0.5) && { maxEgress: rate() }),
    ...(chance(random, 0.5) && { dscp: below(random, 64) }),
  }
  return Object.keys(traffic).length === 0 ? undefined : traffic
}

/** The same both ways, whatever is carried: what is done without connections. */
export const mirrored = (set: RuleSet): RuleSet => mirroredWith(set, ({ dscp: _, log: __, max: ___, ...rule }) => rule)

/** @param kept what it says beside */
export function mirroredWith(set: RuleSet, kept: (rule: CompiledRule) => CompiledRule): RuleSet {
  const { traffic: _, rules, isolates, ...rest } = set
  const ways = ['ingress', 'egress'] as const
  const both = rules
    .map(({ transport: __, ...rule }) => unframed(kept(rule)))
    .flatMap((rule) => ways.map((direction) => ({ ...rule, direction })))
  return { ...rest, isolates: isolates.length > 0 ? [...ways] : [], rules: both.map((rule, index) => ({ ...rule, index })) }
}

function unframed(rule: CompiledRule): CompiledRule {
  const { frame: _, families: __, ...rest } = rule
  const families = familiesOf(rule)
  return { ...rest, ...(families !== undefined && { families: [...families] }) }
}

/** Of one VNI, by number. */
export const drawRuleSets = (random: Random, vni: number, most = 8): readonly RuleSet[] =>
  Array.from({ length: below(random, most + 1) }, (_, i) => {
    const set = drawRuleSet(random, { vni, number: i + 1 })
    return chance(random, 0.25) ? mirrored(set) : set
  })

/** Of servers and clients: the guard of sources, and not policies, says who may send there. */
const dhcp = [67, 68, 546, 547]

/** Of a connection's first packet: what can begin one. */
export function drawConnection(random: Random, family: 4 | 6): Transport {
  const protocol = oneOf(random, [6, 17, 132, family === 4 ? 1 : 58, 47])
  if (protocol === 47) return { protocol }
  if (protocol === 1 || protocol === 58) return { protocol, icmpType: protocol === 1 ? 8 : 128, icmpCode: 0 }
  const any = 1 + below(random, 65_535)
  return { protocol, l4Port: chance(random, 0.7) || dhcp.includes(any) ? oneOf(random, l4Ports) : any }
}

/** Who has the identity 1 may talk to who has 2, and to no one else. */
export const xToY = (vni: number): RuleSet =>
  mirrored(
    unifiedSet({
      vni,
      rules: [
        { index: 0, source: '/spec/ingress/0', direction: 'ingress', level: 0, action: 'allow', peers: { identities: [2], blocks: [] } },
        { index: 1, source: '/spec/defaults', direction: 'ingress', level: 1, action: 'deny' },
      ],
    }),
  )
