// A packet that no router sends on: its time is up there. Whoever forwards says so (RFC 1812 section 5.3.1; Linux before its rules are
// asked about what it forwards), and whoever does not says nothing.
import { checksum } from '../../net/checksum.ts'
import { ipv4Value } from '../../pipeline/openflow/values.ts'
import { macBytes } from '../netlink/bytes.ts'

/** Link-local addresses that nobody has: what comes of it goes to nobody. */
export const pulseFrom = ipv4Value('169.254.77.103')
const pulseTo = ipv4Value('169.254.77.104')

const wordBytes = (value: number): readonly number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]

/** @param mac whose it is to answer */
export function pulseFrame(mac: string, source: string): Uint8Array {
  // UDP to the port that discards (RFC 863), without a checksum.
  const udp = [0x4d, 0x67, 0, 9, 0, 8, 0, 0]
  const header = [0x45, 0, 0, 20 + udp.length, 0, 0, 0, 0, 1, 17, 0, 0, ...wordBytes(pulseFrom), ...wordBytes(pulseTo)]
  const sum = checksum(Uint8Array.from(header))
  header[10] = sum >> 8
  header[11] = sum & 255
  return Uint8Array.of(...macBytes(mac), ...macBytes(source), 0x08, 0x00, ...header, ...udp)
}
