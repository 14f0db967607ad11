// Classes of traffic on a node's uplink: one for each Port that has booked, whose minimum it is, and one for all else. All may have what
// is left. The interface is the kernel's own again once nobody has booked.
import { LinkRefused } from '../../core/errors.ts'
import type { Uplink } from '../../core/node/booking/booking.ts'
import { heldKey, heldText, wholeBytes, type HeldMinimum } from '../../core/node/booking/held.ts'
import {
  encodeHtb,
  encodeHtbClass,
  encodeHtbClassDrop,
  encodeHtbClassDump,
  encodeHtbDrop,
  encodeHtbFilter,
  encodeHtbFilterDrop,
  encodeHtbFilterDump,
  encodeHtbQueue,
  encodeQdiscDump,
  readHtbClasses,
  readHtbFilters,
  readRootOf,
  type HtbClass,
  type Tunnel,
} from '../../core/wire/netlink/htb.ts'
import type { Dump } from '../../core/wire/netlink/dump.ts'
import type { Kernel } from '../dataplanes/linux.ts'
import { errnos, NodeKernel, refusedBy } from '../dataplanes/linux/node-kernel.ts'

const gone = [errnos.ENOENT, errnos.EINVAL, errnos.ENODEV]
const asNobodyWants = 'as nobody wants it'

export class UplinkClasses {
  readonly #kernel: Pick<Kernel, 'netlink'>
  readonly #home: NodeKernel
  readonly #uplink: Uplink
  readonly #tunnel: Tunnel

  constructor({ netlink, addon, netns }: Kernel, uplink: Uplink, tunnel: Tunnel) {
    this.#kernel = { netlink }
    this.#home = new NodeKernel(addon, netns)
    this.#uplink = uplink
    this.#tunnel = tunnel
  }

  /** @returns why nothing can be held on the interface: somebody else has chosen how packets leave it; undefined where it can */
  async taken(): Promise<string | undefined> {
    const index = await this.#index()
    const root = index === undefined ? 'nobody' : await this.#root(index)
    return root === 'us' || root === 'nobody'
      ? undefined
      : `interface ${this.#uplink.ifname} has a queueing discipline that is not ours, ${root}`
  }

  /** By key. */
  async seen(): Promise<ReadonlyMap<string, string>> {
    const index = await this.#index()
    if (index === undefined || (await this.#root(index)) !== 'us') return new Map()
    const [classes, filters] = await Promise.all([
      this.#classes(index),
      this.#list('a list of filters', encodeHtbFilterDump(index), readHtbFilters(this.#tunnel)),
    ])
    const ports = classes.filter(isPorts)
    // One that is of nobody yet, or no more.
    if (ports.length === 0) return new Map([[heldKey({ number: 0 }), asNobodyWants]])
    const wanted = around(
      this.#uplink,
      ports.map(({ rate }) => rate),
    )
    const isRight = wanted.every((each) => classes.some(({ of, rate, ceil }) => of === each.of && rate === each.rate && ceil === each.ceil))
    return new Map(
      ports.map(({ of: number, rate: bits, ceil }) => {
        const [filter, ...more] = filters.filter(({ of }) => of === number)
        const isAlone = filter !== undefined && more.length === 0 && ceil === wholeBytes(this.#uplink.rate)
        return [heldKey({ number }), isRight && isAlone ? heldText({ number, bits, vni: filter.vni, mac: filter.mac }) : asNobodyWants]
      }),
    )
  }

  /** @throws LinkRefused where the kernel has no such classes, or the interface is not there or is not ours to change */
  async change(dropped: readonly number[], put: readonly HeldMinimum[]): Promise<void> {
    const index = await this.#index()
    if (index !== undefined) return this.#changeOn(index, dropped, put)
    if (put.length > 0) throw new LinkRefused({ what: 'minimums of bandwidth', reason: `interface ${this.#uplink.ifname} is not there` })
  }

  async #changeOn(index: number, dropped: readonly number[], put: readonly HeldMinimum[]): Promise<void> {
    const isOurs = (await this.#root(index)) === 'us'
    const there = isOurs ? (await this.#classes(index)).filter(isPorts) : []
    const stay = there.filter(({ of }) => !dropped.includes(of))
    const rates = new Map([...stay.map(({ of, rate }) => [of, rate] as const), ...put.map(({ number, bits }) => [number, bits] as const)])
    if (rates.size === 0) return isOurs ? this.#ask(encodeHtbDrop(index), gone) : undefined
    if (!isOurs) await this.#ask(encodeHtb(index), [])
    for (const each of around(this.#uplink, [...rates.values()])) await this.#ask(encodeHtbClass(index, each), [])
    await this.#ask(encodeHtbQueue(index, 'everyone'), [])
    await this.#drop(
      index,
      dropped.filter((number) => !rates.has(number)),
    )
    for (const each of put) await this.#put(index, each)
  }

  /** A class that a filter leads to stays. */
  async #drop(index: number, numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      await this.#ask(encodeHtbFilterDrop(index, number, this.#tunnel), gone)
      await this.#ask(encodeHtbClassDrop(index, number), gone)
    }
  }

  async #put(index: number, { number, bits, vni, mac }: HeldMinimum): Promise<void> {
    await this.#ask(encodeHtbClass(index, { of: number, rate: bits, ceil: wholeBytes(this.#uplink.rate) }), [])
    await this.#ask(encodeHtbQueue(index, number), [])
    await this.#ask(encodeHtbFilterDrop(index, number, this.#tunnel), gone)
    await this.#ask(encodeHtbFilter(index, number, { vni, mac }, this.#tunnel), [])
  }

  async #index(): Promise<number | undefined> {
    const [answer] = await this.#kernel.netlink.request([{ do: 'getLink', of: { index: 0, ifname: this.#uplink.ifname } }])
    return answer?.link?.index
  }

  async #root(index: number): Promise<string> {
    return (await this.#list('a list of queueing disciplines', encodeQdiscDump(index), readRootOf(index))).at(-1) ?? 'nobody'
  }

  #classes(index: number): Promise<readonly HtbClass[]> {
    return this.#list('a list of classes', encodeHtbClassDump(index), readHtbClasses)
  }

  async #list<T>(what: string, bytes: Uint8Array, read: (bytes: Uint8Array) => Dump<T>): Promise<readonly T[]> {
    return (await this.#home.list(what, { of: 'route', bytes, read, none: gone })) ?? []
  }

  async #ask(bytes: Uint8Array, but: readonly number[]): Promise<void> {
    const errno = await this.#home.change({ of: 'route', bytes })
    if (errno !== 0 && !but.includes(errno)) throw refusedBy(`minimums of bandwidth on ${this.#uplink.ifname}`, errno)
  }
}

type PortClass = HtbClass & { readonly of: number }
const isPorts = (each: HtbClass): each is PortClass => typeof each.of === 'number'

/** Above the classes of Ports, and beside them: what nobody has booked is everyone's. */
function around({ rate }: Uplink, booked: readonly number[]): readonly HtbClass[] {
  const whole = wholeBytes(rate)
  const rest = wholeBytes(rate - booked.reduce((sum, each) => sum + each, 0))
  return [
    { of: 'whole', rate: whole, ceil: whole },
    { of: 'everyone', rate: rest, ceil: whole },
  ]
}
