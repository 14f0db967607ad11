// One block of one Subnet: which of its addresses are free, set aside, or resting.
import { segmentOf } from '../../core/kinds/vpc/segment.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { FreeRuns } from '../../core/net/free-runs.ts'
import { parseIp, parseV4, printSixteens, printV4, sixteens } from '../../core/net/ip.ts'
import { addressLockName } from '../../core/net/names.ts'
import { offered, type OfferedRanges } from '../../core/plan/builtin/pools.ts'
import type { Family } from '../../core/plan/builtin/port.ts'
import type { Cache } from '../../platform/cache/cache.ts'

/** Addresses that may be free again at a time, in order of that time. */
class Resting {
  #list: { readonly at: number; readonly untilMs: number }[] = []
  #head = 0

  push(at: number, untilMs: number): void {
    this.#list.push({ at, untilMs })
  }

  *addresses(): Generator<number> {
    for (let i = this.#head; i < this.#list.length; i++) yield this.#list[i]!.at
  }

  get nextMs(): number | undefined {
    return this.#list[this.#head]?.untilMs
  }

  shift(): number | undefined {
    const at = this.#list[this.#head]?.at
    this.#head++
    if (this.#head > 1024 && this.#head * 2 > this.#list.length) {
      this.#list = this.#list.slice(this.#head)
      this.#head = 0
    }
    return at
  }
}

const offsetMax = 2n ** 52n
/** Enough for what is under way; beyond it an address is read again. */
const awaitedMax = 10_000

/** Eight groups of 16 bits and a number below 2^52, added without the cost of a bigint. */
function plus(groups: readonly number[], more: number): number[] {
  const sum = [...groups]
  for (let i = 7, carry = more; i >= 0 && carry > 0; i--) {
    const here = sum[i]! + carry
    sum[i] = here % 65_536
    carry = Math.floor(here / 65_536)
  }
  return sum
}

export class AddressRange {
  readonly #subnet: Resource<'Subnet'>
  readonly #family: 4 | 6
  readonly #base: bigint
  readonly #low: number
  readonly #locks: Cache<'IPLock'>
  #free: FreeRuns
  readonly #pools: OfferedRanges
  /** Address → offset. */
  readonly #picked = new Map<string, number>()
  /** The same of those whose lock was made, until the watch has told of it: what was just printed need not be read again. */
  readonly #awaited = new Map<string, number>()
  readonly #groups: readonly number[]
  /** Freed, and taken by a rival whose lock the watch has not told of yet: two lists, so that each is in order of time. */
  readonly #freed = new Resting()
  readonly #rivals = new Resting()
  #builtMs: number

  private constructor(subnet: Resource<'Subnet'>, pools: OfferedRanges, locks: Cache<'IPLock'>, now: number) {
    this.#subnet = subnet
    this.#pools = pools
    this.#family = pools.family
    this.#base = pools.base
    this.#low = pools.family === 4 ? Number(pools.base) : 0
    this.#groups = sixteens(pools.base)
    this.#locks = locks
    this.#builtMs = now
    this.#free = this.#built()
  }

  /** @returns undefined where the Subnet has no block of this family */
  static of(subnet: Resource<'Subnet'>, family: Family, locks: Cache<'IPLock'>, now: number): AddressRange | undefined {
    const block = subnet.spec[family]
    const pools = block && offered(block)
    return pools && new AddressRange(subnet, pools, locks, now)
  }

  get builtMs(): number {
    return this.#builtMs
  }

  /** A free address, now set aside. */
  pick(random: () => number, now: number): string | undefined {
    this.#wake(now)
    const at = this.#free.pick(random(), random())
    if (at === undefined) return undefined
    this.#free.take(at)
    const address = this.#print(at)
    this.#picked.set(address, at)
    return address
  }

