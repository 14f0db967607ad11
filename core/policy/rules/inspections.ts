// What a policy asks in connections, for one VNI: the rules of a direction in which something is asked, in order. At once, when a
// connection is begun, one that allows allows it, and one that denies has no say.
import { inspectionsMost, type Inspection } from '../../kinds/policy/compiled/inspection.ts'
import type { PolicyPeers } from '../../kinds/policy/compiled/policy-peers.ts'
import { isNamed, type CommonPolicy, type CommonRule, type Direction } from '../one-form.ts'
import { blockOf } from '../network.ts'
import type { Problems } from '../problem.ts'
import { matchesMost, portsIn, type ChainPort } from './chains.ts'
import { partsOf, type Around, type Part } from './resolve.ts'

interface To {
  readonly options: Around & { readonly audit: boolean; readonly chainPorts?: () => readonly ChainPort[] }
  readonly problems: Problems
}

/** Nothing of it is in audit. */
export function compileInspections(policy: CommonPolicy, subjects: readonly number[], { options, problems }: To): readonly Inspection[] {
  if (options.audit || policy.audit === true || subjects.length === 0 || !policy.rules.some(asks)) return []
  const ports = options.chainPorts?.() ?? []
  const entries = (['egress', 'ingress'] as const).flatMap((direction) =>
    inOrderOf(policy, direction).flatMap((rule) =>
      partsOf(rule, subjects, options).flatMap((part) => entryOf(rule, part, { ports, problems })),
    ),
  )
  if (entries.length <= inspectionsMost) return entries
  problems.unsupported('/spec', `comes to more than ${inspectionsMost} inspections: what is asked and is about those behind does not pass`)
  const closing = (['egress', 'ingress'] as const).map((direction) => ({ source: '/spec', direction, action: 'deny' }) as const)
  return [...entries.slice(0, inspectionsMost - closing.length), ...closing]
}

const asks = ({ l7 }: CommonRule): boolean => l7 !== undefined

/**
 * Before the last that asks: what is tried out ends no looking, nor what is about some frames of a connection or about ports that each has
 * another number for. Those behind it, with the default, say of what has been asked whether it passes.
 */
function inOrderOf({ rules }: CommonPolicy, wanted: Direction): readonly CommonRule[] {
  const all = rules.filter(({ direction, audit }) => direction === wanted && audit !== true)
  const last = all.findLastIndex(asks)
  return last < 0 ? [] : all.filter((rule, i) => asks(rule) || isOfConnections(rule) || (i > last && rule.action === 'allow'))
}
const isOfConnections = ({ peerMac, etherType, vlan, families, transport = [] }: CommonRule): boolean =>
  [peerMac, etherType, vlan, families].every((each) => each === undefined) && !transport.some(isNamed)

interface Who {
  readonly ports: readonly ChainPort[]
  readonly problems: Problems
}

function entryOf({ source, direction, action, l7 }: CommonRule, { peers, transport }: Part, who: Who): readonly Inspection[] {
  const whom = peers === undefined ? {} : whomOf(peers, transport, who)
  if (whom === undefined) {
    const means = l7 === undefined ? 'ends no inspection' : 'is asked of anyone'
    who.problems.unsupported(`${source}/peers`, `comes to more than ${matchesMost} addresses with ports: it ${means}`)
    if (l7 === undefined) return []
  }
  const index = Number(source.slice(source.lastIndexOf('/') + 1))
  const place = Number.isNaN(index) ? {} : { index }
  return [
    {
      ...place,
      source,
      direction,
      action: action === 'allow' ? action : 'deny',
      ...whom,
      ...(transport && { transport: [...transport] }),
      ...(l7 && { l7 }),
    },
  ]
}

/** Undefined: too many. */
function whomOf(peers: PolicyPeers, transport: Part['transport'], { ports }: Who): Pick<Inspection, 'peers' | 'blocks'> | undefined {
  const named = ports.filter(({ identity }) => identity !== undefined && peers.identities.includes(identity))
  const blocks = [...new Set([...peers.blocks, ...named.flatMap(({ addresses }) => addresses.map(blockOf))])].sort()
  const most = Math.max(blocks.length, peers.identities.length + peers.blocks.length)
  return most * portsIn(transport) > matchesMost ? undefined : { peers, blocks }
}

/** The rules by which a connection is judged when it is begun. */
export function judgedAtOnce(policy: CommonPolicy): CommonPolicy {
  const rules = policy.rules.filter((rule) => !asks(rule) || rule.action === 'allow')
  return rules.length === policy.rules.length ? policy : { ...policy, rules }
}

/** Where nobody asks: what is let pass only if it says something does not, and what is refused if it does is not let pass. */
export function inspectedNowhere(policy: CommonPolicy, where: string, problems: Problems): CommonPolicy {
  if (!policy.rules.some(asks)) return policy
  for (const { source } of policy.rules.filter(asks)) problems.unsupported(`${source}/l7`, `is asked by nobody ${where}`)
  return { ...policy, rules: withoutL7(policy.rules, policy.onUnsupported === 'allow') }
}

/** @param opens what is not done is left out, whatever then passes */
export const withoutL7 = (rules: readonly CommonRule[], opens: boolean): readonly CommonRule[] =>
  rules.flatMap(({ l7, ...rule }) => (l7 === undefined || (rule.action === 'allow') === opens ? [rule] : []))
