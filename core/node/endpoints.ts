// The endpoints of one VNI by address, of which there may be a hundred thousand: some 30 to 60 bytes each, in arrays that no collector
// walks through. As objects with their texts they took 200, and a heap that once held them is not given back.
import { parseSixteens, parseV4, printSixteens, printV4 } from '../net/ip.ts'
import type { Endpoint } from './wanted.ts'

/** As much of a Map as is needed of it. */
export type EndpointsSeen = Pick<ReadonlyMap<string, Endpoint>, 'size' | 'get' | 'has' | 'keys' | 'values'>

/** Of a row: eight groups of the address (IPv4: two), three of the MAC. */
const addressWidth = 8
const width = addressWidth + 3
/** Share of the slots that may be taken: probes stay short. */
const fullest = 0.6
const free = 0
const [inV4, inV6] = [1, 2]

export class Endpoints implements EndpointsSeen {
  readonly #vni: number
  #cells = new Uint16Array(width * 64)
  /** Of a row: free, or its family. */
  #families = new Uint8Array(64)
  /** Of a row: the place of its host among the texts. */
  #hosts = new Uint16Array(64)
  /** Of a row: its identity, 0 for none; made with the first that has one. */
  #identities: Uint32Array | undefined
  /** A row + 1; 0: nobody's; -1: somebody's who left. */
  #slots = new Int32Array(128)
  #slotsTaken = 0
  #rows = 0
  #left: number[] = []
  #size = 0
  /** Hosts are few and written in every endpoint. */
  readonly #texts: string[] = []
  readonly #places = new Map<string, number>()
  /** What is not written as we would print it, or of too many hosts. */
  readonly #odd = new Map<string, Endpoint>()
  readonly #wanted = new Uint16Array(width)

  constructor(vni: number) {
    this.#vni = vni
  }

  get size(): number {
    return this.#size + this.#odd.size
  }

  has(address: string): boolean {
    return this.#rowOf(address) >= 0 || this.#odd.has(address)
  }

  get(address: string): Endpoint | undefined {
    const row = this.#rowOf(address)
    return row >= 0 ? this.#at(row) : this.#odd.get(address)
  }

  set(endpoint: Endpoint): void {
    const { address } = endpoint
    const host = this.#placeOf(endpoint.hostIP)
    const family = this.#read(address)
    if (family === free || !this.#readMac(endpoint.mac) || host === undefined) {
      this.delete(address)
      this.#odd.set(address, endpoint)
      return
    }
    this.#odd.delete(address)
    const row = this.#rowRead(family)
    const into = row >= 0 ? row : this.#take(family)
    this.#cells.set(this.#wanted, into * width)
    this.#hosts[into] = host
    this.#identify(into, endpoint.identity)
  }

  delete(address: string): boolean {
    const slot = this.#slotOf(address)
    if (slot < 0) return this.#odd.delete(address)
    const row = this.#slots[slot]! - 1
    this.#slots[slot] = -1
    this.#families[row] = free
    this.#left.push(row)
    this.#size--
    return true
  }

