// The MAC address of (VNI, address).
import { parseIp, parseV4 } from './ip.ts'
import { sha256 } from './sha256.ts'

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
const print = (bytes: readonly number[]): string => bytes.map(hex).join(':')

/** KOS's function is one-to-one only for RFC 1918 addresses and VNIs of 21 bits. */
export const kosVniMax = 2 ** 21 - 1

function isRfc1918(value: number): boolean {
  return value >>> 24 === 10 || value >>> 20 === 0xac1 || value >>> 16 === 0xc0a8
}

/**
 * KOS's MAC: bit 1 of the first byte says locally administered, bit 2 tells 10/8 from the other two blocks, its upper five
 * bits are VNI bits 16 to 20.
 *
 * @returns undefined where the function is not one-to-one; then use hashedMac
 */
export function kosMac(vni: number, address: string): string | undefined {
  const value = parseV4(address)
  if (value === undefined || !isRfc1918(value) || vni < 1 || vni > kosVniMax) return undefined
  const first = ((vni >> 13) & 0xf8) | (((value >>> 24) & 2) << 1) | 2
  return print([first, (value >>> 16) & 255, (value >>> 8) & 255, value & 255, (vni >> 8) & 255, vni & 255])
}

/** Whether some VNI and some address have this MAC by KOS's function: 10/8 has any second byte, the other two blocks 168 and 16 to 31. */
function isInKosRange([first = 0, second = 0]: readonly number[]): boolean {
  return (first & 3) === 2 && ((first & 4) !== 0 || second === 168 || second >> 4 === 1)
}

/** What all MACs of KOS's function have in common in a VNI, and the bits to look at for it; undefined: it has none there. */
export const kosMacsOf = (vni: number): { readonly value: number; readonly mask: number } | undefined =>
  vni > kosVniMax ? undefined : { value: (((vni >> 13) & 0xf8) | 2) * 2 ** 40 + (vni & 0xffff), mask: 0xfb * 2 ** 40 + 0xffff }

/**
 * A locally administered unicast MAC from a hash; `attempt` counts up when its lock is held by another. Never one of KOS's: those need no
 * lock, so that nobody would notice. A Port keeps the MAC that it has, whatever it is: its lock says it.
 */
export function hashedMac(vni: number, address: string, attempt: number): string {
  const seed = `mac/${vni}/${address}/${attempt}`
  for (let again = 0; ; again++) {
    const bytes = [...sha256(again === 0 ? seed : `${seed}/${again}`).subarray(0, 6)]
    bytes[0] = (bytes[0]! & 0xfc) | 2
    if (!isInKosRange(bytes)) return print(bytes)
  }
}

/** The MAC of an address and whether it needs a lock of its own. */
export function macOf(vni: number, address: string, attempt = 0): { readonly mac: string; readonly lock: boolean } {
  const kos = attempt === 0 ? kosMac(vni, address) : undefined
  return kos === undefined ? { mac: hashedMac(vni, address, attempt), lock: true } : { mac: kos, lock: false }
}

/** KOS's name of a node interface without a pod: `kos` and the twelve digits of its MAC. */
export const kosInterfaceName = (mac: string): string => `kos${mac.replaceAll(':', '')}`

/** One spelling of a MAC, or undefined; group addresses cannot be an interface's. */
export function canonicalMac(text: string): string | undefined {
  const match = /^[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}$/.exec(text)
  if (match === null) return undefined
  const mac = text.toLowerCase().replaceAll('-', ':')
  return (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1 ? undefined : mac
}

/** One that an interface can have, as people write it: by colons. */
export const macPattern = '^[0-9a-fA-F][02468aceACE](:[0-9a-fA-F]{2}){5}$'
export const isPlainMac = (text: string): boolean => canonicalMac(text) !== undefined && !text.includes('-')

/** Whether the KOS function made this MAC for one of these addresses. */
export function isKosMac(vni: number, mac: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => parseIp(address)?.family === 4 && kosMac(vni, address) === mac)
}

/** The MAC of what a UID alone names: a cloud that takes a MAC once takes nothing twice that is made for it. */
export const macOfUID = (uid: string): string => hashedMac(0, `port/${uid}`, 0)
