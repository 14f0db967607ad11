// What becomes of a frame in the bridge of a VNI, its tunnel device and the hook that routes: net/bridge/br_input.c, br_arp_nd_proxy.c and
// br_forward.c, drivers/net/vxlan (Linux 6.18), and the rules in agent/dataplanes/linux: routes.ts, policies.ts, known-tunnels.ts.
// In networks that flood bridges learn too, and this does not.
import {
  arpSpa,
  arpTpa,
  ethDst,
  ethSrc,
  ethType,
  icmp6Type,
  icmpType,
  ipProto,
  ipTtl,
  ipv4Dst,
  ipv4Src,
  ipv6Dst,
  ipv6Src,
  tunDst,
  tunId,
  tunSrc,
} from '../../pipeline/openflow/fields.ts'
import { bridgeName, tableNames, tunnelName } from '../linux-items.ts'
import { doorName } from '../../net/router-name.ts'
import { etherTypes } from '../../kinds/policy/ether-types.ts'
import { gatewayMac } from '../../net/gateway-mac.ts'
import { ipv4Value, ipv6Value, macValue, printMac, printValue } from '../../pipeline/openflow/values.ts'
import { contains, parseCidr } from '../../net/cidr.ts'
import { onWire, readField, type Frame } from '../../pipeline/model/frame.ts'
import { answerTo, isQuestion } from '../../pipeline/model/questions.ts'
import { Sources } from './guard.ts'
import { Judges } from './judges.ts'
import type { Met, Of, Things } from './things.ts'

const toAll = 1n << 40n
const isGroup = (frame: Frame): boolean => (BigInt(readField(frame, ethDst)) & toAll) !== 0n
const { ipv4: type4, ipv6: type6 } = etherTypes
const gateway = macValue(gatewayMac)
const own4 = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'].map((block) => parseCidr(block)!)
const own6 = ['::/127', 'fe80::/10', 'ff00::/8'].map((block) => parseCidr(block)!)

/** What comes out, and by which interface, or by the tunnel: then the frame says to whom. */
export interface Out {
  readonly at: string
  readonly frame: Frame
}

/** The tunnel, in place of an interface. */
export const tunnel = 'tunnel'

export class Bridges {
  readonly #things: Things
  readonly #met: Met
  readonly #sources = new Map<string, Sources>()
  readonly #members = new Map<number, readonly Of<'member'>[]>()
  readonly #judges: Judges
  #version = -1

  constructor(things: Things, met: Met = () => undefined) {
    this.#things = things
    this.#met = met
    this.#judges = new Judges(things, met)
  }

  take(frame: Frame, from: string): readonly Out[] {
    this.#renew()
    if (from === tunnel) return this.#decapsulated(frame)
    const member = this.#things.at<'member'>(`member/${from}`)
    // Who is in no bridge sends to the node itself, which takes nothing from there.
    if (member === undefined || !this.#mayCome(from, frame) || !this.#judges.passes(frame, from, 'out')) return []
    return this.#bridged(member.vni, frame, member)
  }

  #renew(): void {
    if (this.#version === this.#things.version) return
    this.#version = this.#things.version
    this.#sources.clear()
    this.#members.clear()
  }

  #mayCome(ifname: string, frame: Frame): boolean {
    if (this.#things.has('table')) this.#met(`${tableNames.guard} source`)
    if (!this.#things.has(`guarded/${ifname}`)) return true
    this.#met(`${tableNames.guard} check`)
    const known = this.#sources.get(ifname)
    const sources =
      known ??
      new Sources(
        [...this.#things.all].filter((each) => (each.kind === 'source' || each.kind === 'option') && each.ifname === ifname) as (
          Of<'source'> | Of<'option'>
        )[],
      )
    this.#sources.set(ifname, sources)
    return sources.passes(frame)
  }

  #membersOf(vni: number): readonly Of<'member'>[] {
    const known = this.#members.get(vni)
    if (known !== undefined) return known
    const made = [...this.#things.all].filter((each): each is Of<'member'> => each.kind === 'member' && each.vni === vni)
    this.#members.set(vni, made)
    return made
  }

  /** @param by the port that it came in by; undefined: the bridge itself has sent it */
  #bridged(vni: number, frame: Frame, by: Of<'member'> | undefined): readonly Out[] {
    if (!this.#things.has(`bridge/${vni}`)) return []
    this.#met(bridgeName(vni))
    if (!isGroup(frame)) {
      const to = this.#behind(vni, Number(readField(frame, ethDst)))
      if (to !== undefined) return to.ifname === by?.ifname ? [] : this.#sent(to, frame)
      return this.#flooded(vni, frame, by, ({ flood }) => flood === 'all')
    }
    const { answer, settled } = this.#neighbourOf(vni, frame, by)
    const others = this.#flooded(vni, frame, by, (port) => port.flood !== 'none' && !(settled && port.answered))
    return answer === undefined || by === undefined ? others : [{ at: by.ifname, frame: answer }, ...others]
  }

  #flooded(vni: number, frame: Frame, by: Of<'member'> | undefined, gets: (port: Of<'member'>) => boolean): readonly Out[] {
    return this.#membersOf(vni).flatMap((port) => (port.ifname !== by?.ifname && gets(port) ? this.#sent(port, frame) : []))
  }

  /** The port behind which a MAC is. */
  #behind(vni: number, mac: number): Of<'member'> | undefined {
    const entry = this.#things.at<'fdb'>(`fdb/${vni}/${printMac(mac)}`)
    const port = entry && this.#things.at<'member'>(`member/${entry.ifname}`)
    return port?.vni === vni ? port : undefined
  }

