// The node's memory over restarts of its agent, of one life of the machine: after a boot no sandbox is there any more.
import { join } from 'node:path'
import { NumbersExhausted } from '../../core/errors.ts'
import { sameJson } from '../../core/same-json.ts'
import type { Log } from '../../platform/log.ts'
import type { Disk } from './disk.ts'
import { Journal } from './journal.ts'
import { isHeldBy, numbersOf, pieceKey, sandboxKey, wiredKey, type External, type Sandbox, type Wired } from './record.ts'

/**
 * Node-local numbers: OpenFlow keeps those above 0xff00 for itself, conntrack zones are 16 bits, and some room for what is the bridge's
 * own.
 */
const numberMin = 1
const numberMax = 60_000

/** So many sandboxes that have ended are remembered: those of two fillings of a large node. */
const endedMost = 500
const endedKey = (containerID: string): string => `ended/${containerID}`

/** Notes of the ledger's own. */
const [incomplete, formerNode] = ['lines that could not be read', 'former node']
/** Another version may have said it otherwise. */
const isWired = (value: unknown): value is Wired =>
  typeof (value as Partial<Wired> | null)?.port?.ifcName === 'string' && typeof (value as Wired).containerID === 'string'

export interface LedgerPlace {
  readonly disk: Disk
  readonly folder: string
  readonly node: string
  readonly log: Log
  readonly now: () => number
  /** Of this life of the machine. */
  readonly boot: string
}

export class Ledger {
  readonly #journal: Journal
  readonly #release: () => Promise<void>
  readonly #wired = new Map<string, Wired>()
  readonly #sandboxes = new Map<string, Sandbox>()
  /** Port's UID → key of its Wired: one at most. */
  readonly #byPort = new Map<string, string>()
  readonly #numbers = new Map<number, string>()
  #next = numberMin
  /** Keys of sandboxes that have ended, oldest first. */
  readonly #ended: string[] = []

  private constructor(journal: Journal, release: () => Promise<void>) {
    this.#journal = journal
    this.#release = release
    for (const [key, value] of journal.entries) {
      if (key.startsWith('wired/') && isWired(value)) this.#take(value)
      else if (key.startsWith('sandbox/')) this.#sandboxes.set(key, value as Sandbox)
      else if (key.startsWith('ended/')) this.#ended.push(key)
    }
  }

  /** @throws InUse while another agent has it: two would each write as if nobody else wired here */
  static async open(place: LedgerPlace): Promise<Ledger> {
    const release = await place.disk.claim(place.folder)
    try {
      return await Ledger.#read(place, release)
    } catch (err) {
      await release()
      throw err
    }
  }

