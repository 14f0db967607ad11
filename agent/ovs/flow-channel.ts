// A bridge's flows: changed in bundles, read back, and counted. The way to the bridge is made anew whenever it is cut.
import { backoffMs } from '../../core/backoff.ts'
import { FlowRefused, SwitchUnavailable, messageOf } from '../../core/errors.ts'
import { flowKey, type Flow } from '../../core/pipeline/flow.ts'
import { tableName } from '../../core/pipeline/tables.ts'
import { Bytes } from '../../core/wire/bytes.ts'
import { describeRefusal } from '../../core/wire/openflow/errors.ts'
import { bundleControls, type FlowCommand, messageTypes, readFlowStats, readTableStats, type SeenFlow, writeBare, writeBundleControl, writeBundledFlow, writeFlowStatsRequest, writeSetConfig, writeTableStatsRequest } from '../../core/wire/openflow/openflow.ts'
import type { Clock } from '../../platform/clock.ts'
import { OpenFlowConnection, RefusedMessage } from './openflow-connection.ts'

export interface FlowChannelOptions {
  readonly bridge: string
  /** Of the bridge's management socket, `<rundir>/<bridge>.mgmt`. */
  readonly path: string
  readonly clock: Clock
  readonly random: () => number
  /** The way to the bridge is there again, or gone: flows may be too. */
  readonly onChange: () => void
}

/** In bytes: one write to the socket. */
const pieceBytes = 64 * 1024
/** Flows: larger bundles cost the switch more for each (0.7 to 0.85 of the rate at 100,000, 2026-11), and what a pod or a peer comes to is below a hundred. */
const bundleMax = 1_000