  /** Milliseconds until an address has rested; undefined when none rests. */
  againInMs(now: number): number | undefined {
    const next = Math.min(this.#freed.nextMs ?? Infinity, this.#rivals.nextMs ?? Infinity)
    return next === Infinity ? undefined : next - now
  }

  /** The lock of a picked address was made: from here on the watch tells of it. */
  used(address: string): void {
    const at = this.#picked.get(address)
    this.#picked.delete(address)
    if (at !== undefined && this.#awaited.size < awaitedMax) this.#awaited.set(address, at)
  }

  /** It was not made. `untilMs`: a rival had it first, so it is left alone until the watch has told of the rival's lock. */
  back(address: string, untilMs?: number): void {
    const at = this.#picked.get(address)
    if (at === undefined) return
    this.#picked.delete(address)
    if (untilMs === undefined) this.#give(at)
    else this.#rivals.push(at, untilMs)
  }

  locked(address: string): void {
    if (this.#awaited.delete(address) || this.#picked.has(address)) return
    const at = this.#offsetOf(address)
    if (at !== undefined) this.#free.take(at)
  }

  unlocked(address: string, untilMs: number, now: number): void {
    // Here too, so that a Subnet of fixed addresses, which nothing is ever picked from, keeps no endless list.
    this.#wake(now)
    const at = this.#offsetOf(address)
    if (at === undefined) return
    if (untilMs > now) this.#freed.push(at, untilMs)
    else this.#give(at)
  }

  /** Made anew from the locks there are: what a gap in the watch has hidden comes right. */
  rebuild(now: number): void {
    this.#builtMs = now
    this.#free = this.#built()
  }

  /** A range of the same block under a changed spec; what rests goes on resting. */
  successor(subnet: Resource<'Subnet'>, family: Family, now: number): AddressRange | undefined {
    const next = AddressRange.of(subnet, family, this.#locks, now)
    if (next === undefined) return undefined
    const carry = (from: Resting, to: Resting): void => {
      for (let untilMs = from.nextMs; untilMs !== undefined; untilMs = from.nextMs) {
        const at = next.#offsetOf(this.#print(from.shift()!))
        if (at !== undefined && next.#free.take(at)) to.push(at, untilMs)
      }
    }
    carry(this.#freed, next.#freed)
    carry(this.#rivals, next.#rivals)
    for (const address of this.#picked.keys()) next.locked(address)
    return next
  }

  #built(): FreeRuns {
    const free = new FreeRuns(this.#pools.runs)
    const { namespace = '', name } = this.#subnet.metadata
    for (const lock of this.#locks.by('subnet', `${namespace}/${name}`)) {
      const at = lock.spec.address === undefined ? undefined : this.#offsetOf(lock.spec.address)
      if (at !== undefined) free.take(at)
    }
    this.#awaited.clear()
    for (const aside of [this.#picked.values(), this.#freed.addresses(), this.#rivals.addresses()]) for (const at of aside) free.take(at)
    return free
  }

  #wake(now: number): void {
    for (const list of [this.#freed, this.#rivals]) while ((list.nextMs ?? Infinity) <= now) this.#give(list.shift()!)
  }

  /** Free again, unless it lies outside the pools, has been set aside, or has a lock: a fixed address does not wait for its rest. */
  #give(at: number): void {
    const { namespace = '' } = this.#subnet.metadata
    const name = addressLockName(segmentOf(this.#subnet) ?? 0, { family: this.#family, value: this.#base + BigInt(at) })
    const offeredHere = this.#pools.runs.some(([first, last]) => first <= at && at <= last)
    if (offeredHere && !this.#picked.has(this.#print(at)) && this.#locks.get(`${namespace}/${name}`) === undefined) this.#free.give(at)
  }

  #print(at: number): string {
    return this.#family === 4 ? printV4(this.#low + at) : printSixteens(plus(this.#groups, at))
  }

  /** Undefined outside what may be picked. */
  #offsetOf(address: string): number | undefined {
    if (this.#family === 4) {
      const value = parseV4(address)
      return value === undefined || value < this.#low ? undefined : value - this.#low
    }
    const ip = parseIp(address)
    const offset = ip?.family === 6 ? ip.value - this.#base : -1n
    return offset >= 0n && offset < offsetMax ? Number(offset) : undefined
  }
}
