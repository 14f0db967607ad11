// A table of translations in a node's kernel: made once by the program nft, and again where somebody has edited it; its elements come and
// go over netlink, no more of them than differ. Connections of what is gone are forgotten, so that their next packet begins anew.
import { LinkRefused } from '../../core/errors.ts'
import { keyOf as thingKey, type KernelRoute } from '../../core/routing/kernel-routes.ts'
import { encodeCountersDump, readCounters } from '../../core/wire/nft/counters.ts'
import {
  encodeForgetting,
  encodeElements,
  encodeElementsDump,
  blockCount,
  readElements,
  type ConnectionMark,
  type SetElement,
  type SetName,
} from '../../core/wire/nft/translations.ts'
import { errnos, refusedBy, triesMax, type NodeKernel } from '../dataplanes/linux/node-kernel.ts'

export interface TranslationShape<Thing extends KernelRoute> {
  /** As nft names it, with its family. */
  readonly table: string
  readonly ruleset: string
  readonly sets: readonly SetName[]
  /** What a change of it is, in words. */
  readonly what: string
  readonly elementsOf: (thing: Thing) => readonly SetElement[]
  /** What elements come to; what is not whole is like nothing that anybody wants. */
  readonly thingsOf: (elements: readonly SetElement[]) => readonly Thing[]
  /** Which connections are there for its sake. */
  readonly marksOf: (thing: Thing) => readonly ThingMark[]
}

export interface ThingMark extends ConnectionMark {
  /** What these connections keep, and end with. */
  readonly by?: string
}

/** ENOTEMPTY: a block of another's overlaps. */
const refusalsThatARivalMakes = new Set<number>([errnos.ENOENT, errnos.EBUSY, errnos.EEXIST, errnos.ENOTEMPTY])

export class TranslationTable<Thing extends KernelRoute> {
  readonly #home: NodeKernel
  readonly #shape: TranslationShape<Thing>
  /** Without its family. */
  readonly #name: string

  constructor(home: NodeKernel, shape: TranslationShape<Thing>) {
    this.#home = home
    this.#shape = shape
    this.#name = shape.table.split(' ')[1] ?? ''
  }

