// Which address next: each Subnet's free addresses as runs, kept up by the locks that come and go.
import { keyOfItem, type Resource } from '../../core/kinds/index.ts'
import type { Family, AddressOffer } from '../../core/plan/builtin/port.ts'
import type { ChangeEvent } from '../../platform/cache/cache.ts'
import type { Caches } from '../../platform/cache/caches.ts'
import type { Clock } from '../../platform/clock.ts'
import { AddressRange } from './address-range.ts'

export interface AddressesOptions {
  readonly caches: Pick<Caches, 'IPLock' | 'Subnet'>
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  /** How long a freed address is not handed out again. It is kept in memory: a restart forgets it. */
  readonly restMs: number
}

/** After a rival had it first, an address is left alone so long: by then the watch has told of the rival's lock. */
const rivalMs = 1_000
/** A full Subnet is asked again after so long, whoever else waits. */
const fullAgainMs = 5_000
/** How often a full Subnet's runs are made anew at most. */
const rebuildMs = 10_000
const families = ['ipv4', 'ipv6'] as const

export class Addresses {
  #options: AddressesOptions
  #ranges = new Map<string, AddressRange>()

  constructor(options: AddressesOptions) {
    this.#options = options
    options.caches.IPLock.on((event) => this.#lockChanged(event))
    options.caches.Subnet.on((event) => this.#subnetChanged(event))
  }

  /** Opens the picks of one pass: each is used or given back when it is over. */
  open(): PickedAddresses {
    return new PickedAddresses(this, this.#options.clock)
  }

  /** @returns a free address, set aside for the caller; or that there is none, and when one may be */
  pick(subnet: Resource<'Subnet'>, family: Family): AddressOffer | undefined {
    const { clock, random } = this.#options
    const range = this.range(subnet, family)
    if (range === undefined) return undefined
    const now = clock.elapsed()
    const address = range.pick(random, now)
    if (address !== undefined) return { address }
    if (now - range.builtMs > rebuildMs) range.rebuild(now)
    return { full: true, againInMs: Math.max(100, Math.min(fullAgainMs, range.againInMs(now) ?? fullAgainMs)) }
  }

  range(subnet: Resource<'Subnet'>, family: Family): AddressRange | undefined {
    const key = rangeKey(keyOfItem(subnet), family)
    const known = this.#ranges.get(key)
    if (known !== undefined) return known
    const made = AddressRange.of(subnet, family, this.#options.caches.IPLock, this.#options.clock.elapsed())
    if (made !== undefined) this.#ranges.set(key, made)
    return made
  }

  #lockChanged({ before, after }: ChangeEvent<'IPLock'>): void {
    const { spec, metadata } = (after ?? before)!
    if ((before !== undefined && after !== undefined) || spec.address === undefined || spec.subnet === undefined) return
    const key = `${metadata.namespace ?? ''}/${spec.subnet}`
    const family = spec.address.includes(':') ? 'ipv6' : 'ipv4'
    if (after === undefined) this.#freed(key, family, spec.address)
    else this.#ranges.get(rangeKey(key, family))?.locked(spec.address)
  }

  #freed(key: string, family: Family, address: string): void {
    const subnet = this.#options.caches.Subnet.get(key)
    const now = this.#options.clock.elapsed()
    if (subnet !== undefined) this.range(subnet, family)?.unlocked(address, now + this.#options.restMs, now)
  }

  #subnetChanged({ key, before, after }: ChangeEvent<'Subnet'>): void {
    if (before === undefined || before.metadata.generation === after?.metadata.generation) return
    for (const family of families) {
      const range = this.#ranges.get(rangeKey(key, family))
      this.#ranges.delete(rangeKey(key, family))
      const next = after && range?.successor(after, family, this.#options.clock.elapsed())
      if (next !== undefined) this.#ranges.set(rangeKey(key, family), next)
    }
  }
}

const rangeKey = (subnet: string, family: Family): string => `${subnet} ${family}`

/** What became of a picked address: its lock was made, or not, or somebody else's was there. */
export type PickOutcome = 'used' | 'back' | 'rival'

/** The addresses picked in one pass. */
export class PickedAddresses {
  #addresses: Addresses
  #clock: Clock
  #open = new Map<string, AddressRange>()

  constructor(addresses: Addresses, clock: Clock) {
    this.#addresses = addresses
    this.#clock = clock
  }

  pick(subnet: Resource<'Subnet'>, family: Family): AddressOffer | undefined {
    const offer = this.#addresses.pick(subnet, family)
    const range = this.#addresses.range(subnet, family)
    if (offer !== undefined && 'address' in offer && range !== undefined) this.#open.set(offer.address, range)
    return offer
  }

  get size(): number {
    return this.#open.size
  }

  settle(fateOf: (address: string) => PickOutcome): void {
    for (const [address, range] of this.#open) {
      const fate = fateOf(address)
      if (fate === 'used') range.used(address)
      else range.back(address, fate === 'rival' ? this.#clock.elapsed() + rivalMs : undefined)
    }
    this.#open.clear()
  }
}
