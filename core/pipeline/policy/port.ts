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

/** @param nobody identity of whose address is not known: outside of all Subnets, or anybody's where there are none */
export function judgedPort(
  flow: ReturnType<typeof flowsOf>,
  { number, policy }: Pick<LocalPort, 'number' | 'policy'>,
  nobody: number = world,
): readonly SwitchItem[] {
  if (policy === undefined) return []
  const sends = ofPort(number)
  const isSent = is(owners.out.field, number)
  if (policy.isClosed) return [flow('policyOut', 100, [sends], []), flow('policyIn', 100, [isSent], [])]
  const { identity, traffic } = policy
  const out = { place: 'policyOut', match: sends, subject: number, judged: identity, direction: 0, nobody, dscp: traffic?.dscp } as const
  const into = { place: 'policyIn', match: isSent, subject: number + inwardBit, judged: identity, direction: ingressBit, nobody } as const
  return [...judged(flow, number, out), ...judged(flow, number, into)]
}

interface Way {
  readonly place: 'policyOut' | 'policyIn'
  readonly match: Term
  /** Whole of the register. */
  readonly subject: number
  readonly judged: number
  /** Where there is no connection to say it. */
  readonly direction: number
  readonly nobody: number
  /** Absent: it is not marked. */
  readonly dscp?: number | undefined
}

function judged(flow: ReturnType<typeof flowsOf>, zone: number, way: Way): readonly SwitchItem[] {
  const { place, match, subject, judged: identity, direction, nobody, dscp } = way
  const about = (more: number, peer: number): readonly Action[] => [
    set(owners.subject.field, subject),
    set(owners.judged.field, identity + more),
    set(owners.peer.field, peer),
    ...(dscp === undefined ? [] : [markWith(dscp)]),
  ]
  const track: Action = { do: 'ct', zone, table: tables.policyState.number }
  return [
    ...[ipv4, ipv6].map((family) => flow(place, 100, [match, ...family], [...about(0, nobody), track])),
    // What is no IP has no addresses to know its other end by.
    flow(place, 90, [match], [...about(direction, unknown), resubmit(tables.policyAdmin.number)]),
  ]
}
