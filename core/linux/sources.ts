// Which sources a port may send from, as (MAC, block): no block inside another of the same MAC, as sets of intervals want it.
import { contains, parseCidr, printCidr, type Cidr } from '../net/cidr.ts'
import { parseIp, printIp } from '../net/ip.ts'
import type { LocalPort } from '../node/wanted.ts'

export interface Source {
  readonly mac: string
  /** Always with its length: `10.0.0.5/32`. */
  readonly block: string
}

const unspecified: Readonly<Record<4 | 6, string>> = { 4: '0.0.0.0', 6: '::' }

/**
 * Its own addresses, those it is allowed besides, and with IPv6 the link-local address of its MAC (RFC 4291 appendix A). And of each MAC
 * the unspecified address, as
 * whoever probes for an address speaks from it (RFC 5227, RFC 4862): the guard lets ARP and ICMPv6 alone have it.
 */
export function sourcesOf({ mac, addresses, allowedAddressPairs }: LocalPort): readonly Source[] {
  const all = [
    ...addresses.map((ip) => ({ mac, cidr: blockOf(ip) })),
    ...allowedAddressPairs.map((pair) => ({ mac: pair.mac ?? mac, cidr: blockOf(pair.ip) })),
  ].filter((each): each is { mac: string; cidr: Cidr } => each.cidr !== undefined)
  const own = all.some(({ cidr }) => cidr.family === 6) ? [{ mac, cidr: blockOf(linkLocalOf(mac))! }] : []
  const probing = all.map(({ mac: from, cidr }) => ({ mac: from, cidr: blockOf(unspecified[cidr.family])! }))
  const sorted = [...all, ...own, ...probing].sort((a, b) => a.cidr.length - b.cidr.length)
  const kept: { mac: string; cidr: Cidr }[] = []
  for (const each of sorted)
    if (!kept.some((other) => other.mac === each.mac && contains(other.cidr, { family: each.cidr.family, value: each.cidr.first })))
      kept.push(each)
  return kept.map(({ mac: from, cidr }) => ({ mac: from, block: printCidr(cidr) }))
}

function blockOf(text: string): Cidr | undefined {
  if (text.includes('/')) return parseCidr(text)
  const ip = parseIp(text)
  return ip && { family: ip.family, first: ip.value, last: ip.value, length: ip.family === 4 ? 32 : 128 }
}

function linkLocalOf(mac: string): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mac.split(':').map((part) => Number.parseInt(part, 16))
  const interfaceId = [a ^ 2, b, c, 0xff, 0xfe, d, e, f].reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  return printIp({ family: 6, value: (0xfe80n << 112n) | interfaceId })
}