  *keys(): Generator<string, undefined, undefined> {
    for (let row = 0; row < this.#rows; row++) if (this.#families[row] !== free) yield this.#addressAt(row)
    yield* this.#odd.keys()
  }

  /** Each as an object of its own. What comes while one looks through may be seen or not. */
  *values(): Generator<Endpoint, undefined, undefined> {
    for (let row = 0; row < this.#rows; row++) if (this.#families[row] !== free) yield this.#at(row)
    yield* this.#odd.values()
  }

  /** Those with one of these MACs: all are looked through once. */
  *withMacs(macs: readonly string[]): Generator<Endpoint, void, undefined> {
    const numbers = new Set(macs.flatMap((mac) => (this.#readMac(mac) ? [macNumber(this.#wanted, addressWidth)] : [])))
    for (let row = 0; row < this.#rows; row++)
      if (this.#families[row] !== free && numbers.has(macNumber(this.#cells, row * width + addressWidth))) yield this.#at(row)
    for (const each of this.#odd.values()) if (macs.includes(each.mac)) yield each
  }

  #identify(row: number, identity = 0): void {
    if (identity !== 0) this.#identities ??= new Uint32Array(this.#families.length)
    if (this.#identities !== undefined) this.#identities[row] = identity
  }

  #at(row: number): Endpoint {
    const identity = this.#identities?.[row] ?? 0
    return {
      vni: this.#vni,
      address: this.#addressAt(row),
      mac: printMac(this.#cells, row * width + addressWidth),
      hostIP: this.#texts[this.#hosts[row]!]!,
      ...(identity !== 0 && { identity }),
    }
  }

  #addressAt(row: number): string {
    const from = row * width
    if (this.#families[row] === inV4) return printV4(this.#cells[from]! * 65_536 + this.#cells[from + 1]!)
    return printSixteens([...this.#cells.subarray(from, from + addressWidth)])
  }

  #placeOf(host: string): number | undefined {
    const known = this.#places.get(host)
    if (known !== undefined || this.#texts.length > 0xffff) return known
    this.#places.set(host, this.#texts.length)
    return this.#texts.push(host) - 1
  }

  /** Into `wanted`; its family, or `free` where it would be printed otherwise. */
  #read(address: string): number {
    const v4 = parseV4(address)
    this.#wanted.fill(0)
    if (v4 !== undefined) {
      this.#wanted[0] = v4 >>> 16
      this.#wanted[1] = v4 & 0xffff
      return inV4
    }
    const groups = address.includes(':') ? parseSixteens(address) : undefined
    if (groups === undefined || printSixteens(groups) !== address) return free
    this.#wanted.set(groups)
    return inV6
  }

  #readMac(mac: string): boolean {
    for (let i = 0; i < 3; i++)
      this.#wanted[addressWidth + i] = Number.parseInt(mac.slice(6 * i, 6 * i + 2) + mac.slice(6 * i + 3, 6 * i + 5), 16)
    return printMac(this.#wanted, addressWidth) === mac
  }

  #rowOf(address: string): number {
    const slot = this.#slotOf(address)
    return slot < 0 ? -1 : this.#slots[slot]! - 1
  }

  #slotOf(address: string): number {
    const family = this.#read(address)
    return family === free ? -1 : this.#find(family)
  }

  #rowRead(family: number): number {
    const slot = this.#find(family)
    return slot < 0 ? -1 : this.#slots[slot]! - 1
  }

  /** The slot of the address that was read; -1: it has none. */
  #find(family: number): number {
    const mask = this.#slots.length - 1
    for (let slot = hashOf(this.#wanted, 0) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]!
      if (entry === 0) return -1
      if (entry > 0 && this.#families[entry - 1] === family && this.#hasAddress(entry - 1)) return slot
    }
  }

  #hasAddress(row: number): boolean {
    for (let i = 0; i < addressWidth; i++) if (this.#cells[row * width + i] !== this.#wanted[i]) return false
    return true
  }

  /** A row for the address that was read, which has none. */
  #take(family: number): number {
    if (this.#slotsTaken >= this.#slots.length * fullest) this.#spread()
    const row = this.#left.pop() ?? this.#rows++
    if (row >= this.#families.length) this.#widen()
    this.#families[row] = family
    this.#size++
    this.#enter(row, hashOf(this.#wanted, 0))
    return row
  }

  #enter(row: number, hash: number): void {
    const mask = this.#slots.length - 1
    let slot = hash & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = row + 1
    this.#slotsTaken++
  }

  /** Slots anew, without those of who left; twice as many where there are too few. */
  #spread(): void {
    this.#slots = new Int32Array(this.#size >= (this.#slots.length * fullest) / 2 ? 2 * this.#slots.length : this.#slots.length)
    this.#slotsTaken = 0
    for (let row = 0; row < this.#rows; row++) if (this.#families[row] !== free) this.#enter(row, hashOf(this.#cells, row * width))
  }

  #widen(): void {
    const rows = 2 * this.#families.length
    const [cells, families, hosts] = [this.#cells, this.#families, this.#hosts]
    this.#cells = new Uint16Array(width * rows)
    this.#cells.set(cells)
    this.#families = new Uint8Array(rows)
    this.#families.set(families)
    this.#hosts = new Uint16Array(rows)
    this.#hosts.set(hosts)
    if (this.#identities === undefined) return
    const identities = this.#identities
    this.#identities = new Uint32Array(rows)
    this.#identities.set(identities)
  }
}

/** FNV-1a of the address's groups, and the bits mixed once more (MurmurHash3's last step). */
function hashOf(cells: Uint16Array, from: number): number {
  let h = 0x811c9dc5
  for (let i = 0; i < addressWidth; i++) h = Math.imul(h ^ cells[from + i]!, 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

const macNumber = (cells: Uint16Array, from: number): number => cells[from]! * 2 ** 32 + cells[from + 1]! * 2 ** 16 + cells[from + 2]!

function printMac(cells: Uint16Array, from: number): string {
  const [a, b, c] = [cells[from]!, cells[from + 1]!, cells[from + 2]!]
  return `${hex[a >> 8]!}:${hex[a & 255]!}:${hex[b >> 8]!}:${hex[b & 255]!}:${hex[c >> 8]!}:${hex[c & 255]!}`
}
