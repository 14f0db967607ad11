// A bridge's flows: changed in bundles, read back, and counted. The way to the bridge is made anew whenever it is cut.
import { backoffMs } from '../../core/backoff.ts'
import { FlowRefused, SwitchUnavailable } from '../../core/errors.ts'
import { flowKey, type Flow } from '../../core/pipeline/flow.ts'
import { tableName } from '../../core/pipeline/tables.ts'
import { Bytes } from '../../core/wire/bytes.ts'
import { describeRefusal } from '../../core/wire/openflow-errors.ts'
import { bundleControls, messageTypes, readFlowStats, readTableStats, writeBare, writeBundleControl, writeBundledFlow, writeFlowStatsRequest, writeTableStatsRequest, type FlowCommand, type SeenFlow } from '../../core/wire/openflow.ts'
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
  }

  /**
   * Deletes and adds as one: packets see all of it or nothing of it.
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

  /** All flows of ours. */
  async dump(signal: AbortSignal): Promise<SeenFlow[]> {
    const messages = await this.#asked(signal, (connection) => request(connection, writeFlowStatsRequest))
    return messages.flatMap(readFlowStats)
  }

  /** Flows by table, whosever they are: cheap, however many they are. */
  async counts(signal: AbortSignal): Promise<ReadonlyMap<number, number>> {
    const messages = await this.#asked(signal, (connection) => request(connection, writeTableStatsRequest))
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

  /** Waits for the way to the switch as long as the signal lets it; a way that is cut meanwhile is not gone a second time. */
  async #asked<T>(signal: AbortSignal, ask: (connection: OpenFlowConnection) => Promise<T>): Promise<T> {
    const { bridge } = this.#options
    try {
      return await ask(await beforeEnd(this.#connected(signal), signal))
    } catch (problem) {
      if (problem instanceof FlowRefused || problem instanceof SwitchUnavailable) throw problem
      throw new SwitchUnavailable({ bridge, reason: problem instanceof Error ? problem.message : String(problem), cause: problem })
    }
  }

  async #connected(signal: AbortSignal): Promise<OpenFlowConnection> {
    while (!this.#closed && !signal.aborted) {
      const connection = await this.#ready.catch(() => undefined)
      if (connection !== undefined && connection === this.#connection) return connection
    }
    throw new Error('closed')
  }

  async #bundled(connection: OpenFlowConnection, drops: readonly Flow[], puts: readonly Flow[]): Promise<void> {
    const bundle = this.#bundle++
    const count = drops.length + puts.length
    // One xid for the opening, one for each flow, one for the commit.
    const first = connection.xids(count + 2)
    const done = connection.answer(first + count + 1, first)
    // A refusal may come while there is still something to send.
    done.catch(() => undefined)
    let out = new Bytes(pieceBytes + 4_096)
    writeBundleControl(out, first, bundle, bundleControls.open)
    for (let i = 0; i < count; i++) {
      const command: FlowCommand = i < drops.length ? 'deleteStrict' : 'add'
      writeBundledFlow(out, first + 1 + i, bundle, { command, flow: i < drops.length ? drops[i]! : puts[i - drops.length]! })
      if (out.at < pieceBytes) continue
      await connection.stream(out)
      out = new Bytes(pieceBytes + 4_096)
    }
    writeBundleControl(out, first + count + 1, bundle, bundleControls.commit)
    await connection.stream(out)
    try {
      await done
    } catch (problem) {
      if (!(problem instanceof RefusedMessage)) throw problem
      connection.send((discard) => writeBundleControl(discard, connection.xids(1), bundle, bundleControls.discard))
      const flow = flowAt(problem.xid - first - 1, drops, puts)
      throw new FlowRefused({ bridge: this.#options.bridge, flow: flow === undefined ? 'a bundle' : `${tableName(flow.table)} ${flowKey(flow)}`, reason: describeRefusal(problem.refusal) })
    }
  }
}

const flowAt = (i: number, drops: readonly Flow[], puts: readonly Flow[]): Flow | undefined => (i < drops.length ? drops[i] : puts[i - drops.length])

function request(connection: OpenFlowConnection, write: (out: Bytes, xid: number) => void): Promise<Uint8Array[]> {
  const xid = connection.xids(1)
  const answer = connection.answer(xid)
  connection.send((out) => write(out, xid))
  return answer
}

/** @throws the signal's reason */
function beforeEnd<T>(wanted: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const give = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', give, { once: true })
    wanted.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
  })
}
