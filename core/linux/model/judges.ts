// Which frames may pass between an interface of a bridge and others: the rules of nftables in agent/dataplanes/linux/policies.ts, on the
// sets that they look into.
import { etherTypes } from '../../kinds/policy/ether-types.ts'
import { unknown, world } from '../../kinds/policy/tiers.ts'
import { isInBlock } from '../../net/cidr.ts'
import { parseIp } from '../../net/ip.ts'
import { ethType, icmp6Type, ipProto, ipv4Dst, ipv4Src, ipv6Dst, ipv6Src, udpDst, udpSrc } from '../../pipeline/openflow/fields.ts'
import { printValue } from '../../pipeline/openflow/values.ts'
import { anyoneElse } from '../../kinds/policy/access.ts'
import type { PeerDecision } from '../../kinds/policy/peer-decision.ts'
import { readField, type Frame } from '../../pipeline/model/frame.ts'
import { tableNames } from '../linux-items.ts'
import type { Met, Of, Things } from './things.ts'

/** As the interface has it. */
export type Way = 'out' | 'in'
const directions = { out: 'egress', in: 'ingress' } as const
const { arp: typeArp, ipv4: type4, ipv6: type6 } = etherTypes
const [udp, icmp6] = [17, 58]
const discovery = [133, 134, 135, 136, 137]
/** Ports of client and server. */
const dhcp: Readonly<Record<number, readonly [number, number]>> = { [type4]: [68, 67], [type6]: [546, 547] }

export class Judges {
  readonly #things: Things
  readonly #met: Met

  constructor(things: Things, met: Met) {
    this.#things = things
    this.#met = met
  }

  passes(frame: Frame, ifname: string, way: Way): boolean {
    const judged = this.#things.at<'judged'>(`judged/${ifname}`)
    const isLetPass = this.#isJudged(frame, way) && judged !== undefined ? this.#decides(judged, frame, way) : true
    if (isLetPass && this.#things.has('traffic')) this.#met(`${tableNames.traffic} ${way === 'out' ? 'sending' : 'getting'}`)
    return isLetPass
  }

  #isJudged(frame: Frame, way: Way): boolean {
    if (this.#things.has('policies')) this.#met(`${tableNames.policies} ${way === 'out' ? 'sent' : 'received'}`)
    return !isNeverJudged(frame, way)
  }

  #decides(judged: Of<'judged'>, frame: Frame, way: Way): boolean {
    const address = otherEnd(frame, way)
    this.#met(`${tableNames.policies} ${way}`)
    if (address === undefined) return false
    this.#met(`${tableNames.policies} ${way}${address.includes(':') ? 6 : 4}`)
    const decision = this.#decide(judged, address, way)
    if (decision !== undefined) this.#met(`${tableNames.policies} decided-${way}`)
    return decision?.isAllowed === true
  }

  /** Undefined: nothing is said of it. */
  #decide({ vni, decisions }: Of<'judged'>, address: string, way: Way): PeerDecision | undefined {
    const identity = this.#identityOf(vni, address)
    const peer = decisions.some((each) => each.identity === identity) ? identity : anyoneElse
    const ip = parseIp(address)!
    return decisions.find(
      ({ direction, identity: is, range: { family, first, last } }) =>
        direction === directions[way] && is === peer && family === ip.family && first <= ip.value && ip.value <= last,
    )
  }

  #identityOf(vni: number, address: string): number {
    const known = this.#things.at<'identity'>(`identity/${vni}/${address}`)
    if (known !== undefined) return known.identity
    const ip = parseIp(address)!
    const isInside = [...this.#things.all].some((each) => each.kind === 'inside' && each.vni === vni && isInBlock(each.block, ip))
    return isInside ? unknown : world
  }
}

function isNeverJudged(frame: Frame, way: Way): boolean {
  const [type, proto] = [Number(readField(frame, ethType)), Number(readField(frame, ipProto))]
  if (type === typeArp) return true
  if (type === type6 && proto === icmp6 && discovery.includes(Number(readField(frame, icmp6Type)))) return true
  const [client, server] = dhcp[type] ?? []
  const [from, to] = way === 'out' ? [client, server] : [server, client]
  return proto === udp && from !== undefined && Number(readField(frame, udpSrc)) === from && Number(readField(frame, udpDst)) === to
}

/** Undefined: it is no IP. */
function otherEnd(frame: Frame, way: Way): string | undefined {
  const type = Number(readField(frame, ethType))
  if (type !== type4 && type !== type6) return undefined
  const field = type === type4 ? (way === 'out' ? ipv4Dst : ipv4Src) : way === 'out' ? ipv6Dst : ipv6Src
  return printValue(field, readField(frame, field))
}
