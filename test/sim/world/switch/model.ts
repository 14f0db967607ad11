// Open vSwitch of one machine as a model: rows of its database that outlive everything, and a vswitchd with flows and port numbers, which
// forgets both when it ends. One bridge.
import { SwitchPortRefused } from '../../../../core/errors.ts'
import type { Item } from '../../../../core/node/item.ts'
import type { Flow } from '../../../../core/pipeline/flow.ts'
import { portKey, portText, type SwitchPort, type SwitchValue } from '../../../../core/pipeline/switch.ts'
import type { Dice } from '../../dice.ts'
import type { Frame } from './frame.ts'
import { through, type Out } from './tables.ts'

interface FlowThere {
  readonly key: string
  readonly text: string
  readonly value: Extract<SwitchValue, { readonly kind: 'flow' }>
}

export class SwitchModel {
  readonly #bridges = new Map<string, string>()
  readonly #rows = new Map<string, SwitchPort>()
  /** Numbers as vswitchd gave them, by name. */
  readonly #numbers = new Map<string, number>()
  readonly #flows = new Map<string, FlowThere>()
  readonly #tables = new Map<number, readonly Flow[]>()
  readonly #hasLink: (name: string) => boolean
  /** Whoever looks after it hears that something may be otherwise than it was. */
  readonly drift = new Set<() => void>()
  /** Counts vswitchd's lives: what it was told in one is not known in the next. */
  life = 1
  up = true
  /** When it began, in virtual milliseconds. */
  begunAt = 0

  constructor(hasLink: (name: string) => boolean) {
    this.#hasLink = hasLink
  }

  get rows(): Iterable<SwitchPort> {
    return this.#rows.values()
  }

  get flows(): Iterable<FlowThere> {
    return this.#flows.values()
  }

  *seen(): Generator<readonly [key: string, text: string]> {
    for (const each of this.#bridges) yield each
    for (const row of this.#rows.values()) yield [portKey(row.name), portText({ ...row, number: this.#has(row) ?? row.number })]
    for (const [key, { text }] of this.#flows) yield [key, text]
  }

  putBridge({ key, text }: Item<SwitchValue>): void {
    this.#bridges.set(key, text)
  }

  dropBridge({ key }: Item<SwitchValue>): void {
    this.#bridges.delete(key)
  }

  /** All rows are gone through at each change, and whoever asks for a number that is free has it. @throws SwitchPortRefused */
  putPorts(ports: readonly SwitchPort[]): void {
    for (const port of ports) this.#rows.set(port.name, port)
    this.#number((row) => row.number)
    for (const port of ports) if (this.#has(port) !== port.number) throw new SwitchPortRefused({ name: port.name, number: port.number, reason: 'it is not there, or its number is taken' })
  }

  dropPorts(names: readonly string[]): void {
    for (const name of names) {
      this.#rows.delete(name)
      this.#numbers.delete(name)
    }
  }

  /** One bundle: frames see all of it or nothing of it. */
  changeFlows(drop: readonly Item<SwitchValue>[], put: readonly Item<SwitchValue>[]): void {
    if (drop.length + put.length === 0) return
    for (const { key } of drop) this.#flows.delete(key)
    for (const { key, text, value } of put) if (value.kind === 'flow') this.#flows.set(key, { key, text, value })
    this.#tables.clear()
  }

  /** vswitchd ends. */
  end(): void {
    this.up = false
    this.life++
    this.#flows.clear()
    this.#tables.clear()
    this.#numbers.clear()
  }

  /** And begins anew. @param renumbering ports have other numbers than they asked for: whoever came first has taken them */
  begin(now: number, renumbering?: Dice): void {
    this.begunAt = now
    const asked = [...this.#rows.values()].map(({ number }) => number)
    const given = renumbering === undefined ? asked : shuffled(asked, renumbering)
    let nth = 0
    this.#number(() => given[nth++]!)
    this.up = true
    for (const wake of this.drift) wake()
  }

  /** The power goes: rows stay on the disk, and who they were for is not there any more. */
  powerOff(): void {
    this.end()
    this.drift.clear()
  }

  /** The number of a port, where its interface is there and vswitchd has taken it in. */
  numberOf(name: string): number | undefined {
    const row = this.#rows.get(name)
    return row === undefined || !this.up ? undefined : this.#has(row)
  }

  /** The port that has a number. */
  named(number: number): SwitchPort | undefined {
    return [...this.#rows.values()].find((row) => this.#has(row) === number)
  }

  /** What becomes of a frame that comes in by a port. */
  take(frame: Frame, name: string): readonly Out[] {
    const number = this.numberOf(name)
    return number === undefined ? [] : through((table) => this.#flowsOf(table), frame, number)
  }

  #has({ name, type }: SwitchPort): number | undefined {
    return type === 'vxlan' || this.#hasLink(name) ? this.#numbers.get(name) : undefined
  }

  #number(wish: (row: SwitchPort) => number): void {
    this.#numbers.clear()
    const taken = new Set<number>()
    for (const row of this.#rows.values()) {
      const number = wish(row)
      if (!taken.has(number)) this.#numbers.set(row.name, number)
      taken.add(number)
    }
  }

  #flowsOf(table: number): readonly Flow[] {
    const known = this.#tables.get(table)
    if (known !== undefined) return known
    const made = [...this.#flows.values()].map(({ value }) => value.flow).filter((flow) => flow.table === table).sort((a, b) => b.priority - a.priority)
    this.#tables.set(table, made)
    return made
  }
}

function shuffled(numbers: readonly number[], dice: Dice): number[] {
  const left = [...numbers]
  return numbers.map(() => left.splice(dice.int(left.length), 1)[0]!)
}
