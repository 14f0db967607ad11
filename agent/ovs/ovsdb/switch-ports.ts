// Ports of our bridges: added in batches, as the switch walks all it has for each change; deleted later and a few at a time, as taking a
// port away holds its main thread for ten milliseconds and more.
import { InUse, MegrezError, OvsdbRefused, OvsdbStale, SwitchPortRefused } from '../../../core/errors.ts'
import type { SwitchPort } from '../../../core/pipeline/ovsdb/switch.ts'
import { numberOf, textOf, type Operation, type Result } from '../../../core/wire/ovsdb/ovsdb.ts'
import { timeLimit, type Clock } from '../../../platform/clock.ts'
import type { Ovsdb } from '../../../platform/ovsdb/database.ts'
import { applied } from '../../../platform/ovsdb/vswitch.ts'
import { addPorts, deletePort, insertPort, markForReaping, setUplink, updatePort } from './port-operations.ts'
import { bridgeRows, carriedBy, isRight, portRows, seenPort, type BridgeRow, type PortRow } from './rows.ts'

interface Wish {
  readonly port: SwitchPort
  readonly resolve: () => void
  readonly reject: (err: Error) => void
}

export interface SwitchPortTimes {
  /**
   * How long the first port of a batch waits for others where ports come many at a time, in milliseconds; one that comes alone does not
   * wait.
   */
  readonly gatherMs: number
  /** How many ports are taken away at a time, and how often. */
  readonly reapCount: number
  readonly reapMs: number
  /** How long the switch may take for a batch. */
  readonly applyMs: number
}
export const usualTimes: SwitchPortTimes = { gatherMs: 1.5, reapCount: 4, reapMs: 50, applyMs: 30_000 }

export class SwitchPorts {
  readonly #db: Ovsdb
  readonly #clock: Clock
  readonly #times: SwitchPortTimes
  #wishes: Wish[] = []
  #gathering = false
  /** The last batch was of several: more may follow. */
  #crowded = false
  #running: Promise<void> = Promise.resolve()
  #cancelReap: (() => void) | undefined
  #closed = false

  constructor(db: Ovsdb, clock: Clock, times: SwitchPortTimes = usualTimes) {
    this.#db = db
    this.#clock = clock
    this.#times = times
  }

