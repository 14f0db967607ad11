// What a port may send from: its own addresses, the link-local one of its MAC, and its allowed pairs.
import { parseCidr } from '../net/cidr.ts'
import { parseIp } from '../net/ip.ts'
import type { LocalPort } from '../node/wanted.ts'
import type { Field } from './openflow/fields.ts'
import { is, isMasked, type Term } from './openflow/flow.ts'
import { macValue, prefixMask, type FieldValue } from './openflow/values.ts'

export interface Source {
  readonly family: 4 | 6
  readonly mac: number
  readonly value: FieldValue
  /** Of leading ones. */
  readonly length: number
  /** One address, not a block. */
  readonly single: boolean
}

const linkLocal = 0xfe80n << 112n

/** The link-local address that Linux and most others give themselves: EUI-64 of the MAC (RFC 4291 appendix A). */
export function linkLocalOf(mac: number): bigint {
  const all = BigInt(mac)
  return linkLocal | ((((all >> 24n) << 40n) | (0xfffen << 24n) | (all & 0xffffffn)) ^ (1n << 57n))
}

function sourceOf(text: string, mac: number): Source | undefined {
  const block = parseCidr(text)
  const ip = block === undefined ? parseIp(text) : { family: block.family, value: block.first }
  if (ip === undefined) return undefined
  const whole = ip.family === 4 ? 32 : 128
  const length = block?.length ?? whole
  return { family: ip.family, mac, value: ip.family === 4 ? Number(ip.value) : ip.value, length, single: length === whole }
}

/** Without repetitions; a pair that is no address is left out (admission refuses it). */
export function sourcesOf({
  mac,
  addresses,
  allowedAddressPairs,
}: Pick<LocalPort, 'mac' | 'addresses' | 'allowedAddressPairs'>): readonly Source[] {
  const own = macValue(mac)
  const found = [
    ...addresses.map((address) => sourceOf(address, own)),
    ...allowedAddressPairs.map((pair) => sourceOf(pair.ip, pair.mac === undefined ? own : macValue(pair.mac))),
  ]
  const all = found.filter((each) => each !== undefined)
  if (all.some(({ family }) => family === 6)) all.push({ family: 6, mac: own, value: linkLocalOf(own), length: 128, single: true })
  const by = new Map(all.map((each) => [`${each.mac} ${each.value}/${each.length}`, each]))
  return [...by.values()]
}

/** The field is in this source. */
export function within(field: Field, { value, length, single }: Pick<Source, 'value' | 'length' | 'single'>): Term {
  return single ? is(field, value) : isMasked(field, value, prefixMask(field, length))
}
