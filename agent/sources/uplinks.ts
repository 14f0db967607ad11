// Interfaces that lead to physical networks and are not there: told as they go and come. Nothing else waits for them.
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Machine } from '../machine/machine.ts'

export interface UplinksDeps {
  /** Interface by physical network. */
  readonly uplinks: Readonly<Record<string, string>>
  readonly machine: Pick<Machine, 'hasInterface'>
  readonly clock: Clock
  readonly log: Log
  /** One is there that was not. */
  readonly onCome: () => void
}

const pollMs = 2_000

export class Uplinks {
  readonly #deps: UplinksDeps
  #missing: ReadonlySet<string> = new Set()
  #cancel: () => void = () => undefined
  #stopped = false

  constructor(deps: UplinksDeps) {
    this.#deps = deps
  }

  /** Physical networks that nothing of this node reaches. */
  get missing(): readonly string[] {
    return [...this.#missing]
  }

  /** Looks now, and again and again where there are any. */
  async follow(): Promise<void> {
    const { uplinks, clock, machine } = this.#deps
    const all = Object.entries(uplinks)
    if (all.length === 0) return
    const seen = await Promise.all(all.map(async ([network, ifname]) => ({ network, ifname, there: await machine.hasInterface(ifname) })))
    if (this.#stopped) return
    this.#report(seen)
    this.#cancel = clock.after(pollMs, () => void this.follow())
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
  }

  #report(seen: readonly { readonly network: string; readonly ifname: string; readonly there: boolean }[]): void {
    const { log, onCome } = this.#deps
    const before = this.#missing
    this.#missing = new Set(seen.filter(({ there }) => !there).map(({ network }) => network))
    for (const { network: physicalNetwork, ifname, there } of seen) {
      if (there === !before.has(physicalNetwork)) continue
      if (there) log.info({ physicalNetwork, ifname }, 'the interface of an uplink is there')
      else
        log.warn(
          { physicalNetwork, ifname },
          'the interface of an uplink is not there: until it comes, VLANs of its physical network do not leave this node',
        )
    }
    if ([...before].some((network) => !this.#missing.has(network))) onCome()
  }
}
