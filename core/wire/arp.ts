// ARP requests (RFC 826).
import { macBytes } from './netlink/bytes.ts'

export interface ArpRequest {
  readonly to: string
  /** Of whoever sends it. */
  readonly mac: string
  /** What whoever sends it says that it has, and what it asks for: four bytes each. */
  readonly from: Iterable<number>
  readonly target: Iterable<number>
}

export function arpRequest({ to, mac, from, target }: ArpRequest): Uint8Array {
  const own = macBytes(mac)
  return Uint8Array.of(...macBytes(to), ...own, 0x08, 0x06, 0, 1, 8, 0, 6, 4, 0, 1, ...own, ...from, 0, 0, 0, 0, 0, 0, ...target)
}
