// A bridge's flows: changed in bundles, read back, and counted; and its meters.
import { oursOf, type Feature } from '../../../core/pipeline/cookie.ts'
import { flowKey, type Flow } from '../../../core/pipeline/openflow/flow.ts'
import type { Meter } from '../../../core/pipeline/openflow/meter.ts'
import { tableName, tables } from '../../../core/pipeline/tables.ts'
import { Bytes } from '../../../core/wire/bytes.ts'
import type { PacketIn } from '../../../core/wire/openflow/packet-in.ts'
import { readMeters, writeMetersRequest } from '../../../core/wire/openflow/meters.ts'
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
} from '../../../core/wire/openflow/openflow.ts'
import { commitXid, committed, type Bundle } from './bundle.ts'
import { Channel, request, type ChannelOptions } from './channel.ts'
import { flushZones } from './fresh-zones.ts'
import { changeMeter } from './meter-changes.ts'
import { OneByOne } from '../one-by-one.ts'
import type { OpenFlowConnection } from './openflow-connection.ts'

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
  /** A switch has one bundle under way at a time. */
  readonly #bundles = new OneByOne()

  constructor(options: ChannelOptions, onPacket?: (packet: PacketIn) => void) {
    this.#bridge = options.bridge
    // Before any flow: guards look into first fragments.
    this.#channel = new Channel(options, { begin: writeSetConfig, ...(onPacket && { onPacket }) })
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
    return this.#bundles.run(() => this.#channel.exchange(signal, (connection) => this.#bundled(connection, drops, puts)))
  }

  /** Their zones know of no connections afterwards. @throws as `change` */
  async flushZones(zones: readonly number[], signal: AbortSignal): Promise<void> {
    if (zones.length > 0) await this.#channel.exchange(signal, (connection) => flushZones(connection, this.#bridge, zones))
  }

  /**
   * All flows that we have put there, one after the other: nothing of them is kept.
   *
   * @param feature those of one part of the pipeline alone
   */
  each(see: (flow: SeenFlow) => void, signal: AbortSignal, feature?: Feature): Promise<void> {
    return this.#channel.exchange(signal, (connection) => {
      const xid = connection.xids(1)
      const all = connection.answerEach(xid, (message) => readFlowStats(message).filter(isPut).forEach(see))
      connection.send((out) => writeFlowStatsRequest(out, xid, feature && oursOf(feature)))
      return all
    })
  }

  /**
   * Flows by table, whosever they are, without what the switch learns: cheap, however many they are. Who asks this often is no judge of
   * whether the switch hangs.
   */
  async counts(signal: AbortSignal): Promise<ReadonlyMap<number, number>> {
    const messages = await this.#channel.exchange(signal, (connection) => request(connection, writeTableStatsRequest), { judges: false })
    const counts = new Map(messages.flatMap((message) => [...readTableStats(message)]))
    counts.delete(tables.learnt.number)
    return counts
  }

  /** Resolves once the switch has done all that it was told before. */
  async settled(signal: AbortSignal): Promise<void> {
    await this.#channel.exchange(signal, (connection) =>
      request(connection, (out, xid) => writeBare(out, messageTypes.barrierRequest, xid)),
    )
  }

  /**
   * Meters of ours that are there.
   *
   * @throws as `change`
   */
  async meters(signal: AbortSignal): Promise<readonly Meter[]> {
    const messages = await this.#channel.exchange(signal, (connection) => request(connection, writeMetersRequest))
    return messages.flatMap(readMeters)
  }

  /** One meter, as no bundle takes any. @throws as `change` */
  changeMeter(command: 'put' | 'drop', meter: Meter, signal: AbortSignal): Promise<void> {
    return this.#channel.exchange(signal, (connection) => changeMeter(connection, command, { bridge: this.#bridge, meter }))
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
      const bundle: FlowBundle = {
        id: this.#bundle++,
        from,
        messages: Math.min(bundleMax, changes.count - from),
        xid: connection.xids(bundleMax + 2),
      }
      const describe = (nth: number): string => describeFlow(changeAt(changes, from + nth).flow)
      const answer = committed(connection, bundle, { bridge: this.#bridge, describe })
      // A refusal may come while there is still something to send.
      answer.catch(() => undefined)
      answers.push(answer)
      await writeBundle(pieces, bundle, changes)
    }
    await pieces.flush()
    await Promise.all(answers)
  }
}

/** Flows of the table `learnt` come and go by themselves: they are nobody's to put, to miss or to drop. */
const isPut = ({ flow }: SeenFlow): boolean => flow.table !== tables.learnt.number

const describeFlow = (flow: Flow): string => `${tableName(flow.table)} ${flowKey(flow)}`

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

interface FlowBundle extends Bundle {
  /** Of the changes. */
  readonly from: number
}

async function writeBundle(pieces: Pieces, bundle: FlowBundle, changes: Changes): Promise<void> {
  writeBundleControl(pieces.out, bundle.xid, { bundle: bundle.id, control: 'open' })
  for (let nth = 0; nth < bundle.messages; nth++) {
    writeBundledFlow(pieces.out, bundle.xid + 1 + nth, bundle.id, changeAt(changes, bundle.from + nth))
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