  /** None where there is no table, or its rules are not ours. */
  async list(): Promise<readonly Thing[]> {
    const there = await this.#elements()
    if (there === undefined || there.length === 0) return []
    return (await this.#home.isWritten(this.#shape.table, this.#shape.ruleset)) ? this.#shape.thingsOf(there) : []
  }

  /**
   * @param was as it was known to be there
   * @param is in its place
   * @throws LinkRefused
   */
  async change(was: readonly Thing[], is: readonly Thing[]): Promise<void> {
    if (was.length + is.length === 0) return
    if (is.length > 0) await this.#makeTable()
    for (const part of parts(was, is, (thing) => this.#shape.elementsOf(thing).length)) await this.#changePart(part)
  }

  async #changePart({ was, is }: Change<Thing>): Promise<void> {
    const wanted = is.flatMap(this.#shape.elementsOf)
    const known = was.flatMap(this.#shape.elementsOf)
    let there: readonly SetElement[] = known
    for (let times = 0; ; times++) {
      const change = differenceOf(there, wanted)
      const isNone = change.drop.length + change.put.length === 0
      const errno = isNone ? 0 : await this.#home.change({ of: 'netfilter', bytes: encodeElements(this.#name, change) })
      if (errno === 0) break
      if (times >= triesMax || !refusalsThatARivalMakes.has(errno)) throw refusedBy(this.#shape.what, errno)
      there = await this.#concerned([...known, ...wanted])
    }
    await this.#forget(this.#gone(this.#shape.thingsOf(there), is))
  }

  /** Packets, by the name of the counter; none where there is no table. */
  async counted(name: string): Promise<number> {
    const request = { of: 'netfilter', bytes: encodeCountersDump(this.#name), read: readCounters, none: [errnos.ENOENT] } as const
    const counters = (await this.#home.list('a list of counters', request)) ?? []
    return counters.find((each) => each.name === name)?.packets ?? 0
  }

  async drop(): Promise<void> {
    await this.#home.dropTable(this.#shape.table)
  }

  /** Whatever is there of what these are about. */
  async #concerned(elements: readonly SetElement[]): Promise<readonly SetElement[]> {
    const about = new Set(elements.map(aboutOf))
    return ((await this.#elements()) ?? []).filter((each) => about.has(aboutOf(each)))
  }

  async #makeTable(): Promise<void> {
    const isThere = async (): Promise<boolean> =>
      (await this.#rulesAreThere()) && (await this.#home.isWritten(this.#shape.table, this.#shape.ruleset))
    if (await isThere()) return
    const reason = await this.#home.makeTable(this.#shape.table, this.#shape.ruleset, isThere)
    if (reason !== undefined) throw new LinkRefused({ what: `the table ${this.#shape.table} of nftables`, reason })
  }

  async #rulesAreThere(): Promise<boolean> {
    return (await this.#home.rulesOf(this.#shape.table)).length > 0
  }

  async #elements(): Promise<readonly SetElement[] | undefined> {
    const lists = await Promise.all(
      this.#shape.sets.map((set) =>
        this.#home.list(this.#shape.what, {
          of: 'netfilter',
          bytes: encodeElementsDump(this.#name, set),
          read: readElements(set),
          none: [errnos.ENOENT],
        }),
      ),
    )
    return lists.some((each) => each === undefined) ? undefined : lists.flatMap((each) => each ?? [])
  }

  /** Marks of what was there and is no more. */
  #gone(was: readonly Thing[], is: readonly Thing[]): readonly ThingMark[] {
    const still = new Set(is.flatMap(this.#shape.marksOf).map(markText))
    const before = new Map(was.flatMap(this.#shape.marksOf).map((each) => [markText(each), each]))
    return [...before].flatMap(([text, each]) => (still.has(text) ? [] : [each]))
  }

  async #forget(marks: readonly ConnectionMark[]): Promise<void> {
    if (marks.length === 0) return
    const errno = await this.#home.change({ of: 'netfilter', bytes: encodeForgetting(marks) })
    // It says so where it has found none.
    if (errno !== 0 && errno !== errnos.ENOENT) throw refusedBy('the end of connections of what is gone', errno)
  }
}

interface Change<Thing> {
  readonly was: readonly Thing[]
  readonly is: readonly Thing[]
}

/** Elements that go and come in one transaction: the kernel takes one message of some 200 kB (net.core.wmem_default). */
const elementsMost = 1_000

/** No thing is in two of them, so that each is as it was or as it is at any time. */
function parts<Thing extends KernelRoute>(
  was: readonly Thing[],
  is: readonly Thing[],
  sizeOf: (thing: Thing) => number,
): readonly Change<Thing>[] {
  const before = Map.groupBy(was, thingKey)
  const after = Map.groupBy(is, thingKey)
  const found: { was: Thing[]; is: Thing[]; size: number }[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(key) ?? [], after.get(key) ?? []]
    const size = [...one, ...other].reduce((sum, thing) => sum + sizeOf(thing), 0)
    const last = found.at(-1)
    if (last === undefined || last.size + size > elementsMost) found.push({ was: [...one], is: [...other], size })
    else found[found.length - 1] = { was: [...last.was, ...one], is: [...last.is, ...other], size: last.size + size }
  }
  return found
}

/** Blocks of one thing are one, as none may overlap another. */
const aboutOf = ({ set, key }: SetElement): string => `${set} ${key.slice(0, key.length - blockCount(set)).join(' ')}`
const keyOf = ({ set, key }: SetElement): string => `${set} ${key.join(' ')}`
const textOf = ({ data }: SetElement): string => data.join(' ')

function differenceOf(there: readonly SetElement[], wanted: readonly SetElement[]) {
  const before = new Map(there.map((each) => [keyOf(each), each]))
  const after = new Map(wanted.map((each) => [keyOf(each), each]))
  const isSame = (one: SetElement | undefined, other: SetElement | undefined): boolean =>
    one !== undefined && other !== undefined && textOf(one) === textOf(other)
  return {
    drop: [...before].flatMap(([key, each]) => (isSame(each, after.get(key)) ? [] : [each])),
    put: [...after].flatMap(([key, each]) => (isSame(each, before.get(key)) ? [] : [each])),
  }
}

const markText = ({ mark, mask, by }: ThingMark): string => `${mark}/${mask ?? ''} ${by ?? ''}`