  /** Answered where the MAC is behind a port that gets no questions; settled: such ports do not get this one. */
  #neighbourOf(vni: number, frame: Frame, by: Of<'member'> | undefined): { readonly answer?: Frame; readonly settled: boolean } {
    const address = isQuestion(frame)
    if (address === undefined || by?.answered === true) return { settled: false }
    if (isAboutOneself(frame)) return { settled: true }
    const neighbour = this.#things.at<'neighbour'>(`neighbour/${vni}/${address}`)
    const port = neighbour && this.#behind(vni, macValue(neighbour.mac))
    if (neighbour === undefined || port === undefined) return { settled: false }
    return port.answered ? { answer: answerTo(frame, neighbour.mac), settled: true } : { settled: true }
  }

  #sent(port: Of<'member'>, frame: Frame): readonly Out[] {
    const { vni, ifname } = port
    const isDoor = ifname === doorName(vni)
    if (ifname !== tunnelName(vni) && !isDoor) return this.#judges.passes(frame, ifname, 'in') ? [{ at: ifname, frame }] : []
    this.#met(ifname)
    const router = this.#things.at<'router'>(`router/${ifname}`)
    const { goesOn, outs } = router?.right === true ? this.#handed(router, frame) : { goesOn: true, outs: [] }
    // A door that leads to no kernel has nothing at its other end.
    return !goesOn || isDoor ? outs : this.#encapsulated(vni, frame)
  }

  #handed({ vni, ifname, to }: Of<'router'>, frame: Frame): { readonly goesOn: boolean; readonly outs: readonly Out[] } {
    if (to === 'nodes') return { goesOn: goesBeyond(frame), outs: [] }
    // What rises to the kernel is in no bridge any more; it comes out where the door leads to.
    return to === 'kernel' ? { goesOn: false, outs: [{ at: ifname, frame }] } : this.#routed(vni, frame, ifname)
  }

  #encapsulated(vni: number, frame: Frame): readonly Out[] {
    if (!this.#things.has(`tunnel/${vni}`)) return []
    const to = this.#things.at<'vtep'>(`vtep/${vni}/${printMac(Number(readField(frame, ethDst)))}`)
    const hosts =
      to !== undefined ? [to.host] : [...this.#things.all].flatMap((each) => (each.kind === 'flood' && each.vni === vni ? [each.host] : []))
    return hosts.map((host) => ({ at: tunnel, frame: onWire(frame).set(tunId, vni).set(tunDst, ipv4Value(host)) }))
  }

  #decapsulated(frame: Frame): readonly Out[] {
    const vni = Number(readField(frame, tunId))
    const host = printValue(tunSrc, readField(frame, tunSrc))
    if (this.#things.has('tunnels')) this.#met(`${tableNames.known} check`)
    if (this.#things.has('tunnels') && !this.#things.has(`known/${vni}/${host}`)) return []
    const port = this.#things.at<'member'>(`member/${tunnelName(vni)}`)
    if (port !== undefined) this.#met(port.ifname)
    return !this.#things.has(`tunnel/${vni}`) || port === undefined ? [] : this.#bridged(vni, onWire(frame), port)
  }

  /** What is for the gateway's MAC goes back into the bridge, to whom its neighbours say; all else of it goes nowhere. */
  #routed(vni: number, frame: Frame, ifname: string): { readonly goesOn: boolean; readonly outs: readonly Out[] } {
    const nowhere = { goesOn: false, outs: [] }
    this.#met(`${tableNames.routes} route`)
    if (Number(readField(frame, ethSrc)) === gateway) return nowhere
    if (Number(readField(frame, ethDst)) !== gateway) return { goesOn: true, outs: [] }
    const to = destinationOf(frame)
    if (to === undefined) return nowhere
    if (this.#things.has(`gateway/${ifname}/${to}`))
      return this.#isPing(frame) ? { goesOn: false, outs: this.#back(vni, echoed(frame)) } : nowhere
    const ttl = Number(readField(frame, ipTtl))
    const neighbour = this.#things.at<'neighbour'>(`neighbour/${vni}/${to}`)
    if (ttl <= 1 || isUnroutable(to) || neighbour === undefined) return nowhere
    return {
      goesOn: false,
      outs: this.#back(
        vni,
        new Map(frame)
          .set(ipTtl, ttl - 1)
          .set(ethDst, macValue(neighbour.mac))
          .set(ethSrc, ownMac(vni)),
      ),
    }
  }

  #back(vni: number, frame: Frame): readonly Out[] {
    return this.#bridged(vni, frame, undefined)
  }

  #isPing(frame: Frame): boolean {
    const proto = Number(readField(frame, ipProto))
    return proto === 1 ? readField(frame, icmpType) === 8 : proto === 58 && readField(frame, icmp6Type) === 128
  }
}

