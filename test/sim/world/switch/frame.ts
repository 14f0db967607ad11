// A frame as a switch sees it: header fields and what a table has noted beside them. What was never set is zero, as in Open vSwitch.
import {
  arpOp,
  arpSha,
  arpSpa,
  arpTha,
  arpTpa,
  ethDst,
  ethSrc,
  ethType,
  icmp6Type,
  ipProto,
  ipTtl,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  ndSll,
  ndTarget,
  ndTll,
  quadRegisters,
  registers,
  udpDst,
  type Field,
} from '../../../../core/pipeline/openflow/fields.ts'
import type { Bits } from '../../../../core/pipeline/openflow/actions.ts'
import { ipv4Value, ipv6Value, macValue, printValue, type FieldValue } from '../../../../core/pipeline/openflow/values.ts'

export type Frame = ReadonlyMap<Field, FieldValue>
export type Written = Map<Field, FieldValue>

/** What a port says of itself when it sends. */
export interface Sender {
  readonly mac: string
  readonly address: string
}

const toAll = macValue('ff:ff:ff:ff:ff:ff')
const toNeighbours = macValue('33:33:ff:00:00:00')
const udp = 17

export const wholeOf = (field: Field): number => field.bytes * 8
export const readField = (frame: Frame, field: Field): FieldValue => frame.get(field) ?? partOf(frame, field) ?? (field.bytes > 8 ? 0n : 0)

/** Of a register that is written as a part of a wide one: by how many bits it is shifted there. */
const parts: ReadonlyMap<Field, bigint> = new Map(registers.slice(8, 12).map((field, i) => [field, BigInt(96 - 32 * i)]))
function partOf(frame: Frame, field: Field): FieldValue | undefined {
  const shift = parts.get(field)
  return shift === undefined ? undefined : Number((BigInt(frame.get(quadRegisters[2]!) ?? 0n) >> shift) & 0xffffffffn)
}

/** Bits of a field as a number of any length. */
export const readBits = (frame: Frame, { field, from, count }: Bits): bigint =>
  (BigInt(readField(frame, field)) >> BigInt(from)) & ((1n << BigInt(count)) - 1n)

export function writeBits(frame: Written, { field, from, count }: Bits, value: bigint): void {
  const mask = ((1n << BigInt(count)) - 1n) << BigInt(from)
  const made = (BigInt(readField(frame, field)) & ~mask) | ((value << BigInt(from)) & mask)
  frame.set(field, field.bytes > 8 ? made : Number(made))
}

/** What is on the wire: no register, and of a tunnel only what its own header says. */
export const onWire = (frame: Frame): Written => new Map([...frame].filter(([{ name }]) => !/^(x*reg|tun_|in_port)/.test(name)))

const isV6 = (address: string): boolean => address.includes(':')

/** Who has this address? */
export function question({ mac, address }: Sender, asked: string): Frame {
  const source = macValue(mac)
  if (!isV6(asked))
    return new Map<Field, FieldValue>([
      [ethDst, toAll],
      [ethSrc, source],
      [ethType, 0x0806],
      [arpOp, 1],
      [arpSpa, ipv4Value(address)],
      [arpSha, source],
      [arpTpa, ipv4Value(asked)],
    ])
  return new Map<Field, FieldValue>([
    [ethDst, toNeighbours],
    [ethSrc, source],
    [ethType, 0x86dd],
    [ipProto, 58],
    [ipTtl, 255],
    [ipv6Src, ipv6Value(address)],
    [ipv6Dst, ipv6Value(asked)],
    [icmp6Type, 135],
    [ndTarget, ipv6Value(asked)],
    [ndSll, source],
  ])
}

/** The address that a frame asks for, where it does; whatever it asks about. */
export function isQuestion(frame: Frame): string | undefined {
  if (readField(frame, ethType) === 0x0806) return readField(frame, arpOp) === 1 ? printValue(arpTpa, readField(frame, arpTpa)) : undefined
  const asks = readField(frame, ipProto) === 58 && readField(frame, icmp6Type) === 135
  return asks ? printValue(ndTarget, readField(frame, ndTarget)) : undefined
}

/** That it is behind this MAC. */
export function answerTo(frame: Frame, mac: string): Frame {
  const own = macValue(mac)
  const asker = readField(frame, ethSrc)
  if (readField(frame, ethType) === 0x0806)
    return new Map<Field, FieldValue>([
      [ethDst, asker],
      [ethSrc, own],
      [ethType, 0x0806],
      [arpOp, 2],
      [arpSpa, readField(frame, arpTpa)],
      [arpSha, own],
      [arpTpa, readField(frame, arpSpa)],
      [arpTha, readField(frame, arpSha)],
    ])
  return new Map<Field, FieldValue>([
    [ethDst, asker],
    [ethSrc, own],
    [ethType, 0x86dd],
    [ipProto, 58],
    [ipTtl, 255],
    [ipv6Src, readField(frame, ndTarget)],
    [ipv6Dst, readField(frame, ipv6Src)],
    [icmp6Type, 136],
    [ndTarget, readField(frame, ndTarget)],
    [ndTll, own],
  ])
}

/** One datagram. */
export function datagram({ mac, address }: Sender, to: { readonly mac: number; readonly address: string }): Frame {
  const common: [Field, FieldValue][] = [
    [ethDst, to.mac],
    [ethSrc, macValue(mac)],
    [ipProto, udp],
    [ipTtl, 64],
    [udpDst, 9],
  ]
  if (!isV6(to.address))
    return new Map<Field, FieldValue>([...common, [ethType, 0x0800], [ipv4Src, ipv4Value(address)], [ipv4Dst, ipv4Value(to.address)]])
  return new Map<Field, FieldValue>([...common, [ethType, 0x86dd], [ipv6Src, ipv6Value(address)], [ipv6Dst, ipv6Value(to.address)]])
}
