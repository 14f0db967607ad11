// Packets in VLANs of a physical network: from pods' interfaces, and from whoever else is on its wire, to one alone or to all.
import { ipv4Src, tagPresent, vlanVid } from '../../../core/pipeline/openflow/fields.ts'
import { macValue, printValue } from '../../../core/pipeline/openflow/values.ts'
import { onWire, readField, type Frame } from '../../../core/pipeline/model/frame.ts'
import { defaultNetwork } from '../../../core/plan/l2/switch-ports.ts'
import type { Dice } from '../dice.ts'
import type { Site } from '../site.ts'
import { bytesOf } from '../../../core/pipeline/model/bytes.ts'
import { type Machine, type Machines } from './machines.ts'
import { podOfNetns } from './netns.ts'
import { datagram } from './switch/frame.ts'
import { uplink } from './switch/names.ts'
import type { Station } from './traffic.ts'

/** That of ConnectionPoints which name none. */
export const physicalNetwork = defaultNetwork

/** Somebody in a VLAN: a pod's interface there, or a stranger on the wire. */
export interface VlanStation extends Station {
  readonly vlan: number
}
export interface VlanFlight {
  /** Absent: a stranger. */
  readonly from: VlanStation | undefined
  readonly vlan: number
  readonly source: string
  readonly to: string
  /** Virtual milliseconds. */
  readonly sentAt: number
  readonly arrived: VlanStation[]
}
export type VlanListener = (flight: VlanFlight, at: VlanStation | undefined) => void

/** Whoever of the pods has an address has it by his own word: there is no plugin that gives any. */
export const addressOf = ({ inside }: Pick<Station, 'inside'>): string => {
  const { namespace = '', name = '' } = podOfNetns(inside.netns ?? '') ?? {}
  return `10.1.${namespace.length}.${name.slice(1)}`
}
export const strangers = ['10.1.1.200', '192.0.2.200'] as const
const strangersMac = '02:00:00:00:09:09'
export const toAll = 'ff:ff:ff:ff:ff:ff'
const wayMs = 3

export class VlanTraffic {
  readonly #site: Site
  readonly #machines: Machines
  readonly #dice: Dice
  readonly #listeners: VlanListener[] = []

  constructor(site: Site, machines: Machines) {
    this.#site = site
    this.#machines = machines
    this.#dice = site.dice.fork('traffic in VLANs')
  }

  /** Hears of each packet that comes to a pod's interface, and of each that has come onto the wire. */
  on(listener: VlanListener): void {
    this.#listeners.push(listener)
  }

  /** Each in each of its VLANs. */
  *stations(): Generator<VlanStation> {
    for (const machine of this.#machines.all.values()) if (!machine.severed) yield* stationsOn(machine)
  }

  send(from: VlanStation, mac: string, to: string): void {
    const flight = this.#begun({ from, vlan: from.vlan, source: addressOf(from), to })
    this.#hop(flight, from.machine, from.port.ifcName, sentBy(from, mac, to))
  }

  /** From the wire to all nodes. */
  sendFromOutside(vlan: number, source: string, { mac, to }: { readonly mac: string; readonly to: string }): void {
    const flight = this.#begun({ from: undefined, vlan, source, to })
    const frame = datagram({ mac: strangersMac, address: source }, { mac: macValue(mac), address: to })
    this.#onWire(flight, undefined, new Map(frame).set(vlanVid, tagPresent + vlan))
  }

  /** The same at once, and told to nobody. */
  reach(from: VlanStation, mac: string, to: string): readonly VlanStation[] {
    const flight = this.#begun({ from, vlan: from.vlan, source: addressOf(from), to })
    const hop = (machine: Machine, at: string, frame: Frame): void => {
      for (const out of machine.plane.take(frame, at)) {
        if (out.at === uplink) this.#others(machine).forEach((other) => hop(other, uplink, onWire(out.frame)))
        else flight.arrived.push(...this.#at(machine, out.at, out.frame))
      }
    }
    this.#machines.asked(() => hop(from.machine, from.port.ifcName, sentBy(from, mac, to)))
    return flight.arrived
  }

  #begun(of: Omit<VlanFlight, 'arrived' | 'sentAt'>): VlanFlight {
    return { ...of, sentAt: this.#site.scheduler.now, arrived: [] }
  }

  #others(machine: Machine | undefined): readonly Machine[] {
    if (machine?.severed === true) return []
    return [...this.#machines.all.values()].filter((other) => other !== machine && other.up && !other.severed)
  }

  #hop(flight: VlanFlight, machine: Machine, at: string, frame: Frame): void {
    if (at !== uplink) this.#machines.passes(machine, at, 'sent', bytesOf(frame))
    for (const out of machine.plane.take(frame, at)) {
      if (out.at === uplink) this.#onWire(flight, machine, onWire(out.frame))
      else for (const station of this.#at(machine, out.at, out.frame)) this.#arrive(flight, station, out.frame)
    }
  }

  #onWire(flight: VlanFlight, by: Machine | undefined, frame: Frame): void {
    if (by !== undefined) this.#tell(flight, undefined)
    for (const other of this.#others(by))
      this.#site.scheduler.after(0.2 + this.#dice.next() * wayMs, 'a packet comes by the wire', () =>
        this.#hop(flight, other, uplink, frame),
      )
  }

  #at(machine: Machine, ifcName: string, frame: Frame): readonly VlanStation[] {
    const there = machine.links.there.get(ifcName)
    if (there?.port.attachment.kind !== 'vlan') return []
    const tag = Number(readField(frame, vlanVid))
    const { mode, vlans } = there.port.attachment
    return [{ machine, ...there, vlan: mode === 'access' ? (vlans[0] ?? 0) : tag - tagPresent }]
  }

  #arrive(flight: VlanFlight, station: VlanStation, frame: Frame): void {
    this.#machines.passes(station.machine, station.port.ifcName, 'received', bytesOf(frame))
    flight.arrived.push(station)
    this.#site.scheduler.say(
      station.machine.name,
      `packet in VLAN ${flight.vlan} of ${printValue(ipv4Src, readField(frame, ipv4Src))} to ${flight.to} comes to ${station.port.ifcName}`,
    )
    this.#tell(flight, station)
  }

  #tell(flight: VlanFlight, at: VlanStation | undefined): void {
    for (const listener of this.#listeners) listener(flight, at)
  }
}

function* stationsOn(machine: Machine): Generator<VlanStation> {
  for (const { port, inside } of machine.links.there.values())
    if (port.attachment.kind === 'vlan' && port.of.kind === 'L2ServiceAttachment')
      for (const vlan of port.attachment.vlans) yield { machine, port, inside, vlan }
}

/** With a tag where the interface is in several VLANs. */
function sentBy(from: VlanStation, mac: string, to: string): Frame {
  const frame = datagram({ mac: from.port.mac, address: addressOf(from) }, { mac: macValue(mac), address: to })
  const { attachment } = from.port
  return attachment.kind === 'vlan' && attachment.mode !== 'access' ? new Map(frame).set(vlanVid, tagPresent + from.vlan) : frame
}
