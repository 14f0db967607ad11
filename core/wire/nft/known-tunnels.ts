// Who may tunnel, as elements of two sets of nftables, one a family: three bytes of a VNI as the packet has them, and the outer source; in
// a table of family inet, beside a set of the UDP ports that it minds.
import { parseIp, printIp } from '../../net/ip.ts'
import { attributes, ipBytes, ipOf, type Writer } from '../netlink/bytes.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import {
  dataAttr,
  elementAttr,
  elementBatch,
  elementsIn,
  encodeSetDump,
  family,
  nested,
  writeElement,
  type ElementChange,
  type SetPlace,
} from './message.ts'

export interface KnownTunnelSets {
  readonly table: string
  readonly v4: string
  readonly v6: string
  readonly l4Ports: string
}

/** A node that has an address in this VNI. */
export interface KnownTunnel {
  readonly vni: number
  readonly host: string
}

/** Of a concatenation each field is padded to four bytes. */
const vniBytes = 4

/**
 * Drops first, in one transaction. What is there is put again without a refusal; ENOENT: one that is to be dropped is not there, or there
 * is no table.
 */
export const encodeKnown = (sets: KnownTunnelSets, change: ElementChange<KnownTunnel>): Uint8Array =>
  elementBatch(change, (to, each) => write(to, sets, each))

function write(to: Writer, { table, v4, v6 }: KnownTunnelSets, { vni, host }: KnownTunnel): void {
  const ip = parseIp(host)
  if (ip === undefined) throw new RangeError(`${host} is no address`)
  const key = Uint8Array.of((vni >> 16) & 255, (vni >> 8) & 255, vni & 255, 0, ...ipBytes(ip))
  writeElement(to, placeOf(table, ip.family === 4 ? v4 : v6), () => to.nest(elementAttr.key | nested, () => to.attr(dataAttr.value, key)))
}

const placeOf = (table: string, set: string): SetPlace => ({ family: family.inet, table, set })

export const encodeKnownDump = ({ table }: KnownTunnelSets, set: string): Uint8Array => encodeSetDump(placeOf(table, set))

const keysOf = (body: Uint8Array): readonly Uint8Array[] =>
  elementsIn(body).elements.flatMap(
    (part) => attributes(attributes(part).get(elementAttr.key) ?? new Uint8Array()).get(dataAttr.value) ?? [],
  )

export function readKnown(bytes: Uint8Array): Dump<KnownTunnel> {
  return readDump(bytes, ({ body }) =>
    keysOf(body).flatMap((key) => {
      const ip = ipOf(key.subarray(vniBytes))
      return ip === undefined ? [] : [{ vni: (key[0]! << 16) | (key[1]! << 8) | key[2]!, host: printIp(ip) }]
    }),
  )
}

/** The UDP ports that the table minds. */
export const readL4Ports = (bytes: Uint8Array): Dump<number> =>
  readDump(bytes, ({ body }) => keysOf(body).map((key) => (key[0]! << 8) | key[1]!))
