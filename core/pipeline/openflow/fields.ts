// The header and metadata fields that flows match and change: name, OXM header and width. Sources: OpenFlow 1.4 section 7.2.3.7 and
// ovs-fields(7) of Open vSwitch 3.1.
import { connectionStates, fragments, tcpFlagNames, type Words } from './named-bits.ts'

export type Show = 'number' | 'hex' | 'mac' | 'ipv4' | 'ipv6'

export interface Field {
  /** As Open vSwitch writes it. */
  readonly name: string
  /** Class (16 bits), field (7 bits), mask bit clear, length (8 bits). */
  readonly header: number
  readonly bytes: number
  readonly show: Show
  /** Names of its bits, where it is matched by them. */
  readonly words?: Words
  /** How many bits of its bytes mean something: a mask of all of them is none. */
  readonly bits: number
  /** Place in a match: what others presuppose comes first (OpenFlow 1.4 section 7.2.3.8). */
  readonly order: number
}

const all: Field[] = []
const basic = 0x8000
const nicira = 0x0001
const packetRegister = 0x8001
const ericsson = 0x1000

type How = Show | { readonly show: Show; readonly bits: number; readonly words?: Words }

function field(name: string, [oxmClass, id]: readonly [number, number], bytes: number, how: How): Field {
  const spelling = typeof how === 'string' ? { show: how, bits: bytes * 8 } : how
  const made = { name, header: oxmClass * 65_536 + id * 512 + bytes, bytes, ...spelling, order: all.length }
  all.push(made)
  return made
}

/** Numbered registers of 32 bits; registers.ts says who owns which bit. */
export const registers: readonly Field[] = Array.from({ length: 16 }, (_, i) => field(`reg${i}`, [nicira, i], 4, 'hex'))
/** The same in pairs, 64 bits: xreg3 is reg6 and reg7. */
export const doubleRegisters: readonly Field[] = Array.from({ length: 8 }, (_, i) => field(`xreg${i}`, [packetRegister, i], 8, 'hex'))
/** The same in fours, 128 bits: xxreg2 is reg8 to reg11. */
export const quadRegisters: readonly Field[] = Array.from({ length: 4 }, (_, i) => field(`xxreg${i}`, [nicira, 111 + i], 16, 'ipv6'))

