// What kind of address it is, for whoever connects where a user says: only global unicast is reached unasked.
// IANA special-purpose registries (RFC 6890, as of 2026-11) and what clouds put beside them.
import { contains, parseCidr, type Cidr } from './cidr.ts'
import type { Ip } from './ip.ts'

interface SpecialBlock {
  readonly cidr: Cidr
  readonly is: string
}
const block = (text: string, is: string): SpecialBlock => ({ cidr: parseCidr(text)!, is })

export const specialBlocks: readonly SpecialBlock[] = [
  block('0.0.0.0/8', 'this network'), // RFC 1122: Linux connects 0.0.0.0 to itself
  block('10.0.0.0/8', 'private'), // RFC 1918
  block('100.100.100.200/32', 'cloud metadata'), // Alibaba's, inside carrier-grade NAT
  block('100.64.0.0/10', 'carrier-grade NAT'), // RFC 6598
  block('127.0.0.0/8', 'loopback'), // RFC 1122
  block('168.63.129.16/32', 'cloud metadata'), // Azure's host, a public address that never leaves the machine
  block('169.254.0.0/16', 'link-local'), // RFC 3927; 169.254.169.254 is where clouds keep credentials
  block('172.16.0.0/12', 'private'), // RFC 1918
  block('192.0.0.0/24', 'protocol assignments'), // RFC 6890
  block('192.0.2.0/24', 'documentation'), // RFC 5737
  block('192.88.99.0/24', '6to4 relay'), // RFC 7526
  block('192.168.0.0/16', 'private'), // RFC 1918
  block('198.18.0.0/15', 'benchmarking'), // RFC 2544
  block('198.51.100.0/24', 'documentation'), // RFC 5737
  block('203.0.113.0/24', 'documentation'), // RFC 5737
  block('224.0.0.0/4', 'multicast'), // RFC 5771
  block('255.255.255.255/32', 'broadcast'), // RFC 919
  block('240.0.0.0/4', 'reserved'), // RFC 1112
  block('::/128', 'unspecified'), // RFC 4291
  block('::1/128', 'loopback'), // RFC 4291
  block('::ffff:0:0/96', 'IPv4-mapped'), // RFC 4291: reaches the IPv4 address inside
  block('::/96', 'IPv4-compatible'), // RFC 4291
  block('::ffff:0:0:0/96', 'IPv4-translated'), // RFC 2765
  block('64:ff9b::/96', 'NAT64'), // RFC 6052
  block('64:ff9b:1::/48', 'NAT64'), // RFC 8215
  block('100::/64', 'discard'), // RFC 6666
  block('2001::/32', 'Teredo'), // RFC 4380
  block('2001::/23', 'protocol assignments'), // RFC 2928: benchmarking and ORCHID among them
  block('2001:db8::/32', 'documentation'), // RFC 3849
  block('2002::/16', '6to4'), // RFC 3056
  block('3fff::/20', 'documentation'), // RFC 9637
  block('fd00:ec2::254/128', 'cloud metadata'), // Amazon's, inside RFC 4193
  block('fc00::/7', 'private'), // RFC 4193
  block('fe80::/10', 'link-local'), // RFC 4291
  block('fec0::/10', 'site-local'), // RFC 3879
  block('ff00::/8', 'multicast'), // RFC 4291
]
/** The only part of IPv6 that is given out for use on the Internet (RFC 4291 section 2.4, IANA). */
const globalV6 = parseCidr('2000::/3')!

/** Why an address is not global unicast, in a word or two; undefined when it is. The first block that holds it is named. */
export function specialUse(ip: Ip): string | undefined {
  const found = specialBlocks.find(({ cidr }) => contains(cidr, ip))
  if (found !== undefined) return found.is
  return ip.family === 6 && !contains(globalV6, ip) ? 'not global unicast' : undefined
}

/** As specialUse, save for what an operator has allowed. */
export function forbiddenUse(ip: Ip, allowed: readonly Cidr[]): string | undefined {
  return allowed.some((cidr) => contains(cidr, ip)) ? undefined : specialUse(ip)
}