export class FlowChannel {
  readonly #options: FlowChannelOptions
  #connection: OpenFlowConnection | undefined
  #ready: Promise<OpenFlowConnection>
  #attempt = 0
  #bundle = 1
  #closed = false
  #stopRetry: () => void = () => undefined
  /** Bundles go one after the other: a switch has one under way at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: FlowChannelOptions) {
    this.#options = options
    this.#ready = this.#connect()
    this.#ready.catch(() => undefined)
  }

  /**
   * Deletes and adds as one: packets see all of it or nothing of it. More than 1,000 flows are several such, the adds first; no flow may be in both.
   *
   * @throws FlowRefused        with the flow that the switch did not take; then nothing was changed
   * @throws SwitchUnavailable  nobody answers: it may have been done
   */
  change(drops: readonly Flow[], puts: readonly Flow[], signal: AbortSignal): Promise<void> {
    if (drops.length + puts.length === 0) return Promise.resolve()
    const mine = this.#last.then(() => this.#asked(signal, (connection) => this.#bundled(connection, drops, puts)))
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /** All flows of ours, one after the other: nothing of them is kept. */
  each(see: (flow: SeenFlow) => void, signal: AbortSignal): Promise<void> {
    return this.#asked(signal, (connection) => {
      const xid = connection.xids(1)
      const all = connection.answerEach(xid, (message) => readFlowStats(message).forEach(see))
      connection.send((out) => writeFlowStatsRequest(out, xid))
      return all
    })
  }

  /** Flows by table, whosever they are: cheap, however many they are. Who asks this often is no judge of whether the switch hangs. */
  async counts(signal: AbortSignal): Promise<ReadonlyMap<number, number>> {
    const messages = await this.#asked(signal, (connection) => request(connection, writeTableStatsRequest), { judges: false })
    return new Map(messages.flatMap((message) => [...readTableStats(message)]))
  }

  /** Resolves once the switch has done all that it was told before. */
  async settled(signal: AbortSignal): Promise<void> {
    await this.#asked(signal, (connection) => request(connection, (out, xid) => writeBare(out, messageTypes.barrierRequest, xid)))
  }

  close(): void {
    this.#closed = true
    this.#stopRetry()
    this.#connection?.close()
    this.#ready.catch(() => undefined)
  }

  async #connect(): Promise<OpenFlowConnection> {
    const connection = new OpenFlowConnection(this.#options.path)
    this.#connection = connection
    void connection.closed.then(() => this.#lost())
    await connection.greeted
    // Before any flow: guards look into first fragments.
    connection.send((out) => writeSetConfig(out, connection.xids(1)))
    this.#attempt = 0
    this.#options.onChange()
    return connection
  }

  #lost(): void {
    this.#connection = undefined
    if (this.#closed) return
    const { clock, random, onChange } = this.#options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#stopRetry = clock.after(backoffMs(++this.#attempt, random(), { firstMs: 20, maxMs: 1_000 }), resolve)
    this.#ready = promise.then(() => this.#connect())
    this.#ready.catch(() => undefined)
    if (this.#attempt === 1) onChange()
  }

  /**
   * Waits for the way to the switch, and for what it says, as long as the signal lets it; a way that is cut meanwhile is not gone a second
   * time. A switch that says nothing any more is given up with its connection: of what it was told before nothing is known, and the next
   * question is asked over a new one.
   */
  async #asked<T>(signal: AbortSignal, ask: (connection: OpenFlowConnection) => Promise<T>, { judges = true } = {}): Promise<T> {
    const { bridge } = this.#options
    let asking: OpenFlowConnection | undefined
    try {
      signal.throwIfAborted()
      asking = await beforeEnd(this.#connected(signal), signal)
      return await beforeEnd(ask(asking), signal)
    } catch (err) {
      if (err instanceof FlowRefused || err instanceof SwitchUnavailable) throw err
      if (!signal.aborted) throw new SwitchUnavailable({ bridge, reason: messageOf(err), cause: err })
      const hangs = new Error('ovs-vswitchd hangs, or is not there', { cause: err })
      if (judges) asking?.close(hangs)
      throw new SwitchUnavailable({ bridge, reason: hangs.message, cause: hangs })
    }
  }

  async #connected(signal: AbortSignal): Promise<OpenFlowConnection> {
    while (!this.#closed && !signal.aborted) {
      const connection = await this.#ready.catch(() => undefined)
      if (connection !== undefined && connection === this.#connection) return connection
    }
    throw new Error('closed')
  }

  /** One after the other, without waiting in between, so that the switch is never idle. */
  async #bundled(connection: OpenFlowConnection, drops: readonly Flow[], puts: readonly Flow[]): Promise<void> {
    const changes: Changes = { drops, puts, count: puts.length + drops.length }
    const pieces = new Pieces(connection)
    const answers: Promise<void>[] = []
    for (let from = 0; from < changes.count; from += bundleMax) {
      const bundle: Bundle = { id: this.#bundle++, from, to: Math.min(from + bundleMax, changes.count), xid: connection.xids(bundleMax + 2) }
      const answer = this.#answered(connection, bundle, changes)
      // A refusal may come while there is still something to send.
      answer.catch(() => undefined)
      answers.push(answer)
      await writeBundle(pieces, bundle, changes)
    }
    await pieces.flush()
    await Promise.all(answers)
  }

  async #answered(connection: OpenFlowConnection, bundle: Bundle, changes: Changes): Promise<void> {
    try {
      await connection.answer(commitXid(bundle), bundle.xid)
    } catch (err) {
      if (!(err instanceof RefusedMessage)) throw err
      connection.send((out) => writeBundleControl(out, connection.xids(1), bundle.id, bundleControls.discard))
      const at = bundle.from + err.xid - bundle.xid - 1
      const flow = err.xid > bundle.xid && at < bundle.to ? changeAt(changes, at).flow : undefined
      throw new FlowRefused({ bridge: this.#options.bridge, flow: flow === undefined ? 'a bundle' : `${tableName(flow.table)} ${flowKey(flow)}`, reason: describeRefusal(err.refusal) })
    }
  }
}

interface Changes {
  readonly drops: readonly Flow[]
  readonly puts: readonly Flow[]
  readonly count: number
}

/** What is new comes first: where a change is several bundles, packets find the new before the old goes. */
function changeAt({ drops, puts }: Changes, at: number): { readonly command: FlowCommand; readonly flow: Flow } {
  const flow = puts[at]
  return flow === undefined ? { command: 'deleteStrict', flow: drops[at - puts.length]! } : { command: 'add', flow }
}

interface Bundle {
  readonly id: number
  /** Of the changes, the end not included. */
  readonly from: number
  readonly to: number
  /** Of its opening; each flow has one of its own after it, and then the commit. */
  readonly xid: number
}
const commitXid = ({ xid, from, to }: Bundle): number => xid + 1 + to - from

async function writeBundle(pieces: Pieces, bundle: Bundle, changes: Changes): Promise<void> {
  writeBundleControl(pieces.out, bundle.xid, bundle.id, bundleControls.open)
  for (let at = bundle.from; at < bundle.to; at++) {
    writeBundledFlow(pieces.out, bundle.xid + 1 + at - bundle.from, bundle.id, changeAt(changes, at))
    if (pieces.out.at >= pieceBytes) await pieces.flush()
  }
  writeBundleControl(pieces.out, commitXid(bundle), bundle.id, bundleControls.commit)
}

/** What is written goes out in pieces of a good size. */
class Pieces {
  readonly #connection: OpenFlowConnection
  out = new Bytes(pieceBytes + 4_096)

  constructor(connection: OpenFlowConnection) {
    this.#connection = connection
  }

  async flush(): Promise<void> {
    const full = this.out
    this.out = new Bytes(pieceBytes + 4_096)
    await this.#connection.stream(full)
  }
}

function request(connection: OpenFlowConnection, write: (out: Bytes, xid: number) => void): Promise<Uint8Array[]> {
  const xid = connection.xids(1)
  const answer = connection.answer(xid)
  connection.send((out) => write(out, xid))
  return answer
}

/** @throws the signal's reason; one that was given before is the caller's to see, or nobody would hear what becomes of `wanted` */
function beforeEnd<T>(wanted: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', give, { once: true })
    wanted.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  })
}
