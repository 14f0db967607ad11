// The agent's one loop: pieces that changed are rendered and applied a moment later, all that came by then as one change; now
// and then, and when somebody may have meddled, all that is there is compared with all that should be.
import type { Dataplane, NodeChange } from '../core/contracts/dataplane.ts'
import { backoffMs } from '../core/backoff.ts'
import { messageOf } from '../core/errors.ts'
import { kindsFor } from '../core/pieces/index.ts'
import type { PieceKinds, Source } from '../core/pieces/kind.ts'
import { changeOf } from '../core/plan/node/change.ts'
import { NodeComparison } from '../core/plan/node/comparison.ts'
import { itemsOf } from '../core/plan/node/items.ts'
import { inOrder, orderBy, type ItemOrder } from '../core/plan/node/order.ts'
import { WantedItems } from '../core/plan/node/wanted-items.ts'
import { breath, type Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { KeptPieces } from './pieces/kept-pieces.ts'
import { Pieces } from './pieces/pieces.ts'

/** What the metrics tell of. */
export interface LoopMeter {
  applied(items: number): void
  /** Things that were not as they should be, outside of any change of ours. */
  repaired(items: number): void
  failed(): void
  /** One change of the data plane. */
  took(outcome: 'done' | 'failed', seconds: number): void
}

export interface LoopDeps {
  readonly plane: Dataplane
  readonly node: string
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly meter: LoopMeter
  /** Whether a source of pieces has told all it knows: before all have, nothing is dropped or replaced. */
  readonly synced: (source: Source) => boolean
  /** Milliseconds between audits; a costly one makes them rarer. */
  readonly auditMs: number
  /** Called when a change was refused: what is wanted may be what cannot be. */
  readonly onRefused?: () => void
  /** Absent: all kinds that there are. */
  readonly kinds?: PieceKinds
  /** Absent: no piece is written down. */
  readonly kept?: Pick<KeptPieces, 'keep' | 'written'>
}

/** Changes of one turn of the event loop are one, and so are those that come while one is applied. */
const coalesceMs = 0
/** An audit may take this share of the time at most. */
const auditShare = 20
/** Items that a comparison changes at once. */
const atOnce = 2_000
/** Meddling comes in bursts. */
const driftMs = 50
/** Audits by time that look at the same wanted items, before these are rendered once more. */
const auditsOfOne = 8

/** What was wanted when all was as it should be. */
interface InPlace {
  readonly items: WantedItems
  readonly version: number
  readonly audits: number
}

export class NodeLoop {
  readonly pieces: Pieces
  readonly #deps: LoopDeps
  readonly #order: ItemOrder | undefined
  readonly #stop = new AbortController()
  #waiters: (() => void)[] = []
  /** The pass that is due, and when. */
  #due: { readonly ms: number; readonly cancel: () => void } | undefined
  #cancelAudit: (() => void) | undefined
  #running: Promise<void> | undefined
  #failures = 0
  /** What was applied is no longer known: an audit is to find out. */
  #unsure = true
  #problem: string | undefined
  /**
   * Keys of items that changes were to remove or replace, and that may still be there: a revocation is carried out even while some source
   * has not listed everything yet.
   */
  readonly #owed = new Set<string>()
  /** Everything was as it should be, once. */
  #compared = false
  /** Of the last audit; nothing has been heard since that makes it doubtful. */
  #inPlace: InPlace | undefined

  constructor(deps: LoopDeps) {
    this.#deps = deps
    const { kept, plane, kinds = kindsFor(plane.name) } = deps
    this.pieces = new Pieces({ changed: () => this.#soon(coalesceMs), kinds, ...(kept && { keeper: kept }) })
    this.#order = orderBy(kinds, plane)
  }

  /** Why the node is not as it should be, if it is not. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Looks at what is there, and follows it from now on. */
  start(): void {
    this.#deps.plane.onDrift(() => {
      this.#doubt()
      this.#soon(driftMs)
    })
    this.#soon(0)
  }

  /** Resolves once all that was set by now is in the data plane. */
  applied(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (): void => reject(signal.reason as Error)
      if (signal.aborted) return refuse()
      signal.addEventListener('abort', refuse, { once: true })
      this.#waiters.push(() => {
        signal.removeEventListener('abort', refuse)
        resolve()
      })
      this.#soon(coalesceMs)
    })
  }

  /** Everything is compared anew: sources have come to agree, or somebody asks. */
  audit(): void {
    this.#doubt()
    this.#soon(0)
  }

  #doubt(): void {
    this.#unsure = true
    this.#inPlace = undefined
  }

  /** What is there stays: traffic goes on without us. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('the agent stops'))
    this.#due?.cancel()
    this.#cancelAudit?.()
    await this.#running
  }

  /** A pass that is due later does not hold back one that is due now. */
  #soon(ms: number): void {
    const { clock } = this.#deps
    if (this.#stop.signal.aborted || this.#running !== undefined) return
    const dueMs = clock.elapsed() + ms
    if (this.#due !== undefined && this.#due.ms <= dueMs) return
    this.#due?.cancel()
    const cancel = clock.after(ms, () => {
      this.#due = undefined
      this.#running = this.#pass().finally(() => {
        this.#running = undefined
        if (this.#failures > 0) this.#soon(backoffMs(this.#failures, this.#deps.random()))
        else if (this.#unsure || this.#waiters.length > 0 || this.pieces.isChanged) this.#soon(coalesceMs)
      })
    })
    this.#due = { ms: dueMs, cancel }
  }

  async #pass(): Promise<void> {
    const waiters = this.#waiters.splice(0)
    try {
      await (this.#unsure ? this.#compare() : this.#apply())
      this.#failures = 0
      this.#problem = undefined
      for (const waiter of waiters) waiter()
    } catch (err) {
      this.#waiters.unshift(...waiters)
      this.#doubt()
      this.#failures++
      this.#problem = messageOf(err)
      this.#deps.meter.failed()
      if (this.#stop.signal.aborted) return
      this.#deps.log.warn({ err, failures: this.#failures }, 'the data plane did not take a change')
      this.#deps.onRefused?.()
    }
  }

  async #apply(): Promise<void> {
    const { meter } = this.#deps
    while (this.pieces.isChanged) {
      const change = this.#taken()
      if (change.drop.length + change.put.length === 0) continue
      for (const each of inOrder(change, this.#order)) await this.#applyOne(each)
      this.#owed.clear()
      meter.applied(change.drop.length + change.put.length)
    }
  }

  /** What is enforced is written down, so that it still is after a restart. A disk that does not take it holds nothing up. */
  #applyOne(change: NodeChange): Promise<void> {
    const { kept } = this.#deps
    const apply = (): Promise<void> => this.#change(change)
    return kept?.written()?.then(apply) ?? apply()
  }

  async #change(change: NodeChange): Promise<void> {
    const { plane, clock, meter } = this.#deps
    const began = clock.elapsed()
    const took = (outcome: 'done' | 'failed'): void => meter.took(outcome, (clock.elapsed() - began) / 1000)
    try {
      await plane.apply(change, this.#stop.signal)
    } catch (err) {
      took('failed')
      throw err
    }
    took('done')
  }

  /** The next change, which is owed from now on. */
  #taken(): NodeChange {
    const change = changeOf(this.#deps.plane.renderer, this.pieces.take(atOnce))
    for (const { key } of change.drop) this.#owed.add(key)
    return change
  }

  /** What others did is told apart from what was still to be done: only where nothing was, it is a repair. */
  async #compare(): Promise<void> {
    const { plane, clock } = this.#deps
    const began = clock.elapsed()
    const known = this.#compared && this.#failures === 0 && !this.pieces.isAhead
    while (this.pieces.isChanged) this.#taken()
    this.pieces.forget()
    this.#unsure = false
    const whole = this.#synced
    const { items, audits } = this.#wantedAgain()
    const comparison = this.#comparisonWith(items, whole)
    const { version } = this.pieces
    const wanted = () => itemsOf(plane.renderer, this.pieces.wanted(), this.pieces.kinds)
    // What changes from here on is a change of its own.
    if (audits === 0) await inBreaths(wanted(), clock, (item) => comparison.want(item))
    await this.#walk((key, text) => comparison.see(key, text))
    const meant = known && !this.pieces.isAhead
    const isInPlace = whole && comparison.isInPlace
    for (const action of comparison.changes(wanted, atOnce)) {
      await this.#applyOne(action)
      this.#report(action, meant)
    }
    this.#owed.clear()
    this.#compared = whole
    if (isInPlace && !this.#unsure) this.#inPlace = { items, version, audits }
    this.#later(clock.elapsed() - began)
  }

  #comparisonWith(wanted: WantedItems, whole: boolean): NodeComparison<unknown> {
    const { plane, node } = this.#deps
    return new NodeComparison({
      itemOf: (key: string, text: string) => plane.itemOf(key, text),
      of: { kind: 'Node', name: node },
      whole,
      owed: this.#owed,
      isOwn: plane.isOwn?.bind(plane),
      wanted,
      ...(this.#order && { order: this.#order }),
    })
  }

  /** Where nothing has changed since all was in place, what is wanted need not be rendered again, save now and then. */
  #wantedAgain(): Omit<InPlace, 'version'> {
    const before = this.#inPlace
    this.#inPlace = undefined
    if (before === undefined || before.version !== this.pieces.version || before.audits + 1 >= auditsOfOne)
      return { items: new WantedItems(this.#order), audits: 0 }
    return { items: before.items.anew(), audits: before.audits + 1 }
  }

  get #synced(): boolean {
    const { synced } = this.#deps
    return this.pieces.kinds.every(({ sources }) => sources.every((source) => synced(source)))
  }

  async #walk(see: (key: string, text: string) => void): Promise<void> {
    const { plane } = this.#deps
    if (plane.walk !== undefined) return plane.walk(see, this.#stop.signal)
    for (const [key, text] of await plane.observe(undefined, this.#stop.signal)) see(key, text)
  }

  #report({ put, drop }: NodeChange, repaired: boolean): void {
    const { log, meter } = this.#deps
    const keys = new Set([...put, ...drop].map(({ key }) => key))
    if (repaired) meter.repaired(keys.size)
    else meter.applied(keys.size)
    const of = { put: put.length, dropped: drop.length, first: [...keys].slice(0, 3) }
    if (repaired) log.warn(of, 'the data plane was not as it should be: repaired')
    else log.info(of, 'the data plane is in place')
  }

  #later(tookMs: number): void {
    const { clock, auditMs } = this.#deps
    this.#cancelAudit?.()
    this.#cancelAudit = clock.after(Math.max(auditMs, tookMs * auditShare), () => {
      this.#unsure = true
      this.#soon(0)
    })
  }
}

/** Does something with each of very many, and lets others do something in between. */
async function inBreaths<T>(all: Iterable<T>, clock: Clock, run: (each: T) => void): Promise<void> {
  let count = 0
  for (const each of all) {
    run(each)
    if (++count % atOnce === 0) await breath(clock)
  }
}
