// The inspector of a VNI and a direction. What a subject sends and is sent in a connection of which something is asked goes to it, once
// its policies have let it pass: both ways, by what connection tracking says of the connection. From the inspector comes what is the
// subject's, and what is for it: either goes on as if no inspector were there, judged again, and is not asked again. Nothing else does.
// Which of the two it is its source port says: the inspector's own connections are from ports that no rule inspects.
import type { Inspection } from '../../kinds/policy/compiled/inspection.ts'
import { policyText, ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
import { protocolNumbers } from '../../kinds/policy/protocols.ts'
import { unknown } from '../../kinds/policy/tiers.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import type { Because } from '../../node/because.ts'
import { inspectorMac, inspectorName, inspectorPorts, type InspectedDirection } from '../../node/inspectors/names.ts'
import type { LocalPort, RuleSet } from '../../node/wanted.ts'
import { familyOf, isSubject } from '../chains/classifier.ts'
import { flowsOf, portItem, type SwitchItem } from '../items.ts'
import { inVni, ipv4, ipv6, ofPort, to, withinPorts } from '../match.ts'
import { load, set, type Action } from '../openflow/actions.ts'
import { ctL4Dst, ctProto, ctState, ethDst, ethSrc, ethType, inPort, ipProto, tcpSrc, vlanVid } from '../openflow/fields.ts'
import { is, isMasked, type Term } from '../openflow/flow.ts'
import { macValue } from '../openflow/values.ts'
import { kept, tracked, trackedNew } from '../policy/base.ts'
import { inOrder } from '../policy/clauses.ts'
import { askedIn } from '../policy/peer.ts'
import { cameFrom, owners } from '../registers.ts'
import { ruleId } from '../rule-owner.ts'
import { tables } from '../tables.ts'
import { directions, isAsked, isOf, passes, putInspected } from './stage.ts'

export type InspectedPort = Pick<LocalPort, 'uid' | 'number' | 'mac' | 'addresses'>

/** A rule set that asks something in this direction, and whom it asks here. */
export interface InspectedSet {
  readonly set: RuleSet
  readonly ports: readonly InspectedPort[]
}

export interface InspectorOnSwitch {
  readonly vni: number
  readonly direction: InspectedDirection
  /** Of its port there; absent: there are more of them than numbers, and what it would be asked is dropped. */
  readonly number?: number
  readonly sets: readonly InspectedSet[]
}

type Make = ReturnType<typeof flowsOf>
type Match = readonly Term[]

const { tcp } = protocolNumbers
const isTcp = is(ipProto, tcp)
const gateway = macValue(gatewayMac)
const wholeZone = 0xffff
/** Before its connection is kept: then nothing of it is known any more. */
const before = 200
const entryPriority = 60_000

export function inspectorItems(bridge: string, inspector: InspectorOnSwitch): readonly SwitchItem[] {
  const { vni, direction, number, sets } = inspector
  const [first] = sets
  if (first === undefined) return []
  const because = becauseOf(first.set)
  const flow = flowsOf(bridge, { feature: 'inspection', because })
  const port =
    number === undefined
      ? []
      : [
          portItem({ bridge, name: inspectorName(vni, direction), type: '', options: {}, number, vlan: undefined, uid: '' }, because),
          flow('classify', 100, [is(inPort, number), is(vlanVid, 0)], [set(owners.vni.field, vni), ...isFrom(number), to('guard')]),
        ]
  return [...port, ...sets.flatMap((each) => [...subjectsFlows(bridge, inspector, each), ...entriesFlows(bridge, inspector, each.set)])]
}

/** What is asked about is so before it may pass, and until it may not. */
export function isInspecting(key: string): boolean {
  const [kind, , table = '', priority = ''] = key.split('/')
  return kind === 'flow' && (table === inspectTable || (table === verdictTable && priority === String(before)))
}
const [inspectTable, verdictTable] = [String(tables.inspect.number), String(tables.policyVerdict.number)]

const becauseOf = (ruleSet: RuleSet): Because => ({
  rule: `what is said in connections is asked by ${policyText(ruleSet)}`,
  of: { kind: 'PolicyRuleSet', namespace: ruleSet.namespace, name: ruleSetName(ruleSet) },
})

const isFrom = (number: number): readonly Action[] => [set(owners.source.field, cameFrom('port', number))]

/** Of a set in a direction, as its flows ask for it. */
const idOf = ({ number }: RuleSet, direction: InspectedDirection): number => ruleId(number, directions.indexOf(direction))

function subjectsFlows(
  bridge: string,
  { direction, number }: InspectorOnSwitch,
  { set: ruleSet, ports }: InspectedSet,
): readonly SwitchItem[] {
  const id = idOf(ruleSet, direction)
  const flow = flowsOf(bridge, { feature: 'inspection', owner: id, because: becauseOf(ruleSet) })
  return ports.flatMap((port) => [
    ...[0, 1].flatMap((inward) =>
      [ipv4, ipv6].map((family) =>
        flow(
          'policyVerdict',
          before,
          inOrder([...family, ...isJudged(port.number, inward), isOf(direction), isAsked(direction), tracked, isTcp]),
          [load(owners.part, id), to('inspect')],
        ),
      ),
    ),
    ...(number === undefined ? [] : port.addresses.flatMap((address) => againFlows(flow, { port, address, direction, number }))),
  ])
}

/** Zone and way of whom policies have judged last. */
const isJudged = (zone: number, inward: number): Match => [
  isMasked(owners.subject.field, zone + inward * 2 ** owners.inward.from, wholeZone + 2 ** owners.inward.from),
]

interface Again {
  readonly port: InspectedPort
  readonly address: string
  readonly direction: InspectedDirection
  readonly number: number
}

/** What the inspector has begun anew goes on from the client, what it answers back to it. */
function againFlows(flow: Make, { port, address, direction, number }: Again): readonly SwitchItem[] {
  const { first, last } = inspectorPorts[direction]
  const me = [ofPort(number), ...familyOf(address).match, isTcp]
  const mac = macValue(port.mac)
  const sends: readonly Action[] = [
    set(ethSrc, mac),
    set(ethDst, gateway),
    ...isFrom(port.number),
    putInspected(direction),
    to('policyOut'),
  ]
  const isSent: readonly Action[] = [
    set(ethSrc, gateway),
    set(ethDst, mac),
    set(owners.out.field, port.number),
    putInspected(direction),
    to('policyIn'),
  ]
  const [own, others]: readonly [Match, Match] = [isSubject('from', address).slice(1), isSubject('to', address).slice(1)]
  const isEgress = direction === 'egress'
  return [
    ...withinPorts(tcpSrc, first, last).map((terms) =>
      flow('guard', 120, inOrder([...me, ...(isEgress ? own : others), ...terms]), isEgress ? sends : isSent),
    ),
    flow('guard', 110, inOrder([...me, ...(isEgress ? others : own)]), isEgress ? isSent : sends),
  ]
}

/** In order: the first that is about a connection says whether anything is asked of it. */
function entriesFlows(bridge: string, { vni, direction, number }: InspectorOnSwitch, ruleSet: RuleSet): readonly SwitchItem[] {
  const id = idOf(ruleSet, direction)
  const flow = flowsOf(bridge, { feature: 'inspection', owner: id, because: becauseOf(ruleSet) })
  const taken: readonly Action[] =
    number === undefined ? [] : [set(ethDst, macValue(inspectorMac)), load(owners.part, 0), set(owners.out.field, number), to('output')]
  const known = new Set<string>()
  const entries = (ruleSet.inspections ?? []).filter((entry) => entry.direction === direction)
  return entries
    .slice(0, entries.findLastIndex(({ l7 }) => l7 !== undefined) + 1)
    .flatMap((entry, i) => {
      const priority = entryPriority - 2 * i
      const make = (state: Term, more: number, actions: readonly Action[]) => (match: Match) =>
        flow('inspect', priority + more, inOrder([inVni(vni), is(owners.part.field, id), state, ...match]), actions)
      if (entry.l7 === undefined) return matchesOf(entry).map(make(tracked, 0, passes(direction)))
      const matches = matchesOf(entry)
      return [...matches.map(make(tracked, 0, taken)), ...matches.flatMap(inFamilies).map(make(trackedNew, 1, [...keptFirst(taken)]))]
    })
    .filter(({ key }) => !known.has(key) && known.add(key))
}

/** Of what goes nowhere nothing is kept. */
const keptFirst = (taken: readonly Action[]): readonly Action[] => (taken.length === 0 ? [] : [kept, ...taken])
/** Only of IP a connection is kept. */
const inFamilies = (match: Match): readonly Match[] =>
  match.some(({ field }) => field === ethType) ? [match] : [ipv4, ipv6].map((family) => [...family, ...match])

/** Each of which is enough; of the other end by what is known of it now. Of who is not known something is asked, if it is of anybody. */
function matchesOf({ peers, transport, l7 }: Inspection): readonly Match[] {
  const identities =
    peers === undefined || peers.identities.length === 0 || l7 === undefined ? peers?.identities : [...peers.identities, unknown]
  const whom = peers === undefined ? [[]] : [...(identities ?? []).map((identity) => [is(owners.peer.field, identity)]), ...inBlocks(peers)]
  return whom.flatMap((match) => transportOf(transport).map((terms) => [...match, ...terms]))
}

const inBlocks = ({ blocks }: NonNullable<Inspection['peers']>): readonly Match[] =>
  blocks.flatMap((block) => {
    const match = askedIn(block)
    return match === undefined ? [] : [match.filter(({ field }) => field !== ctState)]
  })

/** Nothing but TCP is asked about. */
function transportOf(transport: Inspection['transport']): readonly Match[] {
  if (transport === undefined) return [[]]
  return transport
    .filter(({ protocol }) => protocol === tcp)
    .flatMap(({ first, last }) =>
      first === undefined ? [[]] : withinPorts(ctL4Dst, first, last).map((terms) => [is(ctProto, tcp), ...terms]),
    )
}
