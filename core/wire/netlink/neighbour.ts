// Neighbours, and the forwarding entries of bridges and VXLAN devices, which travel in the same messages (linux/neighbour.h).
import { parseIp, printIp } from '../../net/ip.ts'
import { attributes, be16Of, family, familyOf, ipBytes, ipOf, macBytes, macOf, u32Of, viewOf, type Writer } from './bytes.ts'
import { defined, type LinkRef } from './link.ts'

const attr = { dst: 1, lladdr: 2, l4Port: 6, vni: 7, master: 9 } as const
const tableAttr = { name: 1, parameters: 6 } as const
const parameter = { link: 1, multicastProbes: 11 } as const
const headBytes = 12
const states = { permanent: 0x80, noarp: 0x40 } as const
const flags = { self: 2, master: 4, proxy: 8, sticky: 0x40 } as const

/** Who has an address on an interface. */
export interface NewNeighbour {
  readonly on: LinkRef
  readonly address: string
  readonly mac: string
}

/** Where frames to a MAC go. In a bridge NUD_PERMANENT alone would mean the bridge's own address; NUD_NOARP is a static entry. */
export interface NewFdb {
  readonly on: LinkRef
  readonly mac: string
  /** VXLAN: the tunnel address of the node that has it. Absent: an entry of the bridge that the interface is in. */
  readonly dst?: string
  /** UDP port of that node; absent: as the device's own. */
  readonly l4Port?: number
  /** Of a bridge: what it learns does not move it (Linux 4.20). */
  readonly sticky?: true
}

/** By the kernel's names: of ARP, and of IPv6's neighbour discovery. */
export type NeighbourTable = 'arp_cache' | 'ndisc_cache'

export type Neighbour = {
  readonly index: number
  /** Somebody put it there: it was not learned, and it is none of the kernel's own. */
  readonly permanent: boolean
} & (
  | { readonly kind: 'neighbour'; readonly address: string; readonly mac?: string }
  | {
      readonly kind: 'fdb'
      readonly mac: string
      readonly dst?: string
      readonly l4Port?: number
      readonly master?: number
      readonly sticky?: true
    }
)

function head(to: Writer, of: { readonly family: number; readonly index: number; readonly state: number; readonly flags: number }): void {
  to.u32(of.family).u32(of.index).u16(of.state).u8(of.flags).u8(0)
}

export function writeNeighbour(to: Writer, { on, address, mac }: NewNeighbour): void {
  const ip = parseIp(address)
  if (ip === undefined) throw new RangeError(`${address} is no address`)
  head(to, { family: familyOf(ip), index: on.index, state: states.permanent, flags: 0 })
  to.attr(attr.dst, ipBytes(ip)).attr(attr.lladdr, macBytes(mac))
}

export function writeFdb(to: Writer, { on, mac, dst, l4Port, sticky }: NewFdb): void {
  const ip = dst === undefined ? undefined : parseIp(dst)
  head(to, {
    family: family.bridge,
    index: on.index,
    state: ip === undefined ? states.noarp : states.permanent | states.noarp,
    flags: ip === undefined ? flags.master + (sticky === true ? flags.sticky : 0) : flags.self,
  })
  to.attr(attr.lladdr, macBytes(mac))
  if (ip !== undefined) to.attr(attr.dst, ipBytes(ip))
  if (l4Port !== undefined) to.attrBe16(attr.l4Port, l4Port)
}

/** The table is found by its name, and in it what holds for one link by the link's number: a name is not enough. */
export function writeProbes(
  to: Writer,
  { on, of, probes }: { readonly on: LinkRef; readonly of: NeighbourTable; readonly probes: number },
): void {
  to.u32(of === 'arp_cache' ? family.inet : family.inet6).attrText(tableAttr.name, of)
  to.nest(tableAttr.parameters, () => to.attr32(parameter.link, on.index).attr32(parameter.multicastProbes, probes))
}

export function writeFdbDump(to: Writer): void {
  head(to, { family: family.bridge, index: 0, state: 0, flags: 0 })
}

export function readNeighbour(body: Uint8Array): Neighbour | undefined {
  if (body.length < headBytes) return undefined
  const view = viewOf(body)
  const all = attributes(body, headBytes)
  const mac = macOf(all.get(attr.lladdr))
  const dst = ipOf(all.get(attr.dst))
  const placed = body[0] === family.bridge ? states.noarp : states.permanent
  const of = { index: view.getInt32(4, true), permanent: (view.getUint16(8, true) & placed) !== 0 }
  if (body[0] === family.bridge)
    return mac === undefined
      ? undefined
      : {
          ...of,
          kind: 'fdb',
          mac,
          ...defined({
            dst: dst && printIp(dst),
            l4Port: be16Of(all, attr.l4Port),
            master: u32Of(all, attr.master),
            sticky: ((body[10] ?? 0) & flags.sticky) === 0 ? undefined : (true as const),
          }),
        }
  return dst === undefined ? undefined : { ...of, kind: 'neighbour', address: printIp(dst), ...defined({ mac }) }
}
