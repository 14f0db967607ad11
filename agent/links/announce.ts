// Frames that tell neighbours where an address is now.
import { checksum } from '../../core/net/checksum.ts'
import { parseIp, type Ip } from '../../core/net/ip.ts'
import { arpRequest } from '../../core/wire/arp.ts'
import { ipBytes, macBytes } from '../../core/wire/netlink/bytes.ts'

const broadcast = 'ff:ff:ff:ff:ff:ff'
/** All nodes of the link (RFC 4291 section 2.7.1), and the MAC that carries it (RFC 2464 section 7). */
const allNodes = 'ff02::1'
const allNodesMac = '33:33:00:00:00:01'

/** One frame for each address, with or without its prefix length. */
export function announcements(mac: string, addresses: readonly string[]): readonly Uint8Array[] {
  return addresses
    .map((address) => parseIp(address.split('/')[0] ?? ''))
    .filter((ip) => ip !== undefined)
    .map((ip) => (ip.family === 4 ? gratuitousArp(mac, ip) : unsolicitedAdvertisement(mac, ip)))
}

/** An ARP request for one's own address (RFC 5227 section 3, ARP Announcement). */
function gratuitousArp(mac: string, ip: Ip): Uint8Array {
  const address = ipBytes(ip)
  return arpRequest({ to: broadcast, mac, from: address, target: address })
}

/** RFC 4861 section 4.4 and 7.2.6: override set, solicited not, with the target's link-layer address; hop limit 255. */
function unsolicitedAdvertisement(mac: string, ip: Ip): Uint8Array {
  const own = macBytes(mac)
  const target = ipBytes(ip)
  const to = ipBytes(parseIp(allNodes)!)
  const advertisement = Uint8Array.of(136, 0, 0, 0, 0x20, 0, 0, 0, ...target, 2, 1, ...own)
  const sum = checksum(Uint8Array.of(...target, ...to, 0, 0, 0, advertisement.length, 0, 0, 0, 58, ...advertisement))
  advertisement[2] = sum >> 8
  advertisement[3] = sum & 255
  return Uint8Array.of(
    ...macBytes(allNodesMac),
    ...own,
    0x86,
    0xdd,
    0x60,
    0,
    0,
    0,
    0,
    advertisement.length,
    58,
    255,
    ...target,
    ...to,
    ...advertisement,
  )
}