/** Of the conjunction that matched: what it does stands in a flow of its own. */
export const conjId = field('conj_id', [nicira, 37], 4, 'number')
/** Handed from table to table; exact to 53 bits here. */
export const metadata = field('metadata', [basic, 2], 8, 'hex')
export const inPort = field('in_port', [basic, 0], 4, 'number')
export const tunId = field('tun_id', [basic, 38], 8, 'hex')
export const tunSrc = field('tun_src', [nicira, 31], 4, 'ipv4')
export const tunDst = field('tun_dst', [nicira, 32], 4, 'ipv4')
export const tunIpv6Src = field('tun_ipv6_src', [nicira, 109], 16, 'ipv6')
export const tunIpv6Dst = field('tun_ipv6_dst', [nicira, 110], 16, 'ipv6')
export const pktMark = field('pkt_mark', [nicira, 33], 4, 'hex')
export const ctState = field('ct_state', [nicira, 105], 4, { show: 'hex', bits: 32, words: connectionStates })
export const ctZone = field('ct_zone', [nicira, 106], 2, 'number')
export const ctMark = field('ct_mark', [nicira, 107], 4, 'hex')
export const ctLabel = field('ct_label', [nicira, 108], 16, 'hex')
export const ethDst = field('eth_dst', [basic, 3], 6, 'mac')
export const ethSrc = field('eth_src', [basic, 4], 6, 'mac')
export const ethType = field('eth_type', [basic, 5], 2, 'hex')
/** 0: no tag; with a tag, 0x1000 and the VLAN id. */
export const vlanVid = field('vlan_vid', [basic, 6], 2, 'hex')
/** In `vlan_vid`, beside the VLAN's number. */
export const tagPresent = 0x1000
export const vlanPcp = field('vlan_pcp', [basic, 7], 1, { show: 'number', bits: 3 })
export const ipDscp = field('ip_dscp', [basic, 8], 1, { show: 'number', bits: 6 })
export const ipEcn = field('ip_ecn', [basic, 9], 1, { show: 'number', bits: 2 })
export const ipFrag = field('ip_frag', [nicira, 26], 1, { show: 'number', bits: 2, words: fragments })
export const ipProto = field('ip_proto', [basic, 10], 1, 'number')
export const ipTtl = field('ip_ttl', [nicira, 29], 1, 'number')
export const ipv4Src = field('ipv4_src', [basic, 11], 4, 'ipv4')
export const ipv4Dst = field('ipv4_dst', [basic, 12], 4, 'ipv4')
export const ipv6Src = field('ipv6_src', [basic, 26], 16, 'ipv6')
export const ipv6Dst = field('ipv6_dst', [basic, 27], 16, 'ipv6')
export const ipv6Label = field('ipv6_label', [basic, 28], 4, { show: 'hex', bits: 20 })
/** Of the connection's first packet, whichever way this one goes. */
export const ctProto = field('ct_nw_proto', [nicira, 119], 1, 'number')
export const ctIpv4Src = field('ct_nw_src', [nicira, 120], 4, 'ipv4')
export const ctIpv4Dst = field('ct_nw_dst', [nicira, 121], 4, 'ipv4')
export const ctIpv6Src = field('ct_ipv6_src', [nicira, 122], 16, 'ipv6')
export const ctIpv6Dst = field('ct_ipv6_dst', [nicira, 123], 16, 'ipv6')
export const ctL4Src = field('ct_tp_src', [nicira, 124], 2, 'number')
export const ctL4Dst = field('ct_tp_dst', [nicira, 125], 2, 'number')
export const tcpSrc = field('tcp_src', [basic, 13], 2, 'number')
export const tcpDst = field('tcp_dst', [basic, 14], 2, 'number')
export const udpSrc = field('udp_src', [basic, 15], 2, 'number')
export const udpDst = field('udp_dst', [basic, 16], 2, 'number')
export const tcpFlags = field('tcp_flags', [nicira, 34], 2, { show: 'hex', bits: 12, words: tcpFlagNames })
export const sctpSrc = field('sctp_src', [basic, 17], 2, 'number')
export const sctpDst = field('sctp_dst', [basic, 18], 2, 'number')
export const icmpType = field('icmpv4_type', [basic, 19], 1, 'number')
export const icmpCode = field('icmpv4_code', [basic, 20], 1, 'number')
export const icmp6Type = field('icmpv6_type', [basic, 29], 1, 'number')
export const icmp6Code = field('icmpv6_code', [basic, 30], 1, 'number')
export const ndTarget = field('nd_target', [basic, 31], 16, 'ipv6')
export const ndSll = field('nd_sll', [basic, 32], 6, 'mac')
export const ndTll = field('nd_tll', [basic, 33], 6, 'mac')
export const ndReserved = field('nd_reserved', [ericsson, 1], 4, 'hex')
export const ndOptionsType = field('nd_options_type', [ericsson, 2], 1, 'number')
export const arpOp = field('arp_op', [basic, 21], 2, 'number')
export const arpSpa = field('arp_spa', [basic, 22], 4, 'ipv4')
export const arpTpa = field('arp_tpa', [basic, 23], 4, 'ipv4')
export const arpSha = field('arp_sha', [basic, 24], 6, 'mac')
export const arpTha = field('arp_tha', [basic, 25], 6, 'mac')

export const fields: readonly Field[] = all
export const fieldByName: ReadonlyMap<string, Field> = new Map(all.map((each) => [each.name, each]))

/** Nicira's older headers, which Open vSwitch goes on using for what is moved (nicira-ext.h). */
const older: readonly (readonly [Field, readonly [oxmClass: number, id: number]])[] = [
  [ethDst, [0, 1]],
  [ethSrc, [0, 2]],
  [ethType, [0, 3]],
  [ipProto, [0, 6]],
  [ipv4Src, [0, 7]],
  [ipv4Dst, [0, 8]],
  [tcpSrc, [0, 9]],
  [tcpDst, [0, 10]],
  [udpSrc, [0, 11]],
  [udpDst, [0, 12]],
  [icmpType, [0, 13]],
  [icmpCode, [0, 14]],
  [arpOp, [0, 15]],
  [arpSpa, [0, 16]],
  [arpTpa, [0, 17]],
  [tunId, [1, 16]],
  [arpSha, [1, 17]],
  [arpTha, [1, 18]],
  [ipv6Src, [1, 19]],
  [ipv6Dst, [1, 20]],
  [icmp6Type, [1, 21]],
  [icmp6Code, [1, 22]],
  [ndTarget, [1, 23]],
  [ndSll, [1, 24]],
  [ndTll, [1, 25]],
  // OpenFlow 1.5's own.
  [tcpFlags, [basic, 42]],
]
export const fieldByHeader: ReadonlyMap<number, Field> = new Map([
  ...all.map((each) => [each.header, each] as const),
  ...older.map(([each, [oxmClass, id]]) => [oxmClass * 65_536 + id * 512 + each.bytes, each] as const),
])
