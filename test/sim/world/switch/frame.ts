// Frames that pods send: who has an address, and a datagram.
import type { Frame } from '../../../../core/pipeline/model/frame.ts'
import {
  arpOp,
  arpSha,
  arpSpa,
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
  udpDst,
  type Field,
} from '../../../../core/pipeline/openflow/fields.ts'
import { ipv4Value, ipv6Value, macValue, type FieldValue } from '../../../../core/pipeline/openflow/values.ts'

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
