// What passes the interfaces of a machine, both ways, as the kernel counts it and as whoever listens reads it.
import type { PortCounters } from '../../../core/kinds/node/inquiry.ts'
import type { FrameReader } from '../../../agent/netlink/netlink.ts'

export type Way = 'sent' | 'received'
/** One frame at an interface; `sent`: by the Port. */
export type Passing = (ifcName: string, way: Way, bytes: Uint8Array) => void

/** Who listens at a TAP; undefined: it is gone. */
type Ear = (frame: Uint8Array | undefined) => void

/** Frames that nobody reads are not kept without end. */
const waitingMost = 200

export class Wires {
  readonly #counted = new Map<string, PortCounters>()
  readonly #readers = new Map<string, Set<Uint8Array[]>>()
  readonly #ears = new Map<string, Set<Ear>>()

  pass(ifcName: string, way: Way, bytes: Uint8Array): void {
    const was = this.countersOf(ifcName)
    this.#counted.set(ifcName, {
      ...was,
      [`${way}Packets`]: was[`${way}Packets`] + 1,
      [`${way}Bytes`]: was[`${way}Bytes`] + bytes.length,
    })
    for (const frames of this.#readers.get(ifcName) ?? []) if (frames.length < waitingMost) frames.push(bytes)
    if (way === 'sent') this.say(ifcName, bytes)
  }

  /** To who listens at the interface alone. */
  say(ifcName: string, bytes: Uint8Array): void {
    for (const ear of this.#ears.get(ifcName) ?? []) ear(bytes)
  }

  countersOf(ifcName: string): PortCounters {
    return this.#counted.get(ifcName) ?? { sentPackets: 0, sentBytes: 0, receivedPackets: 0, receivedBytes: 0, dropped: 0 }
  }

  /** From now on, until it is closed. */
  read(ifcName: string): FrameReader {
    const frames: Uint8Array[] = []
    const readers = this.#readers.get(ifcName) ?? new Set()
    this.#readers.set(ifcName, readers.add(frames))
    return { read: () => frames.shift(), close: () => void readers.delete(frames) }
  }

  /** Whatever is sent there from now on, until it is stopped. */
  hear(ifcName: string, ear: Ear): { stop(): void } {
    const ears = this.#ears.get(ifcName) ?? new Set()
    this.#ears.set(ifcName, ears.add(ear))
    return { stop: () => void ears.delete(ear) }
  }

  /** Another interface of that name begins to count anew, and nobody listens at it. */
  gone(ifcName: string): void {
    this.#counted.delete(ifcName)
    for (const ear of this.#ears.get(ifcName) ?? []) ear(undefined)
    this.#ears.delete(ifcName)
  }
}
