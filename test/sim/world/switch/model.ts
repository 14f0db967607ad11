// Open vSwitch of one machine as a model: rows of its database that outlive everything, and a vswitchd with flows and port numbers, which
// forgets both when it ends. A bridge of a physical network is a learning switch beside the overlay's.
import { FlowRefused, SwitchPortRefused } from '../../../../core/errors.ts'
import type { Item } from '../../../../core/node/item.ts'
import { flowKey, flowText, type Flow } from '../../../../core/pipeline/openflow/flow.ts'
import { bridgeKey, flowKeyOf, portKey, portText, type SwitchPort, type SwitchValue } from '../../../../core/pipeline/ovsdb/switch.ts'
import type { Dice } from '../../dice.ts'
import { onWire, type Frame } from '../../../../core/pipeline/model/frame.ts'
import { LearningSwitch } from './learning.ts'
import { Connections } from '../../../../core/pipeline/model/conntrack.ts'
import { Shelf, usesOf, type Shelved } from './shelf.ts'
import { through, type Tables } from '../../../../core/pipeline/model/tables.ts'
import { isPlace, placesOf } from './places.ts'
import { bridge as overlay, tunnelPort } from './names.ts'
import { tunnel, type Out, type PlacedEnd, type PlaneModel } from '../planes/plane.ts'

interface FlowThere {
  readonly key: string
  readonly text: string
  readonly value: Extract<SwitchValue, { readonly kind: 'flow' }>
}

export class SwitchModel implements PlaneModel {
  readonly name = 'ovs'
  readonly findsV6 = true
  readonly pausedAt = undefined
  readonly lastPausedAt = -1
  readonly #bridges = new Map<string, string>()
  readonly #rows = new Map<string, SwitchPort>()
  /** Numbers as vswitchd gave them, by name. */
  readonly #numbers = new Map<string, number>()
  readonly #flows = new Map<string, FlowThere>()
  /** By bridge. */
  readonly #tables = new Map<string, Map<number, readonly Flow[]>>()
  readonly #asked = new Map<string, Tables>()
  readonly #learning = new Map<string, LearningSwitch>()
  readonly #hasLink: (name: string) => boolean
  readonly #connections = new Connections()
  readonly #shelf = new Shelf()
  /** Whoever looks after it hears that something may be otherwise than it was. */
  readonly drift = new Set<() => void>()
  /** Whoever hears of packets that flows send to their controller. */
  readonly listeners = new Set<(flow: Flow, frame: Frame) => void>()
  /** False while somebody only asks what would become of a frame: then nobody hears of it. */
  #isHeard = true
  /** Called after each change, while a port has another number than its row asks for. */
  onAmiss: () => void = () => undefined
  /** Counts vswitchd's lives: what it was told in one is not known in the next. */
  life = 1
  up = true
  /** When it began, in virtual milliseconds. */
  begunAt = 0

  /** Physical network → the interface that leads there. */
  readonly uplinks: Readonly<Record<string, string>>

  constructor(hasLink: (name: string) => boolean, uplinks: Readonly<Record<string, string>> = {}) {
    this.#hasLink = (name) => Object.values(uplinks).includes(name) || hasLink(name)
    this.uplinks = uplinks
  }

  get rows(): Iterable<SwitchPort> {
    return this.#rows.values()
  }

  get flows(): Iterable<FlowThere> {
    return this.#flows.values()
  }

  leadsToKernel(): boolean {
    return true
  }

