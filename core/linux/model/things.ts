// What the kernel of a machine has of the Linux data plane, and what goes with what: an interface takes along that it is in a bridge, and
// what the bridge has been told of it; a bridge and a tunnel all that is theirs. Elements of nftables name interfaces, and stay.
import { LinkRefused } from '../../errors.ts'
import { bridgeName, keyOf, textOf, tunnelName, type LinuxItem } from '../linux-items.ts'

export type Of<K extends LinuxItem['kind']> = Extract<LinuxItem, { readonly kind: K }>
const inTable: Readonly<Partial<Record<LinuxItem['kind'], readonly LinuxItem['kind'][]>>> = {
  table: ['guarded', 'source', 'option', 'untagged', 'guest'],
  tunnels: ['known'],
  routes: ['router', 'gateway'],
  policies: ['judged', 'identity', 'inside'],
  traffic: ['limited', 'broadcast', 'marked', 'ruled'],
}

/** Told of each chain of nftables that says something of a frame, and of each device that it comes to. */
export type Met = (place: string) => void

/** What is put into something comes after it. */
export function inOrder(things: readonly LinuxItem[]): readonly LinuxItem[] {
  const first: readonly LinuxItem['kind'][] = ['policies', 'bridge', 'tunnel', 'member']
  const placeOf = ({ kind }: LinuxItem): number => (first.includes(kind) ? first.indexOf(kind) : first.length)
  return things.toSorted((one, other) => placeOf(one) - placeOf(other))
}

export class Things {
  readonly #all = new Map<string, LinuxItem>()
  readonly #hasLink: (name: string) => boolean
  /** Changes with each change: what was made of the things before is not so any more. */
  version = 0

  constructor(hasLink: (name: string) => boolean) {
    this.#hasLink = hasLink
  }

  *seen(): Generator<readonly [key: string, text: string]> {
    for (const [key, thing] of this.#all) yield [key, textOf(thing)]
  }

  get all(): Iterable<LinuxItem> {
    return this.#all.values()
  }

  has(key: string): boolean {
    return this.#all.has(key)
  }

  at<K extends LinuxItem['kind']>(key: string): Of<K> | undefined {
    return this.#all.get(key) as Of<K> | undefined
  }

  clear(): void {
    this.#all.clear()
    this.version++
  }

  /** What is put twice is there once. @throws LinkRefused where what it speaks of is not there */
  put(thing: LinuxItem): void {
    this.version++
    const missing = this.#missing(thing)
    if (missing !== undefined) throw new LinkRefused({ what: `what concerns ${missing}`, reason: 'there is no such interface yet' })
    if (thing.kind === 'member' && this.at<'member'>(keyOf(thing))?.vni !== thing.vni) this.leaves(thing.ifname)
    // Who has no table is given one on the way; one that is there keeps what it has.
    if (inTable[thing.kind] === undefined || !this.#all.has(keyOf(thing))) this.#all.set(keyOf(thing), thing)
  }

  drop(thing: LinuxItem): void {
    this.version++
    if (!this.#all.delete(keyOf(thing))) return
    if (thing.kind === 'member') this.leaves(thing.ifname)
    if (thing.kind === 'tunnel') this.unplugged(tunnelName(thing.vni))
    if (thing.kind === 'tunnel' || thing.kind === 'bridge') this.#unhook(thing.vni)
    if (thing.kind === 'tunnel') this.#dropIf((each) => (each.kind === 'vtep' || each.kind === 'flood') && each.vni === thing.vni)
    if (thing.kind === 'bridge')
      this.#dropIf(
        (each) =>
          (each.kind === 'member' || each.kind === 'fdb' || each.kind === 'neighbour' || each.kind === 'learnt') && each.vni === thing.vni,
      )
    const elements = inTable[thing.kind]
    if (elements !== undefined) this.#dropIf(({ kind }) => elements.includes(kind))
  }

  unplugged(ifname: string): void {
    this.version++
    this.#all.delete(`member/${ifname}`)
    this.leaves(ifname)
  }

  /** An interface that leaves its bridge takes along what the bridge knows to be behind it. */
  leaves(ifname: string): void {
    this.#dropIf((each) => each.kind === 'fdb' && each.ifname === ifname)
  }

  /** A hook is at a device, and what it sends back goes to one: both by their index, which another of the same name does not have. */
  #unhook(vni: number): void {
    for (const [key, thing] of this.#all) if (thing.kind === 'router' && thing.vni === vni) this.#all.set(key, { ...thing, right: false })
  }

  #dropIf(goes: (thing: LinuxItem) => boolean): void {
    for (const [key, thing] of this.#all) if (goes(thing)) this.#all.delete(key)
  }

  /** The interface that is missing for it. */
  #missing(thing: LinuxItem): string | undefined {
    if (thing.kind === 'member') return this.#without(thing.ifname) ?? this.#without(bridgeName(thing.vni))
    if (thing.kind === 'fdb') return this.#all.has(`member/${thing.ifname}`) ? undefined : thing.ifname
    if (thing.kind === 'vtep' || thing.kind === 'flood') return this.#without(tunnelName(thing.vni))
    return thing.kind === 'neighbour' || thing.kind === 'router' || thing.kind === 'learnt'
      ? this.#without(bridgeName(thing.vni))
      : undefined
  }

  #without(ifname: string): string | undefined {
    const vni = Number.parseInt(ifname.slice(4), 16)
    const isThere =
      ifname === bridgeName(vni)
        ? this.#all.has(`bridge/${vni}`)
        : ifname === tunnelName(vni)
          ? this.#all.has(`tunnel/${vni}`)
          : this.#hasLink(ifname)
    return isThere ? undefined : ifname
  }
}