  static async #read({ disk, folder, node, log, now, boot }: LedgerPlace, release: () => Promise<void>): Promise<Ledger> {
    const { journal, opened } = await Journal.open(
      { disk, path: join(folder, 'ledger.jsonl'), head: { megrez: 'ledger', version: 1, node, boot } },
      now(),
    )
    if (opened.aside !== undefined)
      log.error(
        { aside: opened.aside, lines: opened.broken },
        'the ledger had lines that cannot be read: it was set aside, and what could be read is kept',
      )
    else if (opened.foreign) log.info('the ledger is of an earlier boot: nothing of it is there any more')
    const ledger = new Ledger(journal, release)
    const { before, broken } = opened
    if (before !== undefined)
      log.warn(
        { before: { node: before['node'], version: before['version'] } },
        'the ledger was written by an agent of another name or version: it is read',
      )
    const strange = [...journal.entries].filter(([key, value]) => key.startsWith('wired/') && !isWired(value)).length
    if (broken + strange > 0) await ledger.note(incomplete, broken + strange)
    if (typeof before?.['node'] === 'string' && before['node'] !== node) await ledger.note(formerNode, before['node'])
    return ledger
  }

  /** Whether it knows of everything that was wired in this life of the machine. */
  get isComplete(): boolean {
    return this.noted(incomplete) === undefined
  }
  /** What the node was called when some of this was wired, where that was another name. */
  get formerNode(): string | undefined {
    return this.noted(formerNode) as string | undefined
  }

  wired(): Iterable<Wired> {
    return this.#wired.values()
  }
  wiredOf(portUID: string): Wired | undefined {
    return this.#wired.get(this.#byPort.get(portUID) ?? '')
  }
  /** All interfaces of one sandbox that are Ports'. */
  wiredIn(containerID: string): Wired[] {
    return [...this.#wired.values()].filter((each) => each.containerID === containerID && each.external === undefined)
  }
  /** All interfaces in VLANs, of whatever sandbox. */
  external(): (Wired & { readonly external: External })[] {
    return [...this.#wired.values()].flatMap((each) => (each.external === undefined ? [] : [{ ...each, external: each.external }]))
  }
  sandboxes(): Iterable<Sandbox> {
    return this.#sandboxes.values()
  }
  sandbox(containerID: string, ifname: string): Sandbox | undefined {
    return this.#sandboxes.get(sandboxKey({ containerID, ifname }))
  }
  /** The latest sandbox of a pod. */
  sandboxOf(podUID: string): Sandbox | undefined {
    return [...this.#sandboxes.values()].findLast(({ pod }) => pod.uid === podUID)
  }

  /**
   * A number for a Port that no other here has: the one it has already, or the next free one; numbers come round as late as can be.
   *
   * @throws NumbersExhausted
   */
  numberFor(portUID: string): number {
    const known = this.wiredOf(portUID)?.port.number ?? [...this.#numbers].find(([, uid]) => uid === portUID)?.[0]
    if (known !== undefined) return known
    for (let tried = numberMin; tried <= numberMax; tried++) {
      const number = this.#next
      this.#next = number === numberMax ? numberMin : number + 1
      if (this.#numbers.has(number)) continue
      this.#numbers.set(number, portUID)
      return number
    }
    throw new NumbersExhausted({ max: numberMax })
  }

  /** Gives back the numbers of a Port that was not wired after all. */
  forgetNumbers(portUID: string): void {
    if (this.wiredOf(portUID) !== undefined) return
    for (const [number, holder] of this.#numbers) if (isHeldBy(holder, portUID)) this.#numbers.delete(number)
  }

  /** A Port is in one place at a time: it leaves the sandbox it was in before. Resolves once it is written. */
  async put(wired: Wired): Promise<void> {
    this.#move(wired)
    await this.#journal.put(wiredKey(wired), wired)
  }

  /** As `put`, and written with the next line that is put: that of its sandbox. */
  begin(wired: Wired): void {
    this.#move(wired)
    this.#journal.begin(wiredKey(wired), wired)
  }

  #move(wired: Wired): void {
    const before = this.#byPort.get(wired.port.uid)
    if (before !== undefined && before !== wiredKey(wired)) {
      this.#wired.delete(before)
      void this.#journal.delete(before).catch(() => undefined)
    }
    this.#take(wired)
  }

  #take(wired: Wired): void {
    const key = wiredKey(wired)
    // Of VLANs that it is not in any more.
    for (const { number } of this.#wired.get(key)?.port.zones ?? []) this.#numbers.delete(number)
    this.#wired.set(key, wired)
    this.#byPort.set(wired.port.uid, key)
    for (const [number, holder] of numbersOf(wired.port)) this.#numbers.set(number, holder)
  }

  /** Only if it is still the one that has the Port: a later sandbox's stays. */
  async drop(wired: Wired): Promise<void> {
    const key = wiredKey(wired)
    if (this.#wired.get(key)?.port.uid !== wired.port.uid) return
    this.#wired.delete(key)
    this.#byPort.delete(wired.port.uid)
    this.forgetNumbers(wired.port.uid)
    await this.#journal.delete(key)
  }

  async putSandbox(sandbox: Sandbox): Promise<void> {
    this.#sandboxes.set(sandboxKey(sandbox), sandbox)
    await this.#journal.put(sandboxKey(sandbox), sandbox)
  }

  /** It has ended: its pod has another one, or none any more. */
  async dropSandbox(sandbox: Pick<Sandbox, 'containerID' | 'ifname'>): Promise<void> {
    this.#sandboxes.delete(sandboxKey(sandbox))
    await Promise.all([this.end(sandbox.containerID), this.#journal.delete(sandboxKey(sandbox))])
  }

  /**
   * Remembers that a runtime is done with a sandbox, as long as others ended after it are not too many. A disk that does not take it holds
   * nobody up.
   */
  async end(containerID: string): Promise<void> {
    const key = endedKey(containerID)
    if (this.#journal.entries.has(key)) return
    this.#ended.push(key)
    const oldest = this.#ended.length > endedMost ? this.#ended.shift() : undefined
    await Promise.allSettled([this.#journal.put(key, true), ...(oldest === undefined ? [] : [this.#journal.delete(oldest)])])
  }
  hasEnded(containerID: string): boolean {
    return this.#journal.entries.has(endedKey(containerID))
  }

  /** A piece of a kind that is kept. Resolves once it is written. @param piece undefined: it is there no more */
  keepPiece(kind: string, key: string, piece: unknown): Promise<void> {
    const line = pieceKey(kind, key)
    if (piece === undefined) return this.#journal.delete(line)
    return sameJson(this.#journal.entries.get(line), piece) ? Promise.resolve() : this.#journal.put(line, piece)
  }
  /** Pieces of a kind by key, as they were written. */
  *pieces(kind: string): Generator<readonly [key: string, piece: unknown], void, undefined> {
    const start = pieceKey(kind, '')
    for (const [line, piece] of this.#journal.entries) if (line.startsWith(start)) yield [line.slice(start.length), piece]
  }

  /** What is worth knowing the next time, by a name. */
  note(name: string, value: string | number): Promise<void> {
    return this.noted(name) === value ? Promise.resolve() : this.#journal.put(`note/${name}`, value)
  }
  noted(name: string): unknown {
    return this.#journal.entries.get(`note/${name}`)
  }

  /** Only then another agent may have it. */
  async close(): Promise<void> {
    await this.#journal.close()
    await this.#release()
  }

  /** Takes it from the disk, closed: nothing that it remembers is there any more. */
  remove(): Promise<void> {
    return this.#journal.remove()
  }
}
