// Which MAC a Port gets, and whether that needs a lock of its own.
import { canonicalMac, isKosMac, kosMac, macOf } from '../../net/mac.ts'

export type MacChoice = { readonly mac: string; readonly lock: boolean } | { readonly conflict: string }

/** Tries before a hash is given up: at a million MACs of a VNI one collision is likely once in a hundred VNIs. */
const attempts = 8

/**
 * The MAC of a Port: the one its spec names, else KOS's function of its first address, else a hash, hashed again where the
 * lock of that MAC is held by another.
 *
 * @param taken returns the holder of a MAC of this VNI, if it is another
 */
export function chooseMac(
  vni: number,
  addresses: readonly string[],
  fixed: string | undefined,
  taken: (mac: string) => string | undefined,
): MacChoice {
  if (fixed !== undefined) return chooseFixed(vni, addresses, canonicalMac(fixed) ?? fixed, taken)
  const first = addresses.find((address) => !address.includes(':')) ?? addresses[0] ?? ''
  for (let attempt = 0; attempt < attempts; attempt++) {
    const choice = macOf(vni, first, attempt)
    if (!choice.lock || taken(choice.mac) === undefined) return choice
  }
  return { conflict: `${attempts} hashes of ${first}` }
}

function chooseFixed(vni: number, addresses: readonly string[], mac: string, taken: (mac: string) => string | undefined): MacChoice {
  if (isKosMac(vni, mac, addresses)) return { mac, lock: false }
  const address = kosAddressOf(vni, mac)
  if (address !== undefined) return { conflict: `it is the MAC of address ${address}` }
  const by = taken(mac)
  return by === undefined ? { mac, lock: true } : { conflict: `it is taken by ${by}` }
}

/** The address whose KOS MAC in this VNI this is: that address will have it, now or later. */
export function kosAddressOf(vni: number, mac: string): string | undefined {
  const bytes = mac.split(':').map((text) => Number.parseInt(text, 16))
  const [head = 0, b = 0, c = 0, d = 0] = bytes
  // Bit 2 of the first byte tells 10/8 from the other two private blocks, which the second byte tells apart (KOS).
  const a = (head & 4) !== 0 ? 10 : b === 168 ? 192 : 172
  const address = `${a}.${b}.${c}.${d}`
  return kosMac(vni, address) === mac ? address : undefined
}
