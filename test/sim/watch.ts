// A watch as one process has it: late, in batches, cut off and begun anew; never out of order, and never wrong for ever.
import type { WatchEvent, Within } from '../../core/contracts/store.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { changesOf } from '../../platform/store/history.ts'
import { inOrder, testOf } from '../../platform/store/selection.ts'
import type { Process } from './process.ts'
import type { Landed, Truth } from './truth.ts'

/** Longest that news is under way when nothing is wrong, in milliseconds. */
const usualMs = 20

/** Wakes whoever waits for a change of a kind. */
export class WatchSignals {
  readonly #waiting = new Map<Kind, Set<() => void>>()

  constructor(truth: Truth) {
    truth.on(({ kind }) => this.ring(kind))
  }

  ring(kind: Kind): void {
    const all = this.#waiting.get(kind)
    if (all === undefined) return
    this.#waiting.delete(kind)
    for (const each of all) each()
  }

  next(kind: Kind, wake: () => void): void {
    const all = this.#waiting.get(kind) ?? new Set()
    this.#waiting.set(kind, all.add(wake))
  }
}

export interface WatchDeps {
  readonly truth: Truth
  readonly signals: WatchSignals
  readonly process: Process
}

export async function* watch<K extends Kind>(
  { truth, signals, process }: WatchDeps,
  kind: K,
  within: Within & { readonly from?: string },
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<K>> {
  const test = testOf(kind, within)
  await process.pass(process.way(), `list ${kind}`)
  await process.connected(`list ${kind}`)
  let seen = truth.version
  if (within.from === undefined) {
    // Of a past only as the process begins: what it has seen since is never taken back.
    seen = Math.max(0, seen - process.pastOf(kind))
    yield listed(truth, kind, test, seen)
  } else seen = Number(within.from)
  while (!signal.aborted) {
    const stall = await news({ truth, signals, process }, kind, seen, signal)
    if (signal.aborted) return
    if (stall?.relists === true) {
      seen = truth.version
      yield listed(truth, kind, test, seen)
      continue
    }
    const events = since(truth, kind, seen)
    // Not all of it at once: what comes in two parts is seen in between.
    const part = process.dice.chance(0.3) ? events.slice(0, 1 + process.dice.int(events.length)) : events
    seen = part.at(-1)?.version ?? seen
    yield* changesOf<K>(part, test)
  }
}

function listed<K extends Kind>(truth: Truth, kind: K, test: (item: Resource) => boolean, version: number): WatchEvent<K> {
  const items = version === truth.version ? [...truth.of(kind).values()] : truth.asOf(kind, version)
  return { type: 'all', items: items.filter(test).sort(inOrder) as Resource<K>[], resourceVersion: String(version) }
}

/** Resolves when there is something new and its time has come. */
async function news(
  { truth, signals, process }: WatchDeps,
  kind: Kind,
  seen: number,
  signal: AbortSignal,
): Promise<{ readonly relists: boolean } | undefined> {
  const last = truth.changesOf(kind).at(-1)
  if (last === undefined || last.version <= seen) {
    await new Promise<void>((resolve) => {
      const wake = (): void => void process.scheduler.after(0, `news of ${kind}`, resolve, process)
      signals.next(kind, wake)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    if (signal.aborted) return undefined
  }
  await process.pass(process.dice.next() * usualMs, `news of ${kind}`)
  await process.connected(`news of ${kind}`)
  for (let stall = process.stalls.get(kind); stall !== undefined; stall = process.stalls.get(kind)) {
    if (process.scheduler.now < stall.until) await process.pass(stall.until - process.scheduler.now, `late news of ${kind}`)
    if (process.stalls.get(kind) !== stall) continue
    process.stalls.delete(kind)
    process.trouble()
    return { relists: stall.relists }
  }
  return undefined
}

function since(truth: Truth, kind: Kind, seen: number): readonly Landed[] {
  const all = truth.changesOf(kind)
  let first = all.length
  while (first > 0 && all[first - 1]!.version > seen) first--
  return all.slice(first)
}
