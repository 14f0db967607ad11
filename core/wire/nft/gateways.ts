// Addresses that are answered for at a device, as elements of two sets of nftables, one a family: `type ifname . ipv4_addr` and with
// ipv6_addr, in a table of family netdev.
import { parseIp, printIp } from '../../net/ip.ts'
import { attributes, ipBytes, ipOf, textOf, type Writer } from '../netlink/bytes.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import { flag, message } from '../netlink/message.ts'
import {
  batch,
  dataAttr,
  elementAttr,
  elementsIn,
  encodeSetDump,
  family,
  ifnameBytes,
  ifnameKey,
  nested,
  type,
  writeElement,
  type SetPlace,
} from './message.ts'

export interface GatewaySets {
  readonly table: string
  readonly v4: string
  readonly v6: string
}

export interface Gateway {
  readonly ifname: string
  readonly address: string
}

/** What is there is put again without a refusal; ENOENT: one that is to be dropped is not there, or there is no table. */
export function encodeGateways(sets: GatewaySets, gateways: readonly Gateway[], what: 'put' | 'drop'): Uint8Array {
  const [kind, flags] = what === 'put' ? [type.newElement, flag.ack | flag.create] : [type.delElement, flag.ack]
  return batch((to, next) => {
    for (const each of gateways) message(to, { type: kind, flags, sequence: next() }, () => writeGateway(to, sets, each))
  })
}

function writeGateway(to: Writer, { table, v4, v6 }: GatewaySets, { ifname, address }: Gateway): void {
  const ip = parseIp(address)
  if (ip === undefined) throw new RangeError(`${address} is no address`)
  const key = Uint8Array.of(...ifnameKey(ifname), ...ipBytes(ip))
  writeElement(to, placeOf(table, ip.family === 4 ? v4 : v6), () => to.nest(elementAttr.key | nested, () => to.attr(dataAttr.value, key)))
}

const placeOf = (table: string, set: string): SetPlace => ({ family: family.netdev, table, set })

export const encodeGatewaysDump = ({ table }: GatewaySets, set: string): Uint8Array => encodeSetDump(placeOf(table, set))

export function readGateways(bytes: Uint8Array): Dump<Gateway> {
  return readDump(bytes, ({ body }) =>
    elementsIn(body).elements.flatMap((part) => {
      const key = attributes(attributes(part).get(elementAttr.key) ?? new Uint8Array())
      const [ifname, ip] = [textOf(key, dataAttr.value), ipOf(key.get(dataAttr.value)?.subarray(ifnameBytes))]
      return ifname === undefined || ip === undefined ? [] : [{ ifname, address: printIp(ip) }]
    }),
  )
}