/** From the gateway of this node only what its kernel has routed: each node answers for the gateway itself. */
function goesBeyond(frame: Frame): boolean {
  if (Number(readField(frame, ethDst)) === gateway) return false
  if (Number(readField(frame, ethSrc)) !== gateway) return true
  const type = Number(readField(frame, ethType))
  const isNeighbours = type === type6 && readField(frame, ipProto) === 58 && [135, 136].includes(Number(readField(frame, icmp6Type)))
  return !isNeighbours && (type === type4 || type === type6)
}

function destinationOf(frame: Frame): string | undefined {
  const type = Number(readField(frame, ethType))
  if (type === type4) return printValue(ipv4Dst, readField(frame, ipv4Dst))
  return type === type6 ? printValue(ipv6Dst, readField(frame, ipv6Dst)) : undefined
}

function isUnroutable(to: string): boolean {
  const v6 = to.includes(':')
  const ip = v6 ? ({ family: 6, value: ipv6Value(to) } as const) : ({ family: 4, value: BigInt(ipv4Value(to)) } as const)
  return (v6 ? own6 : own4).some((block) => contains(block, ip))
}

function echoed(frame: Frame): Frame {
  const v6 = Number(readField(frame, ethType)) === type6
  const [src, dst] = v6 ? [ipv6Src, ipv6Dst] : [ipv4Src, ipv4Dst]
  return new Map(frame)
    .set(ethDst, readField(frame, ethSrc))
    .set(ethSrc, gateway)
    .set(src, readField(frame, dst))
    .set(dst, readField(frame, src))
    .set(ipTtl, 64)
    .set(v6 ? icmp6Type : icmpType, v6 ? 129 : 0)
}

/** Announcements, and probes for an address. */
function isAboutOneself(frame: Frame): boolean {
  if (Number(readField(frame, ethType)) === type6) return readField(frame, ipv6Src) === 0n
  const from = readField(frame, arpSpa)
  return from === 0 || from === readField(frame, arpTpa)
}

/** As agent/dataplanes/linux/requests.ts gives it to a bridge. */
const ownMac = (vni: number): number => Number.parseInt(`024d42${vni.toString(16).padStart(6, '0')}`, 16)
