// Ports of one Subnet on one VNI, counted by node as they come and go: a picture of the whole is made from counts, and costs no look at
// each Port.
import type { Resource } from '../../kinds/index.ts'
import { SortedKeys } from './sorted-keys.ts'

/** How many of each. */
export class Tally {
  readonly #counts = new Map<string, number>()

  add(what: string, by = 1): void {
    const count = this.of(what) + by
    if (count === 0) this.#counts.delete(what)
    else this.#counts.set(what, count)
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0
  }

  entries(): IterableIterator<[string, number]> {
    return this.#counts.entries()
  }

  /** Of several the same, whichever came first. */
  least(): string | undefined {
    let least: string | undefined
    for (const what of this.#counts.keys()) if (least === undefined || what < least) least = what
    return least
  }
}

/** Those of a bundle that are on one node. */
export class Cell {
  ports = 0
  readonly phases = new Tally()
  /** Of their node, as they say it. */
  readonly addresses = new Tally()

  add(port: Resource<'Port'>, by: 1 | -1): void {
    this.ports += by
    this.phases.add(phaseOfPort(port), by)
    if (port.status?.hostIP !== undefined) this.addresses.add(port.status.hostIP, by)
  }
}

/** What no phase was written of yet. */
export const newPhase = 'new'
export const phaseOfPort = ({ status }: Resource<'Port'>): string => status?.phase ?? newPhase

export class Bundle {
  readonly vni: number | undefined
  /** `namespace/name`. */
  readonly subnet: string
  readonly ports = new SortedKeys()
  /** By node; the empty name is none. */
  readonly cells = new Map<string, Cell>()

  constructor(vni: number | undefined, subnet: string) {
    this.vni = vni
    this.subnet = subnet
  }

  count(port: Resource<'Port'>, by: 1 | -1): void {
    const node = port.spec.node ?? ''
    const cell = this.cells.get(node) ?? new Cell()
    cell.add(port, by)
    if (cell.ports === 0) this.cells.delete(node)
    else this.cells.set(node, cell)
  }
}
