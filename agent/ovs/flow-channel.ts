// A bridge's flows: changed in bundles, read back, and counted; and its meters.
import { FlowRefused } from '../../core/errors.ts'
import { flowKey, type Flow } from '../../core/pipeline/flow.ts'
import type { Meter } from '../../core/pipeline/meter.ts'
import { tableName } from '../../core/pipeline/tables.ts'
import { Bytes } from '../../core/wire/bytes.ts'
import { readMeters, writeMetersRequest } from '../../core/wire/openflow/meters.ts'
import { describeRefusal } from '../../core/wire/openflow/errors.ts'
import {
  type FlowCommand,
  messageTypes,
  readFlowStats,
  readTableStats,
  type SeenFlow,
  writeBare,
  writeBundleControl,
  writeBundledFlow,
  writeFlowStatsRequest,
  writeSetConfig,
  writeTableStatsRequest,
} from '../../core/wire/openflow/openflow.ts'
import { Channel, request, type ChannelOptions } from './channel.ts'
import { changeMeter } from './meter-changes.ts'
import { type OpenFlowConnection, RefusedMessage } from './openflow-connection.ts'

/** In bytes: one write to the socket. */
const pieceBytes = 64 * 1024
/**
 * Flows: larger bundles cost the switch more for each (0.7 to 0.85 of the rate at 100,000, 2026-11), and what a pod or a peer comes to is
 * below a hundred.
 */
const bundleMax = 1_000

export class FlowChannel {
  readonly #bridge: string
  readonly #channel: Channel
  #bundle = 1
  /** Bundles go one after the other: a switch has one under way at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: ChannelOptions) {
    this.#bridge = options.bridge
    // Before any flow: guards look into first fragments.
    this.#channel = new Channel(options, { begin: writeSetConfig })
  }

  /**
   * Deletes and adds as one: packets see all of it or nothing of it. More than 1,000 flows are several such, the adds first; no flow may be
   * in both.
   *
   * @throws FlowRefused        with the flow that the switch did not take; then nothing was changed
   * @throws SwitchUnavailable  nobody answers: it may have been done
   */
  change(drops: readonly Flow[], puts: readonly Flow[], signal: AbortSignal): Promise<void> {
    if (drops.length + puts.length === 0) return Promise.resolve()
    const mine = this.#last.then(() => this.#channel.asked(signal, (connection) => this.#bundled(connection, drops, puts)))
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /** All flows of ours, one after the other: nothing of them is kept. */
  each(see: (flow: SeenFlow) => void, signal: AbortSignal): Promise<void> {
    return this.#channel.asked(signal, (connection) => {
      const xid = connection.xids(1)
      const all = connection.answerEach(xid, (message) => readFlowStats(message).forEach(see))
      connection.send((out) => writeFlowStatsRequest(out, xid))
      return all
    })
  }

  /** Flows by table, whosever they are: cheap, however many they are. Who asks this often is no judge of whether the switch hangs. */
  async counts(signal: AbortSignal): Promise<ReadonlyMap<number, number>> {
    const messages = await this.#channel.asked(signal, (connection) => request(connection, writeTableStatsRequest), { judges: false })
    return new Map(messages.flatMap((message) => [...readTableStats(message)]))
  }

  /** Resolves once the switch has done all that it was told before. */
  async settled(signal: AbortSignal): Promise<void> {
    await this.#channel.asked(signal, (connection) => request(connection, (out, xid) => writeBare(out, messageTypes.barrierRequest, xid)))
  }

  /**
   * Meters of ours that are there.
   *
   * @throws as `change`
   */
  async meters(signal: AbortSignal): Promise<readonly Meter[]> {
    const messages = await this.#channel.asked(signal, (connection) => request(connection, writeMetersRequest))
    return messages.flatMap(readMeters)
  }

  /** One meter, as no bundle takes any. @throws as `change` */
  changeMeter(command: 'put' | 'drop', meter: Meter, signal: AbortSignal): Promise<void> {
    return this.#channel.asked(signal, (connection) => changeMeter(connection, command, { bridge: this.#bridge, meter }))
  }

  close(): void {
    this.#channel.close()
  }

  /** One after the other, without waiting in between, so that the switch is never idle. */
  async #bundled(connection: OpenFlowConnection, drops: readonly Flow[], puts: readonly Flow[]): Promise<void> {
    const changes: Changes = { drops, puts, count: puts.length + drops.length }
    const pieces = new Pieces(connection)
    const answers: Promise<void>[] = []
    for (let from = 0; from < changes.count; from += bundleMax) {
      const bundle: Bundle = {
        id: this.#bundle++,
        from,
        to: Math.min(from + bundleMax, changes.count),
        xid: connection.xids(bundleMax + 2),
      }
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
      connection.send((out) => writeBundleControl(out, connection.xids(1), { bundle: bundle.id, control: 'discard' }))
      const at = bundle.from + err.xid - bundle.xid - 1
      const flow = err.xid > bundle.xid && at < bundle.to ? changeAt(changes, at).flow : undefined
      const what = flow === undefined ? 'a bundle' : `${tableName(flow.table)} ${flowKey(flow)}`
      throw new FlowRefused({ bridge: this.#bridge, flow: what, reason: describeRefusal(err.refusal) })
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
  writeBundleControl(pieces.out, bundle.xid, { bundle: bundle.id, control: 'open' })
  for (let at = bundle.from; at < bundle.to; at++) {
    writeBundledFlow(pieces.out, bundle.xid + 1 + at - bundle.from, bundle.id, changeAt(changes, at))
    if (pieces.out.at >= pieceBytes) await pieces.flush()
  }
  writeBundleControl(pieces.out, commitXid(bundle), { bundle: bundle.id, control: 'commit' })
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
