// A VNI that has ports here: which nodes may tunnel into it, its gateways, which are the same everywhere and answered on the spot, and who
// gets what is sent to all.
import { vniLockName } from '../../net/names.ts'
import type { Because } from '../../node/because.ts'
import type { Segment } from '../../node/wanted.ts'
import {
  ethDst,
  ethSrc,
  icmp6Type,
  icmpType,
  inPort,
  ipTtl,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  tunId,
  tunIpv6Src,
  tunSrc,
} from '../openflow/fields.ts'
import { backToSender, bits, move, output, resubmit, set, type Action } from '../openflow/actions.ts'
import { is, type Term } from '../openflow/flow.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import { flowsOf, type SwitchItem } from '../items.ts'
import { echo4, echo6, icmp, icmp6, inVni, ipv4, ipv6, ofAny, to } from '../match.ts'
import { cameFrom, owners, vniBits } from '../registers.ts'
import { numbers } from '../settings.ts'
import { tables } from '../tables.ts'
import { ipv4Value, ipv6Value, macValue } from '../openflow/values.ts'
import { tunnelTo } from './endpoint.ts'
import { neighbour } from './neighbour.ts'
import { peersOfSegment } from '../policy/peer.ts'

const mac = macValue(gatewayMac)
const ttl = 64
const toPort = resubmit(tables.policyIn.number)

export function segmentFlows(bridge: string, { vni, subnets, flood, hosts, numbers: local }: Segment): readonly SwitchItem[] {
  const of = { kind: 'SegmentLock', name: vniLockName(vni) } as const
  const gateways = [...new Set(subnets.flatMap(({ gateway }) => gateway ?? []))]
  const because = { rule: 'the gateway of a subnet of this VNI', of }
  return [
    ...hosts.map((host) => tunnelFrom(bridge, vni, host, of)),
    ...gateways.flatMap((address) => [
      neighbour(bridge, { vni, address, mac }, { feature: 'gateway', owner: vni, because }),
      flowsOf(bridge, { feature: 'gateway', owner: vni, because })(
        'ask',
        180,
        [inVni(vni), is(ethDst, mac), ...echoTo(address)],
        echoed(address),
      ),
    ]),
    ...peersOfSegment(bridge, { vni, subnets }, { feature: 'policy', owner: vni, because: { rule: 'who in this VNI is not known', of } }),
    ...(flood ? floodFlows(bridge, { vni, hosts, local, because: { rule: 'this VNI carries broadcast and multicast', of } }) : []),
  ]
}

/** Of a packet from any other address, or of a VNI that nobody here is in, nothing knows whose it is: classify drops it. */
function tunnelFrom(bridge: string, vni: number, host: string, of: Because['of']): SwitchItem {
  const source = host.includes(':') ? is(tunIpv6Src, ipv6Value(host)) : is(tunSrc, ipv4Value(host))
  const flow = flowsOf(bridge, {
    feature: 'classify',
    owner: vni,
    because: { rule: 'a node that has an address in this VNI tunnels into it', of },
  })
  return flow(
    'classify',
    100,
    [is(inPort, numbers.tunnel), is(tunId, vni), source],
    [set(owners.vni.field, vni), set(owners.source.field, cameFrom('tunnel')), to('forward')],
  )
}

const echoTo = (address: string): readonly Term[] =>
  address.includes(':')
    ? [...ipv6, icmp6, is(ipv6Dst, ipv6Value(address)), ...echo6]
    : [...ipv4, icmp, is(ipv4Dst, ipv4Value(address)), ...echo4]

/** The same packet back, as the gateway's answer (RFC 792, RFC 4443 section 4.2). */
function echoed(address: string): readonly Action[] {
  const ip = address.includes(':')
    ? [move(bits(ipv6Src), bits(ipv6Dst)), set(ipv6Src, ipv6Value(address)), set(icmp6Type, 129)]
    : [move(bits(ipv4Src), bits(ipv4Dst)), set(ipv4Src, ipv4Value(address)), set(icmpType, 0)]
  return [move(bits(ethSrc), bits(ethDst)), set(ethSrc, mac), ...ip, set(ipTtl, ttl), output(backToSender)]
}

interface Flooding {
  readonly vni: number
  readonly hosts: readonly string[]
  readonly local: readonly number[]
  readonly because: { readonly rule: string; readonly of: { readonly kind: 'SegmentLock'; readonly name: string } }
}

/**
 * To each port here as what is sent to it alone is: policies judge it too. Whoever sent it gets nothing back: a switch never sends a packet
 * out where it came in. What came by a tunnel has been to all nodes.
 */
function floodFlows(bridge: string, { vni, hosts, local, because }: Flooding): readonly SwitchItem[] {
  const flow = flowsOf(bridge, { feature: 'flood', owner: vni, because })
  const here = [...local].sort((a, b) => a - b).flatMap((number) => [set(owners.out.field, number), toPort])
  const there = [...hosts].sort().flatMap((host) => [tunnelTo(host), output(numbers.tunnel)])
  return [
    flow('flood', 100, [inVni(vni), ofAny('port')], [...here, ...(there.length === 0 ? [] : [move(vniBits, bits(tunId, 24)), ...there])]),
    flow('flood', 100, [inVni(vni), ofAny('tunnel')], here),
  ]
}
