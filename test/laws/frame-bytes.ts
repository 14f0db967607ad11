// Frames as bytes in hexadecimal digits, for the table of what a port may send. Checksums of ICMPv6 and UDP are left out: no switch minds
// them.
import { ipv6Value } from '../../core/pipeline/openflow/values.ts'

export const hex = (mac: string): string => mac.replaceAll(':', '')
const number = (value: number | bigint, bytes: number): string => value.toString(16).padStart(bytes * 2, '0')
const ip4 = (address: string): string =>
  address
    .split('.')
    .map((part) => number(Number(part), 1))
    .join('')
export const ip6 = (address: string): string => number(ipv6Value(address), 16)
const length = (text: string): number => text.length / 2

/** Who an Ethernet frame is from and to, and tags in front of its EtherType: `8100` and the VLAN, say. */
export interface Ends {
  readonly source: string
  readonly destination: string
  readonly tags?: readonly string[]
}
export const ethernet = ({ source, destination, tags = [] }: Ends, etherType: string, body: string): string =>
  `${hex(destination)}${hex(source)}${tags.join('')}${etherType}${body.padEnd(92, '0')}`

export interface Arp {
  readonly op: 1 | 2
  readonly mac: string
  readonly from: string
  readonly asks: string
}
export const arp = ({ op, mac, from, asks }: Arp, mark: string): string =>
  `000108000604000${op}${hex(mac)}${ip4(from)}${'00'.repeat(6)}${ip4(asks)}${mark}`

interface Ip4 {
  readonly from: string
  readonly to: string
  readonly proto: number
  /** Flags and offset. */
  readonly fragment?: number
  readonly options?: string
}
export function ipv4({ from, to, proto, fragment = 0, options = '' }: Ip4, body: string): string {
  const words = 5 + length(options) / 4
  const head = `4${words.toString(16)}00${number(words * 4 + length(body), 2)}0000${number(fragment, 2)}40${number(proto, 1)}0000${ip4(from)}${ip4(to)}${options}`
  let sum = 0
  for (let i = 0; i < head.length; i += 4) sum += Number.parseInt(head.slice(i, i + 4), 16)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return `${head.slice(0, 20)}${number(~sum & 0xffff, 2)}${head.slice(24)}${body}`
}

/** Extension headers of eight bytes each, the outermost first: type, and what stands behind its own next header. */
export type Extension = readonly [type: number, rest: string]
export const hopByHop: Extension = [0, '00050200000100']
export const destinationOptions: Extension = [60, '00010400000000']
export const fragment = (offsetAndMore: number): Extension => [44, `00${number(offsetAndMore, 2)}00000001`]

export function ipv6(
  {
    from,
    to,
    next,
    hops = 255,
    extensions = [],
  }: {
    readonly from: string
    readonly to: string
    readonly next: number
    readonly hops?: number
    readonly extensions?: readonly Extension[]
  },
  body: string,
): string {
  const types = [...extensions.map(([type]) => type), next]
  const whole = `${extensions.map(([, rest], i) => `${number(types[i + 1]!, 1)}${rest}`).join('')}${body}`
  return `60000000${number(length(whole), 2)}${number(types[0]!, 1)}${number(hops, 1)}${ip6(from)}${ip6(to)}${whole}`
}

export const udp = (from: number, to: number, mark: string): string =>
  `${number(from, 2)}${number(to, 2)}${number(8 + 20, 2)}0000${mark.padEnd(40, '0')}`
/** Of options of neighbour discovery: source or target link-layer address, nonce. */
export const linkOption = (type: 1 | 2, mac: string): string => `0${type}01${hex(mac)}`
export const nonceOption = '0e01a1b2c3d4e5f6'
/** Reserved bits carry the mark. */
export const neighbour = (type: 135 | 136, target: string, options: string, mark: string): string =>
  `${number(type, 1)}000000${mark}${ip6(target)}${options}`
export const icmp6 = (type: number, mark: string, rest = ''): string => `${number(type, 1)}000000${mark}${rest}`
