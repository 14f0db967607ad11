// What becomes of a packet that a data plane hands to its node's kernel, from node to node until one hands it to its data plane again.
import { parseIp } from '../../../../core/net/ip.ts'
import { doorName, guardMark, routerName } from '../../../../core/net/router-name.ts'
import { onWire, readField, type Frame } from '../../../../core/pipeline/model/frame.ts'
import { ethDst, ethSrc, ethType, ipTtl, ipv4Dst, ipv4Src, ipv6Dst, ipv6Src } from '../../../../core/pipeline/openflow/fields.ts'
import { macValue, printValue } from '../../../../core/pipeline/openflow/values.ts'
import { nodeAddress } from '../../layout.ts'
import type { Machine } from '../machines.ts'
import { gatewayAddress, gatewayTable } from './gateway.ts'
import { bestRoute, kernelVerdictOn, type Packet, type RouterPair } from './kernel.ts'
import type { Routing } from './routing.ts'

export type PacketPlace = Machine | 'gateway'
/** Where a packet was that kernels have passed on, in order, and where it came out. */
export interface Way {
  /** VNI whose router it came in by; absent: it came from outside. */
  readonly from?: number
  /** Names of nodes, and `gateway`. */
  readonly hops: readonly string[]
  readonly end: WayEnd
}
export type WayEnd =
  | { readonly to: 'router'; readonly machine: Machine; readonly pair: RouterPair; readonly mac: string }
  | { readonly to: 'outside' }
  | { readonly to: 'nowhere'; readonly why: string }
  /** It comes again where it was. */
  | { readonly to: 'loop' }

type Step = WayEnd | { readonly to: 'next'; readonly place: PacketPlace }
const nowhere = (why: string): Step => ({ to: 'nowhere', why })

export class Forwarding {
  readonly #routing: Routing

  constructor(routing: Routing) {
    this.#routing = routing
  }

  /** @param door by which a data plane has handed it on; undefined where that is no door of the machine's kernel */
  from(machine: Machine, door: string, frame: Frame): Way | undefined {
    const pair = machine.kernel.linkOf(door)?.pair
    if (pair === undefined) return undefined
    const isTaken = pair.up.has(pair.router) && pair.up.has(pair.door) && readField(frame, ethDst) === macValue(pair.mac)
    if (!isTaken) return { from: pair.vni, hops: [machine.name], end: { to: 'nowhere', why: 'it is not for the router' } }
    return this.walk(machine, packetOf(frame), pair)
  }

  /** @param iif the router that it comes in by; absent: by the link of the nodes */
  walk(begin: PacketPlace, packet: Packet, iif?: RouterPair): Way {
    const hops: string[] = []
    let [place, by] = [begin, iif]
    const seen = new Set<PacketPlace>()
    const from = iif === undefined ? {} : { from: iif.vni }
    for (;;) {
      hops.push(place === 'gateway' ? place : place.name)
      const step = by === undefined && seen.has(place) ? ({ to: 'loop' } as const) : this.#stepAt(place, packet, by)
      if (step.to !== 'next') return { ...from, hops, end: step }
      if (by === undefined) seen.add(place)
      ;[place, by] = [step.place, undefined]
    }
  }

  #stepAt(place: PacketPlace, packet: Packet, iif: RouterPair | undefined): Step {
    const { destination } = packet
    if (place === 'gateway') return this.#outside(destination)
    const { kernel, name } = place
    if (destination === nodeAddress(name)) return nowhere('it is for the node itself')
    const verdict = kernelVerdictOn(kernel, packet, iif && routerName(iif.vni))
    if (verdict.to === 'nowhere') return verdict
    if (verdict.to === 'router') return toRouter(place, verdict.pair, destination)
    if (iif !== undefined && !leadsBack(place, packet, iif)) return nowhere(`${packet.source} does not lead back to its router`)
    return this.#sent(nodeAddress(name), verdict.address)
  }

  #outside(destination: string): Step {
    const ip = parseIp(destination)
    const route = ip && bestRoute(this.#routing.gateway.kernel, gatewayTable, ip)
    return route?.via === undefined ? { to: 'outside' } : this.#sent(gatewayAddress, route.via)
  }

  #sent(from: string, to: string): Step {
    if (!this.#routing.joined(from, to)) return nowhere(`${to} is not reached`)
    return { to: 'next', place: to === gatewayAddress ? 'gateway' : this.#routing.machineAt(to)! }
  }
}

/** As the table of nftables asks that guards routers (core/linux/router-guard.ts). */
export function leadsBack({ kernel }: Machine, { source, destination }: Packet, iif: RouterPair): boolean {
  return [0, guardMark].some((mark) => {
    const back = kernelVerdictOn(kernel, { source: destination, destination: source, mark })
    return back.to === 'router' && back.pair === iif
  })
}

/** Nobody is asked who has an address: all neighbours are told. */
function toRouter(machine: Machine, pair: RouterPair, destination: string): Step {
  const neighbour = machine.kernel.neighbours.get(`${pair.router} ${destination}`)
  if (neighbour === undefined) return nowhere(`nobody at the router of VNI ${pair.vni} has ${destination}`)
  return { to: 'router', machine, pair, mac: neighbour.mac }
}

/** As the last router sends it to the neighbour. @returns undefined where its hops are used up on the way */
export function routed(frame: Frame, { hops, end }: Way): { readonly door: string; readonly frame: Frame } | undefined {
  const ttl = Number(readField(frame, ipTtl)) - hops.length
  if (end.to !== 'router' || ttl < 1) return undefined
  const made = onWire(frame).set(ethDst, macValue(end.mac)).set(ethSrc, macValue(end.pair.mac)).set(ipTtl, ttl)
  return { door: doorName(end.pair.vni), frame: made }
}

function packetOf(frame: Frame): Packet {
  const [src, dst] = readField(frame, ethType) === 0x86dd ? [ipv6Src, ipv6Dst] : [ipv4Src, ipv4Dst]
  return { source: printValue(src, readField(frame, src)), destination: printValue(dst, readField(frame, dst)) }
}
