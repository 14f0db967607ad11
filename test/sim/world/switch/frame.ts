// Frames that pods send: who has an address, the answer to that, and a datagram.
import { readField, type Frame } from '../../../../core/pipeline/model/frame.ts'
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
  udpDst,
  type Field,
} from '../../../../core/pipeline/openflow/fields.ts'
import { ipv4Value, ipv6Value, macValue, printValue, type FieldValue } from '../../../../core/pipeline/openflow/values.ts'

/** What a port says of itself when it sends. */
export interface Sender {
  readonly mac: string
  readonly address: string
}

const toAll = macValue('ff:ff:ff:ff:ff:ff')
const toNeighbours = macValue('33:33:ff:00:00:00')
const udp = 17

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
