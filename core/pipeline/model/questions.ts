// Who asks for the MAC of an address, and the answer to that: ARP, and neighbour discovery (RFC 4861).
import { etherTypes } from '../../kinds/policy/ether-types.ts'
import { ndTypes } from '../match.ts'
import { readField, type Frame } from './frame.ts'
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
  ipv6Dst,
  ipv6Src,
  ndTarget,
  ndTll,
  type Field,
} from '../openflow/fields.ts'
import { macValue, printValue, type FieldValue } from '../openflow/values.ts'

/** The address that a frame asks for, where it does; whatever it asks about. */
export function isQuestion(frame: Frame): string | undefined {
  if (readField(frame, ethType) === etherTypes.arp)
    return readField(frame, arpOp) === 1 ? printValue(arpTpa, readField(frame, arpTpa)) : undefined
  const asks = readField(frame, ipProto) === 58 && readField(frame, icmp6Type) === ndTypes.solicitation
  return asks ? printValue(ndTarget, readField(frame, ndTarget)) : undefined
}

/** That it is behind this MAC. */
export function answerTo(frame: Frame, mac: string): Frame {
  const own = macValue(mac)
  const asker = readField(frame, ethSrc)
  if (readField(frame, ethType) === etherTypes.arp)
    return new Map<Field, FieldValue>([
      [ethDst, asker],
      [ethSrc, own],
      [ethType, etherTypes.arp],
      [arpOp, 2],
      [arpSpa, readField(frame, arpTpa)],
      [arpSha, own],
      [arpTpa, readField(frame, arpSpa)],
      [arpTha, readField(frame, arpSha)],
    ])
  return new Map<Field, FieldValue>([
    [ethDst, asker],
    [ethSrc, own],
    [ethType, etherTypes.ipv6],
    [ipProto, 58],
    [ipTtl, 255],
    [ipv6Src, readField(frame, ndTarget)],
    [ipv6Dst, readField(frame, ipv6Src)],
    [icmp6Type, ndTypes.advertisement],
    [ndTarget, readField(frame, ndTarget)],
    [ndTll, own],
  ])
}