  *seen(): Generator<readonly [key: string, text: string]> {
    for (const each of this.#bridges) yield each
    for (const row of this.#rows.values()) yield [portKey(row.name), portText({ ...row, number: this.#has(row) ?? row.number })]
    yield* this.#shelf.seen()
    for (const [key, { text }] of this.#flows) yield [key, text]
  }

  putOthers(items: Iterable<Item<Shelved>>): void {
    for (const { key, text, value } of items) this.#shelf.put(key, text, value)
  }

  /** A group or meter takes along the flows that use it. */
  dropOthers(items: Iterable<Item<Shelved>>): void {
    for (const { key, value } of items) {
      this.#shelf.drop(key)
      for (const [flowKey, there] of this.#flows) if (usesOf(there.value.flow, value)) this.#flows.delete(flowKey)
    }
    this.#tables.clear()
  }

  putBridge({ key, text }: Item<SwitchValue>): void {
    this.#bridges.set(key, text)
  }

  dropBridge(name: string): void {
    this.#bridges.delete(bridgeKey(name))
  }

  /**
   * All rows are gone through at each change, also where one goes, and whoever asks for a number that is free has it.
   * @throws SwitchPortRefused
   */
  putPorts(ports: readonly SwitchPort[]): void {
    for (const port of ports) this.#rows.set(port.name, port)
    this.#number((row) => row.number)
    this.#changed()
    for (const port of ports)
      if (this.#has(port) !== port.number)
        throw new SwitchPortRefused({ name: port.name, number: port.number, reason: 'it is not there, or its number is taken' })
  }

  dropPorts(names: readonly string[]): void {
    for (const name of names) this.#rows.delete(name)
    this.#number((row) => row.number)
    this.#changed()
  }

  /** One bundle: frames see all of it or nothing of it. @throws FlowRefused where a flow uses a group that is not there */
  changeFlows(bridge: string, drops: readonly Flow[], puts: readonly Flow[]): void {
    const refused = puts.find((flow) => !this.#shelf.has(flow))
    if (refused !== undefined) throw new FlowRefused({ bridge, flow: flowKey(refused), reason: 'bad action: bad group' })
    for (const flow of drops) this.#flows.delete(flowKeyOf(bridge, flowKey(flow)))
    for (const flow of puts) {
      const key = flowKeyOf(bridge, flowKey(flow))
      this.#flows.set(key, { key, text: flowText(flow), value: { kind: 'flow', bridge, flow } })
    }
    this.#tables.clear()
    this.#changed()
  }

  /** vswitchd ends. */
  end(): void {
    this.up = false
    this.life++
    this.#flows.clear()
    this.#shelf.end()
    this.#tables.clear()
    this.#numbers.clear()
  }

  /** And begins anew. @param renumbering two ports have each other's number: whoever came first has taken it */
  begin(now: number, renumbering?: Dice): void {
    this.begunAt = now
    const asked = [...this.#rows.values()].map(({ number }) => number)
    const given = renumbering === undefined ? asked : swapped(asked, renumbering)
    let nth = 0
    this.#number(() => given[nth++]!)
    this.up = true
    this.#changed()
    for (const wake of this.drift) wake()
  }

  /** The power goes: rows stay on the disk, and who they were for is not there any more. */
  powerOff(): void {
    this.end()
    this.#connections.clear()
    this.drift.clear()
  }

  /** The number of a port, where its interface is there and vswitchd has taken it in. */
  numberOf(name: string): number | undefined {
    const row = this.#rows.get(name)
    return row === undefined || !this.up ? undefined : this.#has(row)
  }

  /** The port that has a number. */
  named(number: number, bridge: string = overlay): SwitchPort | undefined {
    return [...this.#rows.values()].find((row) => row.bridge === bridge && this.#has(row) === number)
  }

  /** Its ports go by names. */
  unplugged(): void {}

  /** What frames would do: no packet is sent. */
  asked<T>(asking: () => T): T {
    this.#isHeard = false
    try {
      return asking()
    } finally {
      this.#isHeard = true
    }
  }

  /** @param met told of each flow that it meets */
  take(frame: Frame, from: string, met?: (flow: Flow) => void): readonly Out[] {
    const row = this.#rows.get(from === tunnel ? tunnelPort : from)
    return row === undefined ? [] : this.#taken(frame, row, met)
  }

  /** Through the bridge that a port is on, and from there by a pair of patch ports through the other. */
  #taken(frame: Frame, row: SwitchPort, met?: (flow: Flow) => void): readonly Out[] {
    const number = this.numberOf(row.name)
    const outs = number === undefined ? [] : through(this.#tablesOf(row.bridge), frame, number, met)
    return outs.flatMap((out) => {
      const to = this.named(out.number, row.bridge)
      if (to === undefined) return []
      if (to.type !== 'patch') return [{ at: to.name === tunnelPort ? tunnel : to.name, frame: out.frame }]
      const peer = this.#rows.get(to.options['peer'] ?? '')
      return peer === undefined ? [] : this.#taken(onWire(out.frame), peer, met)
    })
  }

  /** Rows outlive everything. */
  leftOver(): readonly string[] {
    return [...this.#rows.values()].flatMap(({ name, type }) => (type === 'vxlan' || type === 'patch' || this.#hasLink(name) ? [] : [name]))
  }

  *places(): Generator<readonly [key: string, text: string]> {
    for (const { key, text, value } of this.#flows.values()) if (isPlace({ value })) yield [key, text]
  }

  *placesOf(piece: PlacedEnd): Generator<readonly [key: string, text: string]> {
    yield* placesOf(piece)
  }

  #tablesOf(bridge: string): Tables {
    const known = this.#asked.get(bridge)
    if (known !== undefined) return known
    const made: Tables = {
      flowsOf: (table) => this.#flowsOf(bridge, table),
      group: (id) => this.#shelf.group(id),
      isUp: (number) => this.named(number, bridge) !== undefined,
      connections: this.#connections,
      toController: (flow, frame) => (this.#isHeard ? this.listeners.forEach((take) => take(flow, frame)) : undefined),
      normal: (frame, number) => this.#learningOn(bridge).gives(frame, number, this.#portsOn(bridge)),
    }
    this.#asked.set(bridge, made)
    return made
  }

  #learningOn(bridge: string): LearningSwitch {
    const known = this.#learning.get(bridge) ?? new LearningSwitch()
    this.#learning.set(bridge, known)
    return known
  }

  /** By their numbers. */
  #portsOn(bridge: string): ReadonlyMap<number, SwitchPort> {
    return new Map(
      [...this.#rows.values()].flatMap((row) => {
        const number = row.bridge === bridge ? this.#has(row) : undefined
        return number === undefined ? [] : [[number, row] as const]
      }),
    )
  }

  #changed(): void {
    if ([...this.#rows.values()].some((row) => (this.#has(row) ?? row.number) !== row.number)) this.onAmiss()
  }

  #has({ name, type }: SwitchPort): number | undefined {
    return type === 'vxlan' || type === 'patch' || this.#hasLink(name) ? this.#numbers.get(name) : undefined
  }

  #number(wish: (row: SwitchPort) => number): void {
    this.#numbers.clear()
    const taken = new Set<string>()
    for (const row of this.#rows.values()) {
      const number = wish(row)
      const key = `${row.bridge} ${number}`
      if (!taken.has(key)) this.#numbers.set(row.name, number)
      taken.add(key)
    }
  }

  #flowsOf(bridge: string, table: number): readonly Flow[] {
    const tables = this.#tables.get(bridge) ?? new Map<number, readonly Flow[]>()
    const known = tables.get(table)
    if (known !== undefined) return known
    const made = [...this.#flows.values()]
      .flatMap(({ value }) => (value.bridge === bridge && value.flow.table === table ? [value.flow] : []))
      .sort((a, b) => b.priority - a.priority)
    tables.set(table, made)
    this.#tables.set(bridge, tables)
    return made
  }
}

/** Two have each other's. */
function swapped(numbers: readonly number[], dice: Dice): number[] {
  const made = [...numbers]
  if (made.length < 2) return made
  const one = dice.int(made.length)
  const other = (one + 1 + dice.int(made.length - 1)) % made.length
  ;[made[one], made[other]] = [made[other]!, made[one]!]
  return made
}
