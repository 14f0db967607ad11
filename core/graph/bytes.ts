// Numbers and addresses as the bytes that stand in a frame.
import { parseIp, parseV4 } from '../net/ip.ts'
import type { Hex } from './elements.ts'

export const hexOf = (value: number | bigint, bytes: number): Hex => value.toString(16).padStart(bytes * 2, '0')
export const hexOfMac = (mac: string): Hex => mac.replaceAll(':', '')
export const hexOfV4 = (address: string): Hex => hexOf(parseV4(address)!, 4)
export const isV4 = (address: string): boolean => parseV4(address) !== undefined

/** `10.0.9.0/24`, or an address alone: bytes and mask. */
export function hexOfBlock(text: string): { readonly value: Hex; readonly mask: Hex; readonly family: 4 | 6 } {
  const [address = '', prefix] = text.split('/')
  const family = isV4(address) ? 4 : 6
  const width = family === 4 ? 32n : 128n
  const length = prefix === undefined ? width : BigInt(prefix)
  const mask = ((1n << length) - 1n) << (width - length)
  return { value: hexOf(BigInt(parseIp(address)!.value) & mask, Number(width) / 8), mask: hexOf(mask, Number(width) / 8), family }
}
