// Which frames may come in at an interface of a bridge: the rules of nftables in agent/dataplanes/linux/guard.ts, on the sets that they
// look into. Frames have no tags here.
import type { LinuxItem } from '../linux-items.ts'
import { etherTypes } from '../../kinds/policy/ether-types.ts'
import { contains, parseCidr, type Cidr } from '../../net/cidr.ts'
import {
  arpSha,
  arpSpa,
  ethSrc,
  ethType,
  icmp6Type,
  ipProto,
  ipv4Src,
  ipv6Src,
  ndSll,
  ndTarget,
  ndTll,
  udpDst,
  type Field,
} from '../../pipeline/openflow/fields.ts'
import { macValue } from '../../pipeline/openflow/values.ts'
import { readField, type Frame } from '../../pipeline/model/frame.ts'

type Source = Extract<LinuxItem, { readonly kind: 'source' }>
type Option = Extract<LinuxItem, { readonly kind: 'option' }>

const { arp: typeArp, ipv4: type4, ipv6: type6 } = etherTypes
const [udp, icmp6] = [17, 58]
const [dhcp, dhcp6] = [68, 546]
const [routerAdvertisement, solicitation, advertisement, redirect] = [134, 135, 136, 137]

type Has = (field: Field) => number
const isUdpFor = (l4Port: number, has: Has): boolean => has(ipProto) === udp && has(udpDst) === l4Port

/** Of one interface. */
export class Sources {
  readonly #sources: readonly { readonly mac: number; readonly block: Cidr }[]
  readonly #options: ReadonlySet<number>

  constructor(things: readonly (Source | Option)[]) {
    this.#sources = things.flatMap((thing) =>
      thing.kind === 'source' ? [{ mac: macValue(thing.mac), block: parseCidr(thing.block)! }] : [],
    )
    this.#options = new Set(things.flatMap((thing) => (thing.kind === 'option' ? [macValue(thing.mac)] : [])))
  }

  passes(frame: Frame): boolean {
    const has: Has = (field) => Number(readField(frame, field))
    const type = has(ethType)
    if (type === typeArp) return this.#has(4, has(arpSha), has(arpSpa)) && this.#has(4, has(ethSrc), has(arpSpa))
    if (type === type4) return has(ipv4Src) !== 0 && !isUdpFor(dhcp, has) && this.#has(4, has(ethSrc), has(ipv4Src))
    return type === type6 && this.#passes6(frame, has)
  }

  #passes6(frame: Frame, has: Has): boolean {
    const source = BigInt(readField(frame, ipv6Src))
    if (!this.#has(6, has(ethSrc), source) || (source === 0n && has(ipProto) !== icmp6) || isUdpFor(dhcp6, has)) return false
    return has(ipProto) !== icmp6 || this.#discovers(frame, has)
  }

  #discovers(frame: Frame, has: Has): boolean {
    const type = has(icmp6Type)
    if (type === routerAdvertisement || type === redirect) return false
    if (type === advertisement && !this.#has(6, has(ethSrc), BigInt(readField(frame, ndTarget)))) return false
    const option = has(ndSll) || has(ndTll)
    return (type !== advertisement && type !== solicitation) || option === 0 || this.#options.has(option)
  }

  #has(family: 4 | 6, mac: number, address: number | bigint): boolean {
    const ip = { family, value: BigInt(address) }
    return this.#sources.some((each) => each.mac === mac && contains(each.block, ip))
  }
}
