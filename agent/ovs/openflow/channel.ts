// The way to a bridge's management socket in one version of OpenFlow, made anew whenever it is cut.
import { backoffMs, backoffs } from '../../../core/backoff.ts'
import { FlowRefused, SwitchUnavailable, messageOf } from '../../../core/errors.ts'
import type { PacketIn } from '../../../core/wire/openflow/packet-in.ts'
import type { Bytes } from '../../../core/wire/bytes.ts'
import type { Clock } from '../../../platform/clock.ts'
import { OpenFlowConnection } from './openflow-connection.ts'

export interface ChannelOptions {
  readonly bridge: string
  /** Of the bridge's management socket, `<rundir>/<bridge>.mgmt`. */
  readonly path: string
  readonly clock: Clock
  readonly random: () => number
  /** The way to the bridge is there again, or gone: what is on it may be too. */
  readonly onChange: () => void
}

export interface Speaking {
  /** On the wire; absent: 1.4's. */
  readonly version?: number
  /** Said first over each connection. */
  readonly begin?: (out: Bytes, xid: number) => void
  /** That a flow has sent here. */
  readonly onPacket?: (packet: PacketIn) => void
}

export class Channel {
  readonly #options: ChannelOptions
  readonly #speaking: Speaking
  #connection: OpenFlowConnection | undefined
  #ready: Promise<OpenFlowConnection>
  #attempt = 0
  #closed = false
  #stopRetry: () => void = () => undefined

  constructor(options: ChannelOptions, speaking: Speaking = {}) {
    this.#options = options
    this.#speaking = speaking
    this.#ready = this.#connect()
    this.#ready.catch(() => undefined)
  }

  close(): void {
    this.#closed = true
    this.#stopRetry()
    this.#connection?.close()
    this.#ready.catch(() => undefined)
  }

  /**
   * Waits for the way to the switch, and for what it says, as long as the signal lets it; a way that is cut meanwhile is not gone a second
   * time. A switch that says nothing any more is given up with its connection: of what it was told before nothing is known, and the next
   * question is asked over a new one. With `judges: false` silence says nothing about the switch.
   *
   * @throws FlowRefused        the switch did not take it
   * @throws SwitchUnavailable  nobody answers: it may have been done
   */
  async exchange<T>(signal: AbortSignal, ask: (connection: OpenFlowConnection) => Promise<T>, { judges = true } = {}): Promise<T> {
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

  async #connect(): Promise<OpenFlowConnection> {
    const connection = new OpenFlowConnection(this.#options.path, this.#speaking.version, this.#speaking.onPacket)
    this.#connection = connection
    void connection.closed.then(() => this.#lost())
    await connection.greeted
    const { begin } = this.#speaking
    if (begin !== undefined) connection.send((out) => begin(out, connection.xids(1)))
    this.#attempt = 0
    this.#options.onChange()
    return connection
  }

  #lost(): void {
    this.#connection = undefined
    if (this.#closed) return
    const { clock, random, onChange } = this.#options
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#stopRetry = clock.after(backoffMs(++this.#attempt, random(), backoffs.openFlow), resolve)
    this.#ready = promise.then(() => this.#connect())
    this.#ready.catch(() => undefined)
    if (this.#attempt === 1) onChange()
  }

  async #connected(signal: AbortSignal): Promise<OpenFlowConnection> {
    while (!this.#closed && !signal.aborted) {
      const connection = await this.#ready.catch(() => undefined)
      if (connection !== undefined && connection === this.#connection) return connection
    }
    throw new Error('closed')
  }
}

/** Asks one thing. */
export function request(connection: OpenFlowConnection, write: (out: Bytes, xid: number) => void): Promise<Uint8Array[]> {
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
