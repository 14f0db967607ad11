// Packets between the interfaces of all machines: each asks its own switch for a neighbour, sends, and is carried from switch to switch.
import { arpOp, arpSha, ethDst, icmp6Type, ipv4Src, ipv6Src, ndTll, tunDst, tunId, tunSrc } from '../../../core/pipeline/openflow/fields.ts'
import { blockOf, contains } from '../../../core/net/cidr.ts'
import { gatewayMac } from '../../../core/net/gateway-mac.ts'
import { parseIp } from '../../../core/net/ip.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import { ipv4Value, macValue, printValue } from '../../../core/pipeline/openflow/values.ts'
import type { Inside } from '../../../agent/links/links.ts'
import type { Dice } from '../dice.ts'
import { nodeAddress } from '../layout.ts'
import type { Site } from '../site.ts'
import type { Handed } from './functions.ts'
import type { Machine, Machines } from './machines.ts'
import { tunnel, type Out } from './planes/plane.ts'
import { Forwarding, routed, type Way } from './routing/forwarding.ts'
import type { Routing } from './routing/routing.ts'
import { bytesOf } from '../../../core/pipeline/model/bytes.ts'
import { onWire, readField, type Frame } from '../../../core/pipeline/model/frame.ts'
import { answerTo, isQuestion } from '../../../core/pipeline/model/questions.ts'
import { datagram, question } from './switch/frame.ts'

/** An interface, on the machine where it is. */
export interface Station {
  readonly machine: Machine
  readonly port: LocalPort
  readonly inside: Inside
}
/** One packet on its way. */
export interface Flight {
  readonly from: Station
  /** Of the station, or what it pretends to be. */
  readonly source: string
  readonly to: string
  /** The MAC is what the sender's own switch answered just now. */
  readonly asked: boolean
  readonly arrived: Arrival[]
  /** Those that kernels have passed on. */
  readonly ways: Way[]
  /** Functions that it was handed to, in order, and whether each has sent it on. */
  readonly handed: { readonly at: Station; readonly sentOn: boolean }[]
}
export interface Arrival {
  readonly at: Station
  readonly source: string
  /** Its own MAC was on the frame: whoever listens to the interface as any program does has read it. */
  readonly read: boolean
  /** Kernels have passed it on. */
  readonly routed: boolean
}
/** Where one packet came to. */
export type Walked = Pick<Flight, 'arrived' | 'ways' | 'handed'>
/** A frame on its way into a data plane. */
interface Hop {
  readonly machine: Machine
  readonly at: string
  readonly frame: Frame
}
export interface Listener {
  sent?(flight: Flight): void
  ended(flight: Flight): void
}

const wayMs = 3
const toAll = { mac: macValue('ff:ff:ff:ff:ff:ff'), address: '255.255.255.255' }

export class Traffic {
  readonly #site: Site
  readonly #machines: Machines
  readonly #dice: Dice
  readonly #forwarding: Forwarding
  readonly #listeners: Listener[] = []

  constructor(site: Site, machines: Machines, routing: Routing) {
    this.#forwarding = new Forwarding(routing)
    this.#site = site
    this.#machines = machines
    this.#dice = site.dice.fork('traffic')
  }

  on(listener: Listener): void {
    this.#listeners.push(listener)
  }

