// A VNI that has ports here: which nodes may tunnel into it, its gateways, which are the same everywhere and answered on the spot, and who
// gets what is sent to all.
import { vniLockName } from '../../net/names.ts'
import type { Because } from '../../node/because.ts'
import { broadcastLimit } from '../../node/broadcast.ts'
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
  vlanVid,
} from '../openflow/fields.ts'
import { backToSender, bits, move, output, resubmit, set, type Action } from '../openflow/actions.ts'
import { is, type Term } from '../openflow/flow.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import { doorName } from '../../net/router-name.ts'
import { portKey } from '../ovsdb/switch.ts'
import { flowsOf, meterItem, portItem, type SwitchItem } from '../items.ts'
import { echo4, echo6, icmp, icmp6, inVni, ipv4, ipv6, ofAny, to, toGroup } from '../match.ts'
import { cameFrom, owners, vniBits } from '../registers.ts'
import { numbers, type PipelineSettings } from '../settings.ts'
import { tables, type Table } from '../tables.ts'
import { ipv4Value, ipv6Value, macValue } from '../openflow/values.ts'
import { tunnelTo } from './endpoint.ts'
import { learningFlows } from './learning.ts'
import { neighbour } from './neighbour.ts'
import { broadcastMeter } from '../policy/meter-numbers.ts'
import { peersOfSegment } from '../policy/peer.ts'

const mac = macValue(gatewayMac)
const ttl = 64
const toPort = resubmit(tables.policyIn.number)

export function segmentFlows({ bridge, meters = true }: PipelineSettings, segment: Segment): readonly SwitchItem[] {
  const { vni, subnets, flood, hosts, peerHosts = [], router } = segment
  const of = { kind: 'SegmentLock', name: vniLockName(vni) } as const
  const gateways = [...new Set(subnets.flatMap(({ gateway }) => gateway ?? []))]
  const because = { rule: 'the gateway of a subnet of this VNI', of }
  return [
    ...[...new Set([...hosts, ...peerHosts])].map((host) =>
      tunnelFrom(bridge, { vni, host, next: flood && hosts.includes(host) ? 'learn' : 'forward' }, of),
    ),
    ...gateways.flatMap((address) => [
      neighbour(bridge, { vni, address, mac }, { feature: 'gateway', owner: vni, because }),
      flowsOf(bridge, { feature: 'gateway', owner: vni, because })(
        'ask',
        180,
        [inVni(vni), is(ethDst, mac), ...echoTo(address)],
        echoed(address),
      ),
    ]),
    ...(router === undefined
      ? []
      : routerFlows(bridge, { vni, number: router.number, because: { rule: 'the kernel routes this VNI', of } })),
    ...peersOfSegment(bridge, { vni, subnets }, { feature: 'policy', owner: vni, because: { rule: 'who in this VNI is not known', of } }),
    ...(flood
      ? [
          ...floodItems(bridge, segment, { isLimited: meters, because: { rule: 'this VNI carries broadcast and multicast', of } }),
          ...learningFlows(bridge, segment, { rule: 'who sends to this VNI says where its MAC is', of }),
        ]
      : []),
  ]
}

/** Keys of what has the door of a VNI open, in what was seen: it is of one device, and of none that has its name later. */
export const doorKeys = (vni: number, seen: ReadonlyMap<string, string>): readonly string[] =>
  [portKey(doorName(vni))].filter((key) => seen.has(key))

interface Routing {
  readonly vni: number
  readonly number: number
  readonly because: Because
}

/**
 * All that is for the gateway leaves by the router's port as it came, save pings of it: the kernel takes the hop off, and tells who has
 * none left. What comes back is for a MAC of the VNI.
 */
function routerFlows(bridge: string, { vni, number, because }: Routing): readonly SwitchItem[] {
  const flow = flowsOf(bridge, { feature: 'gateway', owner: vni, because })
  const rises: readonly Action[] = [set(owners.out.field, number), to('qos')]
  return [
    portItem({ bridge, name: doorName(vni), type: '', options: {}, number, vlan: undefined, uid: '' }, because),
    flow(
      'classify',
      100,
      [is(inPort, number), is(vlanVid, 0)],
      [set(owners.vni.field, vni), set(owners.source.field, cameFrom('tunnel')), to('forward')],
    ),
    ...[ipv4, ipv6].map((family) => flow('ask', 170, [inVni(vni), is(ethDst, mac), ...family], rises)),
  ]
}

/** Of a packet from any other address, or of a VNI that nobody here is in, nothing knows whose it is: classify drops it. */
function tunnelFrom(
  bridge: string,
  { vni, host, next }: { readonly vni: number; readonly host: string; readonly next: Table },
  of: Because['of'],
): SwitchItem {
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
    [set(owners.vni.field, vni), set(owners.source.field, cameFrom('tunnel')), to(next)],
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
  readonly isLimited: boolean
  readonly because: Because
}

/**
 * To each port here as what is sent to it alone is: policies judge it too. What is for a MAC that nobody is known to have goes to ports
 * that may have others beside their own. Whoever sent it gets nothing back: a switch never sends a packet out where it came in. What came
 * by a tunnel has been to all nodes, and within the limit of the one that sent it.
 */
function floodItems(
  bridge: string,
  { vni, hosts, numbers: local, loose = [] }: Segment,
  { isLimited, because }: Flooding,
): readonly SwitchItem[] {
  const flow = flowsOf(bridge, { feature: 'flood', owner: vni, because })
  const toPorts = (all: readonly number[]): readonly Action[] =>
    [...all].sort((a, b) => a - b).flatMap((number) => [set(owners.out.field, number), toPort])
  const there = [...hosts].sort().flatMap((host) => [tunnelTo(host), output(numbers.tunnel)])
  const toHosts = there.length === 0 ? [] : [move(vniBits, bits(tunId, 24)), ...there]
  const meter = isLimited && local.length > 0 ? broadcastMeter(Math.min(...local)) : undefined
  const within = meter === undefined ? [] : [{ do: 'meter', meter } as const]
  const { framesPerSecond: rate, burst } = broadcastLimit
  return [
    ...(meter === undefined ? [] : [meterItem(bridge, { id: meter, unit: 'pktps', bands: [{ rate, burst }] }, because)]),
    flow('flood', 110, [inVni(vni), ofAny('port'), toGroup], [...within, ...toPorts(local), ...toHosts]),
    flow('flood', 110, [inVni(vni), ofAny('tunnel'), toGroup], toPorts(local)),
    flow('flood', 100, [inVni(vni), ofAny('port')], [...within, ...toPorts(loose), ...toHosts]),
    flow('flood', 100, [inVni(vni), ofAny('tunnel')], toPorts(loose)),
  ]
}
