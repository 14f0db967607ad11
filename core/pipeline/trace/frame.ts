// A packet of a Port, or one that comes to it from another node, as ofproto/trace takes it: the flow syntax of ovs-ofctl(8).
import { parseIp } from '../../net/ip.ts'
import type { TracedFrame } from '../../node/traced.ts'
import { printMac } from '../openflow/values.ts'
import { numbers } from '../settings.ts'

type Packet = Exclude<TracedFrame, { readonly kind: 'who-has' }>

/** As Linux has it. */
const ttl = 64
/** Any of those that nobody listens at: RFC 6335 section 6. */
export const ephemeral = 49_152

export function traceFlow(number: number, mac: string, frame: TracedFrame): string {
  const isV6 = frame.to.includes(':')
  if (frame.kind === 'arrival') return [...arrivingFrom(frame), ...packetOf(frame, mac, isV6)].join(',')
  const payload = frame.kind === 'packet' ? packetOf(frame, frame.mac, isV6) : isV6 ? solicitationOf(mac, frame) : askOf(mac, frame)
  return [`in_port=${number}`, `dl_src=${mac}`, ...payload].join(',')
}

const arrivingFrom = ({ vni, host, mac }: Extract<TracedFrame, { readonly kind: 'arrival' }>): readonly string[] => [
  `in_port=${numbers.tunnel}`,
  `tun_id=${vni}`,
  `tun_src=${host}`,
  `dl_src=${mac}`,
]

/** RFC 826. */
const askOf = (mac: string, { from, to }: TracedFrame): string[] => [
  'dl_dst=ff:ff:ff:ff:ff:ff',
  'arp',
  'arp_op=1',
  `arp_spa=${from}`,
  `arp_tpa=${to}`,
  `arp_sha=${mac}`,
]

/** RFC 4861 section 4.3, to the solicited-node address (RFC 4291 section 2.7.1) and its MAC (RFC 2464 section 7). */
function solicitationOf(mac: string, { from, to }: TracedFrame): string[] {
  const low = Number((parseIp(to)?.value ?? 0n) & 0xffffffn)
  const [high, rest] = [low >>> 16, low & 0xffff]
  return [
    `dl_dst=${printMac(0x3333_ff00_0000 + low)}`,
    'icmp6',
    `ipv6_src=${from}`,
    `ipv6_dst=ff02::1:${(0xff00 | high).toString(16)}:${rest.toString(16)}`,
    'nw_ttl=255',
    'icmpv6_type=135',
    'icmpv6_code=0',
    `nd_target=${to}`,
    `nd_sll=${mac}`,
  ]
}

/**
 * What connection tracking would say of it in each zone that it comes through: that its connection is known. What is traced is tracked
 * nowhere, and of a new connection the trace forgets the addresses where it is kept; to the rules of policies both are one.
 */
export const traceOptions: readonly string[] = ['--ct-next', 'trk,est', '--ct-next', 'trk,est']

/** @param mac that it goes to */
function packetOf(packet: Packet, mac: string, isV6: boolean): string[] {
  return [...trackedAs(packet, isV6), `dl_dst=${mac}`, ...plainPacketOf(packet, isV6)]
}

/** RFC 792, RFC 4443: an echo request. In ICMP type and code stand where ports would. */
function trackedAs({ from, to, protocol, l4Port = 0 }: Packet, isV6: boolean): string[] {
  const ip = isV6 ? 'ipv6' : 'nw'
  const [number, src, dst] = { tcp: [6, ephemeral, l4Port], udp: [17, ephemeral, l4Port], icmp: isV6 ? [58, 128, 0] : [1, 8, 0] }[
    protocol
  ] as [number, number, number]
  return ['ct_state=trk|est', `ct_${ip}_src=${from}`, `ct_${ip}_dst=${to}`, `ct_nw_proto=${number}`, `ct_tp_src=${src}`, `ct_tp_dst=${dst}`]
}

function plainPacketOf({ from, to, protocol, l4Port }: Packet, isV6: boolean): string[] {
  const ends = isV6 ? [`ipv6_src=${from}`, `ipv6_dst=${to}`] : [`nw_src=${from}`, `nw_dst=${to}`]
  const ip = [isV6 ? `${protocol}6` : protocol, ...ends, `nw_ttl=${ttl}`]
  if (protocol === 'icmp') return [...ip, ...(isV6 ? ['icmpv6_type=128', 'icmpv6_code=0'] : ['icmp_type=8', 'icmp_code=0'])]
  return [...ip, `${protocol}_src=${ephemeral}`, `${protocol}_dst=${l4Port ?? 0}`, ...(protocol === 'tcp' ? ['tcp_flags=syn'] : [])]
}
