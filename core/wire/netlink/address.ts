// Addresses of interfaces (linux/if_addr.h).
import { printIp } from '../../net/ip.ts'
import { attributes, familyOf, ipBytes, ipOf, prefixed, u32Of, viewOf, type Writer } from './bytes.ts'
import type { LinkRef } from './link.ts'

const attr = { address: 1, local: 2, flags: 8 } as const
const headBytes = 8
const flagNodad = 2
const flagPermanent = 0x80
const scopes = { universe: 0, link: 253 } as const

export interface Address {
  readonly index: number
  /** `10.0.0.5/24` */
  readonly address: string
  /** Not one that the kernel gave by itself for a time (SLAAC). */
  readonly permanent: boolean
  /** `link`: fe80:: and the like, which the kernel makes. */
  readonly scope: number
}

export const linkScope = scopes.link

/** No duplicate address detection: the control plane has seen to that, and a pod does not wait. */
export function writeAddress(to: Writer, on: LinkRef, address: string): void {
  const { ip, length } = prefixed(address)
  to.u8(familyOf(ip))
    .u8(length)
    .u8(ip.family === 6 ? flagNodad : 0)
    .u8(scopes.universe)
    .u32(on.index)
  to.attr(attr.local, ipBytes(ip)).attr(attr.address, ipBytes(ip))
}

export function readAddress(body: Uint8Array): Address | undefined {
  if (body.length < headBytes) return undefined
  const all = attributes(body, headBytes)
  const ip = ipOf(all.get(attr.local) ?? all.get(attr.address))
  if (ip === undefined) return undefined
  const flags = u32Of(all, attr.flags) ?? body[2]!
  return {
    index: viewOf(body).getUint32(4, true),
    address: `${printIp(ip)}/${body[1]}`,
    permanent: (flags & flagPermanent) !== 0,
    scope: body[3]!,
  }
}