  *stations(): Generator<Station> {
    for (const machine of this.#machines.all.values())
      for (const { port, inside } of machine.links.there.values())
        if (port.attachment.kind === 'vni' && !machine.severed && this.#machines.vms.isOpen(port, machine.name))
          yield { machine, port, inside }
  }

  /**
   * Sends one packet, which takes its time between machines.
   * @returns the neighbour's MAC that was used, for the next one; undefined where nobody answered
   */
  send(
    from: Station,
    to: string,
    { source, mac: known }: { readonly source?: string | undefined; readonly mac?: number | undefined } = {},
  ): number | undefined {
    const begun = flightOf(from, to, source)
    if (begun === undefined) return undefined
    const flight: Flight = { ...begun, asked: known === undefined }
    for (const each of this.#listeners) each.sent?.(flight)
    const mac = known ?? this.#resolved(from, to)
    let under = 1
    const done = (): void => {
      if (--under > 0) return
      this.#site.scheduler.say(
        from.machine.name,
        `packet ${from.port.ifcName} ${flight.source} to ${to}: ${flight.arrived.map(({ at }) => `${at.machine.name} ${at.port.ifcName}`).join(', ') || 'lost'}`,
      )
      for (const each of this.#listeners) each.ended(flight)
    }
    const hop = (machine: Machine, name: string, frame: Frame): void => {
      if (name === from.port.ifcName) this.#machines.passes(machine, name, 'sent', bytesOf(frame))
      for (const next of this.#taken(machine, name, frame, flight)) {
        under++
        this.#site.scheduler.after(0.2 + this.#dice.next() * wayMs, 'a packet comes to a data plane', () => {
          hop(next.machine, next.at, next.frame)
          done()
        })
      }
    }
    if (mac !== undefined)
      hop(from.machine, from.port.ifcName, datagram({ mac: from.port.mac, address: flight.source }, { mac, address: to }))
    done()
    return mac
  }

  /** The same at once, and told to nobody. */
  reach(from: Station, to: string): Walked {
    return this.#machines.asked(() => this.#walked(from, to))
  }

  /** The same to all, by IPv4. */
  reachAll(from: Station): Walked {
    return this.#machines.asked(() => {
      const walked: Walked = { arrived: [], ways: [], handed: [] }
      const source = ownOf(from, toAll.address)
      if (source === undefined) return walked
      const frame = datagram({ mac: from.port.mac, address: source }, toAll)
      this.#follow([{ machine: from.machine, at: from.port.ifcName, frame }], walked)
      return walked
    })
  }

  /** The same from outside, where the gateway has it. */
  reachFromOutside(source: string, to: string): Walked {
    return this.#machines.asked(() => {
      const walked: Walked = { arrived: [], ways: [], handed: [] }
      const frame = datagram({ mac: gatewayMac, address: source }, { mac: macValue(gatewayMac), address: to })
      this.#follow(this.#passedOn(this.#forwarding.walk('gateway', { source, destination: to }), frame, walked), walked)
      return walked
    })
  }

  #walked(from: Station, to: string): Walked {
    const flight = flightOf(from, to)
    const mac = flight && this.#resolved(from, to)
    if (flight === undefined || mac === undefined) return { arrived: [], ways: [], handed: [] }
    const frame = datagram({ mac: from.port.mac, address: flight.source }, { mac, address: to })
    this.#follow([{ machine: from.machine, at: from.port.ifcName, frame }], flight)
    return flight
  }

  #follow(hops: readonly Hop[], walked: Walked): void {
    for (const { machine, at, frame } of hops) this.#follow(this.#taken(machine, at, frame, walked), walked)
  }

  /** Whether the station has a way there at all, as its addresses and routes say, and what its data plane can. */
  hasWay(from: Station, to: string): boolean {
    if (isV6(to) && !from.machine.plane.findsV6) return false
    return flightOf(from, to) !== undefined && nextHop(from, to) !== undefined
  }

  /** What comes out here has arrived; what goes on does so by tunnels, and nothing goes where no machine is. */
  #taken(machine: Machine, name: string, frame: Frame, flight: Walked): readonly Hop[] {
    return machine.plane.take(frame, name).flatMap(({ at, frame: out }) => {
      if (at === tunnel) return this.#tunnelled(machine, out)
      const way = this.#forwarding.from(machine, at, out)
      if (way !== undefined) return this.#passedOn(way, out, flight)
      const there = machine.links.there.get(at)
      if (there !== undefined) {
        this.#machines.passes(machine, there.port.ifcName, 'received', bytesOf(out))
        const handed = this.#machines.functions.handed(there, out)
        if (handed !== undefined) return this.#handedOn({ machine, ...there }, handed, flight)
        flight.arrived.push({
          at: { machine, ...there },
          source: sourceOf(out),
          read: readField(out, ethDst) === macValue(there.port.mac),
          routed: flight.ways.length > 0,
        })
      }
      return []
    })
  }

  /** Through a pod that forwards: as any router it asks who has the address, and sends the packet there. */
  #handedOn(at: Station, { to, sentOn }: Handed, { handed }: Walked): readonly Hop[] {
    handed.push({ at, sentOn: sentOn !== undefined })
    const mac = sentOn && this.#resolved(at, to)
    if (sentOn === undefined || mac === undefined) return []
    const frame = new Map(sentOn).set(ethDst, mac)
    this.#machines.passes(at.machine, at.port.ifcName, 'sent', bytesOf(frame))
    return [{ machine: at.machine, at: at.port.ifcName, frame }]
  }

  #passedOn(way: Way, given: Frame, { ways }: Walked): readonly Hop[] {
    ways.push(way)
    const { end } = way
    const out = routed(given, way)
    return end.to !== 'router' || out === undefined ? [] : [{ machine: end.machine, at: out.door, frame: out.frame }]
  }

  #tunnelled(machine: Machine, frame: Frame): readonly Hop[] {
    const to = [...this.#machines.all.values()].find(({ name }) => ipv4Value(nodeAddress(name)) === readField(frame, tunDst))
    if (to === undefined || !to.up || to.severed || machine.severed) return []
    const inner = onWire(frame)
    inner.set(tunId, readField(frame, tunId))
    inner.set(tunSrc, ipv4Value(nodeAddress(machine.name)))
    return [{ machine: to, at: tunnel, frame: inner }]
  }

  /** An address that its own data plane answers for, or a guest that answers itself: on another node where its network floods. */
  #resolved(from: Station, to: string): number | undefined {
    const hop = nextHop(from, to)
    const own = hop && ownOf(from, hop)
    if (hop === undefined || own === undefined) return undefined
    const { machine, port } = from
    const v6 = hop.includes(':')
    const heard = this.#answers(from, { machine, at: port.ifcName, frame: question({ mac: port.mac, address: own }, hop) })
    const answer = heard.find((frame) => (v6 ? readField(frame, icmp6Type) === 136 : readField(frame, arpOp) === 2))
    return answer && Number(readField(answer, v6 ? ndTll : arpSha))
  }

  /** What comes back to the station of what it, or a guest that it has asked, sends. */
  #answers(to: Station, { machine, at, frame }: Hop): readonly Frame[] {
    return machine.plane.take(frame, at).flatMap((out) => {
      if (out.at === tunnel) return this.#tunnelled(machine, out.frame).flatMap((hop) => this.#answers(to, hop))
      if (machine === to.machine && out.at === to.port.ifcName) return [out.frame]
      const answer = emittedFrame(machine, out)
      return answer === undefined ? [] : this.#answers(to, { machine, at: out.at, frame: answer })
    })
  }
}

