// A port that policies judge: what it sends and what it is sent goes through the tiers, of a connection in its own conntrack zone. While
// its rules are not all here nothing passes.
import { unknown, world } from '../../kinds/policy/tiers.ts'
import type { LocalPort } from '../../node/wanted.ts'
import { resubmit, set, type Action } from '../openflow/actions.ts'
import { is, type Term } from '../openflow/flow.ts'
import type { flowsOf, SwitchItem } from '../items.ts'
import { ipv4, ipv6, ofPort } from '../match.ts'
import { owners } from '../registers.ts'
import { tables } from '../tables.ts'
import { markWith } from './traffic.ts'

const inwardBit = 2 ** owners.inward.from
const ingressBit = 2 ** owners.ingress.from

/** Of what a port sends and is sent, what is known together. */
export interface JudgedPart {
  /** Of its connections. */
  readonly zone: number
  readonly match: readonly Term[]
  /** Identity of whose address is not known: outside of all Subnets, or anybody's where there are none. */
  readonly nobody: number
}
/** In a sentence: what a closed port sends and is sent is counted by the flows that drop it. */
export const becauseJudged = ({ policy }: Pick<LocalPort, 'policy'>): string =>
  policy?.isClosed === true
    ? 'it is closed: rules that judge it are not here, or not all of them are done here'
    : 'policies judge what a port sends and is sent'

type Make = ReturnType<typeof flowsOf>
type JudgedPort = Pick<LocalPort, 'number' | 'policy'>

/** A port of a VNI. */
export const judgedPort = (flow: Make, port: JudgedPort): readonly SwitchItem[] =>
  judgedIn(flow, port, [{ zone: port.number, match: [], nobody: world }])

export function judgedIn(flow: Make, { number, policy }: JudgedPort, parts: readonly JudgedPart[]): readonly SwitchItem[] {
  if (policy === undefined) return []
  const sends = ofPort(number)
  const isSent = is(owners.out.field, number)
  if (policy.isClosed) return [flow('policyOut', 100, [sends], []), flow('policyIn', 100, [isSent], [])]
  const { identity: judged, traffic } = policy
  return parts.flatMap(({ zone, match, nobody }) => {
    const of = { zone, judged, nobody }
    const out = { ...of, place: 'policyOut', match: [sends, ...match], subject: zone, direction: 0, dscp: traffic?.dscp } as const
    const into = { ...of, place: 'policyIn', match: [isSent, ...match], subject: zone + inwardBit, direction: ingressBit } as const
    return [...judgedWay(flow, out), ...judgedWay(flow, into)]
  })
}

interface Way {
  readonly place: 'policyOut' | 'policyIn'
  readonly match: readonly Term[]
  readonly zone: number
  /** Whole of the register. */
  readonly subject: number
  readonly judged: number
  /** Where there is no connection to say it. */
  readonly direction: number
  readonly nobody: number
  /** Absent: it is not marked. */
  readonly dscp?: number | undefined
}

function judgedWay(flow: Make, way: Way): readonly SwitchItem[] {
  const { place, match, zone, subject, judged: identity, direction, nobody, dscp } = way
  const about = (more: number, peer: number): readonly Action[] => [
    set(owners.subject.field, subject),
    set(owners.judged.field, identity + more),
    set(owners.peer.field, peer),
    ...(dscp === undefined ? [] : [markWith(dscp)]),
  ]
  const track: Action = { do: 'ct', zone, table: tables.policyState.number }
  return [
    ...[ipv4, ipv6].map((family) => flow(place, 100, [...match, ...family], [...about(0, nobody), track])),
    // What is no IP has no addresses to know its other end by.
    flow(place, 90, match, [...about(direction, unknown), resubmit(tables.policyAdmin.number)]),
  ]
}