  /**
   * Resolves once the switch has them, with the numbers that they asked for.
   *
   * @throws InUse              a port of that name is somebody else's
   * @throws SwitchPortRefused  the switch does not open it, or its number is another's
   * @throws OvsdbStale         a rival was faster: look again
   */
  async put(ports: readonly SwitchPort[]): Promise<void> {
    const all = await Promise.allSettled(ports.map((port) => this.#wish(port)))
    for (const each of all) if (each.status === 'rejected') throw each.reason
  }

  /** What there is of these names is another interface by now: their rows are made anew, as they are. */
  async renew(names: readonly string[]): Promise<void> {
    const rows = portRows(this.#db)
    const there = names.flatMap((name) => rows.get(name) ?? []).filter(({ mark }) => mark === 'port')
    if (there.length === 0) return
    await applied(this.#db, there.map(deletePort), timeLimit(this.#times.applyMs, this.#clock))
    await this.put(there.map(seenPort))
  }

  /** From now on they are gone for everybody who asks; the rows go later. */
  async drop(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const rows = portRows(this.#db)
    const operations = names.flatMap((name) => {
      const row = rows.get(name)
      return row?.mark === 'port' ? [markForReaping(row)] : []
    })
    if (operations.length > 0) await this.#db.transact(operations)
    this.reapSoon()
    if (operations.length > 0) await this.#narrow()
  }

  /** Uplinks carry nothing that no port carries any more; in turn with what is put, which may carry it anew. */
  #narrow(): Promise<void> {
    if (uplinkOperations([], portRows(this.#db)).length === 0) return Promise.resolve()
    const done = this.#running.then(async () => {
      const operations = uplinkOperations([], portRows(this.#db))
      if (operations.length > 0) await applied(this.#db, operations, timeLimit(this.#times.applyMs, this.#clock))
    })
    this.#running = done.catch(() => undefined)
    return done
  }

  /** Takes away what is marked for it, a few at a time. */
  reapSoon(): void {
    if (this.#closed) return
    this.#cancelReap ??= this.#clock.after(this.#times.reapMs, () => {
      this.#cancelReap = undefined
      this.#running = this.#running.then(() => this.#reap()).catch(() => undefined)
    })
  }

  close(): void {
    this.#closed = true
    this.#cancelReap?.()
  }

  async #reap(): Promise<void> {
    const waiting = [...portRows(this.#db).values()].filter(({ mark }) => mark === 'reap')
    if (waiting.length === 0 || this.#closed) return
    this.reapSoon()
    await applied(this.#db, waiting.slice(0, this.#times.reapCount).map(deletePort), timeLimit(this.#times.applyMs, this.#clock))
  }

  #wish(port: SwitchPort): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#wishes.push({ port, resolve, reject })
      if (this.#gathering) return
      this.#gathering = true
      this.#clock.after(this.#crowded ? this.#times.gatherMs : 0, () => {
        // What is wished while a batch is under way is the next one.
        this.#running = this.#running.then(() => {
          this.#gathering = false
          return this.#batch(this.#wishes.splice(0))
        })
      })
    })
  }

  async #batch(wishes: readonly Wish[]): Promise<void> {
    this.#crowded = wishes.length > 1
    const rows = portRows(this.#db)
    const bridges = new Map(bridgeRows(this.#db).map((row) => [row.name, row]))
    const possible = wishes.filter((wish) => isPossible(wish, rows, bridges))
    if (possible.length === 0) return
    try {
      const isClear = await this.#clearLeaving(possible, rows)
      const { operations, updates } = operationsFor(
        possible.map(({ port }) => port),
        isClear ? rows : portRows(this.#db),
        bridges,
      )
      const results = await applied(this.#db, operations, timeLimit(this.#times.applyMs, this.#clock))
      if (updates.some((at) => missed(results[at]))) throw new OvsdbStale({ address: this.#db.address })
      const after = portRows(this.#db)
      for (const wish of possible) this.#settle(wish, after)
    } catch (err) {
      // One that the database does not take must not keep the others out.
      if (err instanceof OvsdbRefused && possible.length > 1) for (const wish of possible) await this.#batch([wish])
      else for (const { reject } of possible) reject(err as Error)
    }
  }

  /**
   * False where rows have gone for it. What is wanted again under the name of one that waits for its deletion is another interface by now,
   * of the same name. In its old
   * row the switch goes on with the one before: it has seen no end, and in user space its socket is bound to an interface that is gone.
   */
  async #clearLeaving(wishes: readonly Wish[], rows: PortRows): Promise<boolean> {
    const leaving = [...new Set(wishes.map(({ port }) => rows.get(port.name)))].filter((row) => row?.mark === 'reap')
    if (leaving.length === 0) return true
    await applied(
      this.#db,
      leaving.map((row) => deletePort(row!)),
      timeLimit(this.#times.applyMs, this.#clock),
    )
    return false
  }

  #settle({ port, resolve, reject }: Wish, after: PortRows): void {
    const there = after.get(port.name)
    const problem = there === undefined ? new OvsdbStale({ address: this.#db.address }) : portErrorOf(port, there, after)
    if (problem === undefined) resolve()
    else reject(problem)
  }
}

type PortRows = ReadonlyMap<string, PortRow>
type Bridges = ReadonlyMap<string, BridgeRow>

function isPossible({ port, reject }: Wish, rows: PortRows, bridges: Bridges): boolean {
  const there = rows.get(port.name)
  if (there !== undefined && there.mark === undefined)
    reject(new InUse({ what: `the switch port ${port.name}`, owner: `bridge ${there.bridge}` }))
  else if (bridges.get(port.bridge)?.ours !== (port.theirs === undefined))
    reject(
      new SwitchPortRefused({
        name: port.name,
        number: port.number,
        reason: `there is no bridge ${port.bridge} of ${port.theirs ? "another's" : 'ours'}`,
      }),
    )
  else return true
  return false
}

/** The last wish of a name counts. Whoever is on its way out under a number that is wanted goes at once. */
function operationsFor(
  ports: readonly SwitchPort[],
  rows: PortRows,
  bridges: Bridges,
): { readonly operations: Operation[]; readonly updates: readonly number[] } {
  const wanted = new Map(ports.map((port) => [port.name, port]))
  const numbers = new Set(ports.map(({ bridge, number }) => `${bridge} ${number}`))
  const operations: Operation[] = [...rows.values()]
    .filter((row) => row.mark === 'reap' && !wanted.has(row.name) && numbers.has(`${row.bridge} ${numberOf(row.ifc.ofport) ?? 0}`))
    .map(deletePort)
  const updates: number[] = []
  const added = new Map<string, number[]>()
  for (const [nth, port] of [...wanted.values()].entries()) {
    const there = rows.get(port.name)
    if (there?.bridge === port.bridge) {
      updates.push(operations.length, operations.length + 1)
      operations.push(...updatePort(port, there))
      continue
    }
    operations.push(...(there === undefined ? [] : [deletePort(there)]), ...insertPort(port, nth))
    added.set(port.bridge, [...(added.get(port.bridge) ?? []), nth])
  }
  for (const [bridge, nths] of added) operations.push(addPorts(bridges.get(bridge)!.id, nths))
  operations.push(...uplinkOperations([...wanted.values()], rows))
  return { operations, updates }
}

/** For each uplink whose bridge carries, or is about to carry, something else than it does. */
function uplinkOperations(ports: readonly SwitchPort[], rows: PortRows): readonly Operation[] {
  const there = [...rows.values()].filter((row) => row.mark === 'port' && row.isUplink)
  const added = ports.filter(({ name, vlan }) => vlan === 'of its bridge' && !there.some((row) => row.name === name))
  return [
    ...there.flatMap((uplink) => {
      const vlans = carriedBy(uplink.bridge, rows, ports)
      return isRight(uplink, vlans) ? [] : [setUplink(uplink.name, vlans)]
    }),
    ...added.map(({ name, bridge }) => setUplink(name, carriedBy(bridge, rows, ports))),
  ]
}

function portErrorOf({ name, number, bridge, theirs }: SwitchPort, { ifc }: PortRow, rows: PortRows): MegrezError | undefined {
  const has = numberOf(ifc.ofport) ?? -1
  if (has === number || (theirs !== undefined && has > 0)) return undefined
  if (has < 0) return new SwitchPortRefused({ name, number, reason: textOf(ifc.error) || 'it is not there' })
  const holder = [...rows.values()].find((row) => row.bridge === bridge && numberOf(row.ifc.ofport) === number)
  return new SwitchPortRefused({
    name,
    number,
    reason: holder === undefined ? `it has the number ${has}` : `that number is ${holder.name}'s`,
  })
}

const missed = (result: Result | undefined): boolean => result?.count === 0
