// Values of fields as numbers and as text. Up to eight bytes a number, sixteen bytes a bigint: a MAC has 48 bits and numbers are exact to
// 53.
import { parseV4, parseSixteens, printIp, printV4 } from '../../net/ip.ts'
import type { Field } from './fields.ts'

export type FieldValue = number | bigint

/** @param mac canonical: twelve lower-case digits with colons. Hot: once for each remote endpoint */
export function macValue(mac: string): number {
  let value = 0
  for (let i = 0; i < mac.length; i++) {
    const code = mac.charCodeAt(i)
    if (code !== 58) value = value * 16 + (code < 58 ? code - 48 : code - 87)
  }
  return value
}

/** @param address a dotted quad, known to be one. Hot: once for each remote endpoint */
export function ipv4Value(address: string): number {
  let value = 0
  let part = 0
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i)
    if (code === 46) {
      value = value * 256 + part
      part = 0
    } else part = part * 10 + code - 48
  }
  return value * 256 + part
}

/** @param address an IPv6 address, known to be one */
export const ipv6Value = (address: string): bigint =>
  (parseSixteens(address) ?? []).reduce((value, group) => (value << 16n) | BigInt(group), 0n)

export const printMac = (value: number): string =>
  value
    .toString(16)
    .padStart(12, '0')
    .replace(/..(?=.)/g, '$&:')

const printers: Readonly<Record<Field['show'], (value: FieldValue) => string>> = {
  number: String,
  hex: (value) => `0x${value.toString(16)}`,
  mac: (value) => printMac(Number(value)),
  ipv4: (value) => printV4(Number(value)),
  ipv6: (value) => printIp({ family: 6, value: BigInt(value) }),
}

export const printValue = (field: Field, value: FieldValue): string => printers[field.show](value)

/** A mask of leading ones as its length, else as a value. */
export function printMask(field: Field, mask: FieldValue): string {
  if (field.show !== 'ipv4' && field.show !== 'ipv6') return printValue(field, mask)
  const binary = mask.toString(2).padStart(field.bytes * 8, '0')
  const length = binary.indexOf('0')
  return binary.includes('1', length) ? printValue(field, mask) : String(length)
}

export function parseValue(field: Field, text: string): FieldValue {
  if (field.show === 'mac') return macValue(text)
  if (field.show === 'ipv4') return parseV4(text) ?? Number.NaN
  if (field.show === 'ipv6') return ipv6Value(text)
  return field.bytes > 8 ? BigInt(text) : Number(text)
}

export function parseMask(field: Field, text: string): FieldValue {
  return (field.show === 'ipv4' || field.show === 'ipv6') && /^\d+$/.test(text) ? prefixMask(field, Number(text)) : parseValue(field, text)
}

/** The mask of the first `length` bits of a field. */
export function prefixMask(field: Field, length: number): FieldValue {
  const bits = BigInt(field.bytes * 8)
  const mask = ((1n << bits) - 1n) ^ ((1n << (bits - BigInt(length))) - 1n)
  return field.bytes > 8 ? mask : Number(mask)
}
