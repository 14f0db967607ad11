// VMs behind TAPs: each runs on one machine at a time, where its Port is, or already where its hypervisor has moved it.
import type { Resource } from '../../../core/kinds/index.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import type { Truth } from '../truth.ts'

export class Vms {
  readonly #truth: Truth
  /** UID of a Port → the machine that its VM runs on by now. */
  readonly #ahead = new Map<string, string>()
  /** UID of a Port and machine → when its VM last spoke there. */
  readonly #spoken = new Map<string, number>()

  constructor(truth: Truth) {
    this.#truth = truth
  }

  /** Whether a VM has that TAP open; every other interface is in use. */
  isOpen({ uid, type }: Pick<LocalPort, 'uid' | 'type'>, machine: string): boolean {
    if (type !== 'tap') return true
    const at = this.#ahead.get(uid) ?? this.portOf(uid)?.spec.node
    return at === undefined || at === machine
  }

  portOf(uid: string): Resource<'Port'> | undefined {
    return [...this.#truth.values('Port')].find(({ metadata }) => metadata.uid === uid)
  }

  /** Where it runs although its Port is not there yet. */
  aheadOf(uid: string): string | undefined {
    return this.#ahead.get(uid)
  }

  goTo(uid: string, machine: string): void {
    this.#ahead.set(uid, machine)
  }

  /** It runs where its Port is: that has followed it, or it has gone back. */
  settle(uid: string): void {
    this.#ahead.delete(uid)
  }

  speaks(uid: string, machine: string, now: number): void {
    this.#spoken.set(`${uid} ${machine}`, now)
  }

  spokeAt(uid: string, machine: string): number {
    return this.#spoken.get(`${uid} ${machine}`) ?? -Infinity
  }

  /** With its machine. */
  die(machine: string): void {
    for (const [uid, at] of this.#ahead) if (at === machine) this.#ahead.delete(uid)
  }
}
