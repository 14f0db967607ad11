// What policies need on every node, whoever is on it: what is never judged, which end of a connection is which, and where a verdict leads.
import { tierNames } from '../../kinds/policy/tiers.ts'
import { bits, load, move, type Action, type Bits } from '../openflow/actions.ts'
import { ctIpv4Dst, ctIpv4Src, ctIpv6Dst, ctIpv6Src, ctState, ipDscp, ipProto, udpDst, udpSrc, type Field } from '../openflow/fields.ts'
import { is, isMasked, type Term } from '../openflow/flow.ts'
import type { flowsOf, SwitchItem } from '../items.ts'
import { arp, ipv4, ipv6, isBit, nd, ndTypes, to } from '../match.ts'
import { owners } from '../registers.ts'
import { places, type Table } from '../tables.ts'
import { nextOf, tierTables } from '../tiers.ts'
import { dscpBits, marked } from './traffic.ts'

type Make = ReturnType<typeof flowsOf>

/** Bits of ct_state (ovs-fields(7)). */
const states = { new: 1, reply: 8, invalid: 16, tracked: 32 } as const
/** RFC 2131 section 4.1, RFC 8415 section 7.2. */
const dhcp = { server: 67, client: 68 } as const
const dhcp6 = { server: 547, client: 546 } as const
const families = [
  { match: ipv4, src: ctIpv4Src, dst: ctIpv4Dst, asked: owners.asked4 },
  { match: ipv6, src: ctIpv6Src, dst: ctIpv6Dst, asked: owners.asked6 },
] as const

/** Of packets whose connection is known: only they have its first packet's fields. */
export const tracked: Term = isMasked(ctState, states.tracked, states.tracked + states.invalid)
/** Of packets whose connection is known, and not kept yet. */
export const trackedNew: Term = isMasked(ctState, states.tracked + states.new, states.tracked + states.invalid + states.new)
/** Of those whose connection is not kept yet. */
export const isNew: Term = isMasked(ctState, states.tracked + states.new, states.tracked + states.new)
/** Of those that go the one way or the other. */
export const trackedAs = ({ reply }: { readonly reply: boolean }): Term =>
  isMasked(ctState, states.tracked + (reply ? states.reply : 0), states.tracked + states.invalid + states.reply)

export function policyBase(flow: Make): readonly SwitchItem[] {
  return [
    ...neverJudged(flow, 'policyOut', { from: 'client', to: 'server' }),
    ...neverJudged(flow, 'policyIn', { from: 'server', to: 'client' }),
    flow('policyState', 100, [isMasked(ctState, states.tracked + states.invalid, states.tracked + states.invalid)], []),
    ...families.flatMap((family) => sidesOf(flow, family)),
    flow('policyPeer', 0, [], [to('policyAdmin')]),
    ...tierNames.map((tier) => flow(tierTables[tier], 0, [], [to(nextOf(tier))])),
    flow('policyBaseline', 65_535, [isBit(owners.decided, 1)], [to('policyVerdict')]),
    ...verdicts(flow),
    ...marks(flow),
  ]
}

/** Without these nobody finds anybody, nor gets an address. */
function neverJudged(
  flow: Make,
  place: 'policyOut' | 'policyIn',
  way: { readonly from: keyof typeof dhcp; readonly to: keyof typeof dhcp },
): readonly SwitchItem[] {
  const onward = [to(places[place])]
  const udp = (of: typeof dhcp | typeof dhcp6): readonly Term[] => [is(ipProto, 17), is(udpSrc, of[way.from]), is(udpDst, of[way.to])]
  return [
    flow(place, 200, arp, onward),
    ...(Object.keys(ndTypes) as (keyof typeof ndTypes)[]).map((type) => flow(place, 200, nd(type), onward)),
    flow(place, 200, [...ipv4, ...udp(dhcp)], onward),
    flow(place, 200, [...ipv6, ...udp(dhcp6)], onward),
  ]
}

interface Family {
  readonly match: readonly Term[]
  readonly src: Field
  readonly dst: Field
  readonly asked: Bits
}

/** A reply to the port is of a connection that went out from it; the other end of that is its destination. */
function sidesOf(flow: Make, { match, src, dst, asked }: Family): readonly SwitchItem[] {
  return [0, 1].flatMap((inward) =>
    [0, 1].map((reply) => {
      const isIngress = inward !== reply
      const state = trackedAs({ reply: reply === 1 })
      return flow(
        'policyState',
        50,
        [isBit(owners.inward, inward), state, ...match],
        [...(isIngress ? [load(owners.ingress, 1)] : []), move(bits(isIngress ? src : dst), asked), to('policyPeer')],
      )
    }),
  )
}

/** What is known of its connection is not known any more after it. */
export const kept: Action = { do: 'ct', commit: 'new', zone: owners.subject }

/** A connection is kept from its first packet on that may pass. What is no IP has none. */
function verdicts(flow: Make): readonly SwitchItem[] {
  return (
    [
      [0, places.policyOut],
      [1, places.policyIn],
    ] as const satisfies readonly (readonly [number, Table])[]
  ).flatMap(([inward, next]) => [
    ...[ipv4, ipv6].map((family) => flow('policyVerdict', 100, [isBit(owners.inward, inward), isNew, ...family], [kept, to(next)])),
    flow('policyVerdict', 50, [isBit(owners.inward, inward)], [to(next)]),
  ])
}

/** Written as it stands in the register: the bits beside it, of congestion (RFC 3168), stay as they are. */
const marks = (flow: Make): readonly SwitchItem[] =>
  [ipv4, ipv6].map((family) =>
    flow('mark', 100, [isBit(marked, 1), ...family], [move(dscpBits, bits(ipDscp, dscpBits.count)), to(places.mark)]),
  )