/** What a guest answers that is asked for an address of its own. */
function emittedFrame({ links }: Machine, { at, frame }: Out): Frame | undefined {
  const guest = links.there.get(at)
  const asked = isQuestion(frame)
  return guest?.port.addresses.some((each) => each === asked) === true ? answerTo(frame, guest.port.mac) : undefined
}

const isV6 = (address: string): boolean => address.includes(':')
/** Its address of that family. */
const ownOf = ({ port }: Station, to: string): string | undefined => port.addresses.find((each) => isV6(each) === isV6(to))

function flightOf(from: Station, to: string, source = ownOf(from, to)): Flight | undefined {
  return source === undefined || isV6(source) !== isV6(to)
    ? undefined
    : { from, source, to, asked: true, arrived: [], ways: [], handed: [] }
}

/** On the link, or by a route. Of an interface without addresses the guest knows, whom we do not: it asks for everybody. */
function nextHop({ inside }: Station, to: string): string | undefined {
  const ip = parseIp(to)
  if (ip === undefined) return undefined
  const holds = (block: string): boolean => {
    const [address = '', length] = block.split('/')
    const first = parseIp(address)
    return first !== undefined && contains(blockOf(first, Number(length)), ip)
  }
  if (inside.addresses.length === 0 || inside.addresses.some(holds)) return to
  return inside.routes.find(({ to: block }) => holds(block))?.via
}

function sourceOf(frame: Frame): string {
  const v6 = readField(frame, ipv6Src)
  return v6 === 0n ? printValue(ipv4Src, readField(frame, ipv4Src)) : printValue(ipv6Src, v6)
}
