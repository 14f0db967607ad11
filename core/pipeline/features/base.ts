// The pipeline as it is before anybody is on it: what is asked, answered and passed on for all.
import {
  arpOp,
  arpSha,
  arpSpa,
  arpTha,
  arpTpa,
  ethDst,
  ethSrc,
  icmp6Type,
  ipTtl,
  ipv4Dst,
  ipv6Dst,
  ipv6Src,
  ndOptionsType,
  ndReserved,
  ndTarget,
  ndTll,
  tunId,
} from '../openflow/fields.ts'
import { backToSender, bits, load, move, output, resubmit, set, type Action } from '../openflow/actions.ts'
import { is, isMasked } from '../openflow/flow.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import { flowsOf, type SwitchItem } from '../items.ts'
import { arp, arpRequest, isBit, ipv4, ipv6, nd, ndTypes, to, toGroup } from '../match.ts'
import { owners, vniBits } from '../registers.ts'
import { numbers, type PipelineSettings } from '../settings.ts'
import { places, tables } from '../tables.ts'
import { macValue } from '../openflow/values.ts'
import { chainBase } from '../chains/base.ts'
import { inspectionBase } from '../inspections/stage.ts'
import { guardBase } from './guard.ts'
import { learningBase } from './learning.ts'
import { policyBase } from '../policy/base.ts'

const gateway = macValue(gatewayMac)
const { routed, learnt, out, asked4, asked6, found } = owners

/** Back by where it came from, from the MAC that was found. */
const replied: readonly Action[] = [move(bits(ethSrc), bits(ethDst)), move(found, bits(ethSrc))]

export function baseFlows({ bridge, node }: PipelineSettings): readonly SwitchItem[] {
  const because = { rule: 'every node has this much of the pipeline', of: { kind: 'Node', name: node } } as const
  const flow = flowsOf(bridge, { feature: 'base', because })
  const solicited = (flags: number): Action[] => [
    ...replied,
    // The option says whose MAC it is: from now on the target's (RFC 4861 section 4.6.1).
    set(ndOptionsType, 2),
    set(ndReserved, flags),
    move(bits(ipv6Src), bits(ipv6Dst)),
    move(bits(ndTarget), bits(ipv6Src)),
    set(icmp6Type, ndTypes.advertisement),
    set(ipTtl, 255),
    to('advertise'),
  ]
  const route = (field: typeof ipv4Dst, request: typeof asked4 | typeof asked6): Action[] => [
    load(routed, 1),
    { do: 'decTtl' },
    move(bits(field), request),
    to('neighbour'),
  ]
  return [
    ...guardBase(flow, 'policyOut'),
    ...chainBase(flowsOf(bridge, { feature: 'chain', because })),
    ...inspectionBase(flowsOf(bridge, { feature: 'inspection', because })),
    ...learningBase(flow),
    ...policyBase(flowsOf(bridge, { feature: 'policy', because })),
    ...Object.entries(places).map(([place, next]) => flow(place as keyof typeof places, 0, [], [to(next)])),
    flow('ask', 200, arpRequest, [move(bits(arpTpa), asked4), to('neighbour')]),
    flow('ask', 200, nd('solicitation'), [move(bits(ndTarget), asked6), to('neighbour')]),
    flow('ask', 150, [is(ethDst, gateway), ...ipv4], route(ipv4Dst, asked4)),
    flow('ask', 150, [is(ethDst, gateway), ...ipv6], route(ipv6Dst, asked6)),
    flow('ask', 0, [], [to('forward')]),
    flow('neighbour', 0, [], [to('forward')]),
    flow('answer', 100, arp, [
      ...replied,
      set(arpOp, 2),
      move(bits(arpSha), bits(arpTha)),
      move(found, bits(arpSha)),
      move(bits(arpSpa), bits(arpTpa)),
      move(asked4, bits(arpSpa)),
      output(backToSender),
    ]),
    // RFC 4861 section 4.4: solicited and override; a gateway is also a router.
    flow('answer', 100, nd('solicitation'), solicited(0x60000000)),
    flow('answer', 110, [is(found.field, gateway), ...nd('solicitation')], solicited(0xe0000000)),
    // Open vSwitch knows the target's MAC of advertisements only, so the packet has to be one before it can be set.
    flow('advertise', 100, nd('advertisement'), [move(found, bits(ndTll)), output(backToSender)]),
    flow('answer', 50, [], [set(ethSrc, gateway), move(found, bits(ethDst)), to('forward')]),
    // Only the addresses in the table neighbour are behind the gateway.
    flow('forward', 200, [is(ethDst, gateway)], []),
    flow('forward', 110, [toGroup], [to('flood')]),
    flow('forward', 10, [isMasked(routed.field, 0, 2 ** routed.from)], [resubmit(tables.learnt.number), to('flood')]),
    flow('flood', 120, [isBit(learnt, 1)], [to('policyIn')]),
    flow('output', 100, [is(out.field, numbers.tunnel)], [move(vniBits, bits(tunId, 24)), output(numbers.tunnel)]),
    flow('output', 0, [], [{ do: 'outputTo', of: out }]),
  ]
}
