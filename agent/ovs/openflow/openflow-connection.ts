// One OpenFlow connection, of 1.4 or 1.5, to a bridge's management socket. It ends once and for all; flow-channel.ts makes the next.
import { connect, type Socket } from 'node:net'
import { Bytes } from '../../../core/wire/bytes.ts'
import { readHelloVersions } from '../../../core/wire/openflow/features.ts'
import { readPacketIn, type PacketIn } from '../../../core/wire/openflow/packet-in.ts'
import {
  hasMore,
  headerBytes,
  messageTypes,
  readError,
  readHeader,
  version,
  viewOf,
  writeBare,
  writeHello,
  type Header,
  type Refusal,
} from '../../../core/wire/openflow/openflow.ts'

/** The switch refused the message with this xid. */
export class RefusedMessage extends Error {
  readonly refusal: Refusal
  readonly xid: number

  constructor(xid: number, refusal: Refusal) {
    super(`OpenFlow error ${refusal.type}/${refusal.code}`)
    this.xid = xid
    this.refusal = refusal
  }
}

interface Waiting {
  /** Each message of one request; the last has said that it is. */
  readonly take: (message: Uint8Array) => void
  readonly resolve: () => void
  readonly reject: (err: Error) => void
  /** Errors of these xids are its too: the messages of a bundle. */
  readonly from: number
}

export class OpenFlowConnection {
  /** Resolves with the reason once it is over. */
  readonly closed: Promise<Error>
  readonly #socket: Socket
  readonly #version: number
  readonly #onPacket: ((packet: PacketIn) => void) | undefined
  readonly #end: (err: Error) => void
  readonly #waiting = new Map<number, Waiting>()
  readonly #greeted = Promise.withResolvers<readonly string[]>()
  #rest: Uint8Array = new Uint8Array(0)
  #nextXid = 1
  #over: Error | undefined

  /**
   * @param spoken   its version on the wire
   * @param onPacket told of each packet that a flow sends here
   */
  constructor(path: string, spoken: number = version, onPacket?: (packet: PacketIn) => void) {
    this.#version = spoken
    this.#onPacket = onPacket
    const { promise, resolve } = Promise.withResolvers<Error>()
    this.closed = promise
    this.#end = resolve
    this.#greeted.promise.catch(() => undefined)
    this.#socket = connect({ path })
    this.#socket.on('data', (piece: Buffer) => this.#receive(piece))
    this.#socket.on('error', (err) => this.close(err))
    this.#socket.on('close', () => this.close(new Error('the switch hung up')))
    this.send((out) => writeHello(out, this.xids(1), spoken))
  }

  /** Once both sides have said hello: the versions that the switch speaks. */
  get greeted(): Promise<readonly string[]> {
    return this.#greeted.promise
  }

  /** The first of so many xids in a row. */
  xids(count: number): number {
    if (this.#nextXid + count > 0xfffffff0) this.#nextXid = 1
    const first = this.#nextXid
    this.#nextXid += count
    return first
  }

  send(write: (out: Bytes) => void): void {
    const out = new Bytes(256)
    write(out)
    this.#socket.write(out.written())
  }

  /** Sends what is written; resolves once there is room for more. */
  async stream(out: Bytes): Promise<void> {
    if (this.#over !== undefined) throw this.#over
    if (this.#socket.write(out.written())) return
    await new Promise<void>((resolve) => {
      const on = (): void => {
        this.#socket.off('drain', on)
        this.#socket.off('close', on)
        resolve()
      }
      this.#socket.on('drain', on)
      this.#socket.on('close', on)
    })
  }

  /**
   * The answer to the request with this xid.
   *
   * @param from the first xid whose error is this request's too
   * @throws RefusedMessage
   */
  async answer(xid: number, from = xid): Promise<Uint8Array[]> {
    const messages: Uint8Array[] = []
    // The socket's buffer is its own: what is kept is copied.
    await this.#waitFor(xid, from, (message) => messages.push(Uint8Array.from(message)))
    return messages
  }

  /**
   * The same, message by message: a whole switch does not have to fit into memory.
   *
   * @param take is not to keep a message; what it throws ends the connection
   */
  answerEach(xid: number, take: (message: Uint8Array) => void): Promise<void> {
    return this.#waitFor(xid, xid, take)
  }

  #waitFor(xid: number, from: number, take: (message: Uint8Array) => void): Promise<void> {
    if (this.#over !== undefined) return Promise.reject(this.#over)
    return new Promise((resolve, reject) => this.#waiting.set(xid, { take, resolve, reject, from }))
  }

  close(reason = new Error('closed')): void {
    if (this.#over !== undefined) return
    this.#over = reason
    this.#socket.destroy()
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
    this.#greeted.reject(reason)
    this.#end(reason)
  }

  #receive(piece: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece)
    const view = viewOf(bytes)
    let at = 0
    while (bytes.length - at >= headerBytes) {
      const header = readHeader(view, at)
      if (header.length < headerBytes) return this.close(new Error(`a message of ${header.length} bytes`))
      if (bytes.length - at < header.length) break
      this.#take(header, bytes.subarray(at, at + header.length))
      at += header.length
    }
    this.#rest = bytes.subarray(at)
  }

  #take({ type, xid }: Header, message: Uint8Array): void {
    if (type === messageTypes.hello) this.#greet(message)
    else if (type === messageTypes.echoRequest) this.send((out) => writeBare(out, messageTypes.echoReply, xid, this.#version))
    else if (type === messageTypes.packetIn) this.#hand(message)
    else if (type === messageTypes.error) this.#refuse(xid, readError(message))
    else this.#answered(xid, type, message)
  }

  #hand(message: Uint8Array): void {
    try {
      this.#onPacket?.(readPacketIn(message))
    } catch (err) {
      this.close(err instanceof Error ? err : new Error(String(err)))
    }
  }

  #greet(message: Uint8Array): void {
    const wanted = this.#version
    const has = message[0]!
    if (has < wanted) this.close(new Error(`the switch speaks OpenFlow wire version ${has}, not ${wanted}: its bridge allows others only`))
    else this.#greeted.resolve(readHelloVersions(message))
  }

  #answered(xid: number, type: number, message: Uint8Array): void {
    const waiting = this.#waiting.get(xid)
    if (waiting === undefined) return
    try {
      waiting.take(message)
    } catch (err) {
      return this.close(err instanceof Error ? err : new Error(String(err)))
    }
    if (type === messageTypes.multipartReply && hasMore(viewOf(message))) return
    this.#waiting.delete(xid)
    waiting.resolve()
  }

  #refuse(xid: number, refusal: Refusal): void {
    for (const [last, waiting] of this.#waiting) {
      if (xid < waiting.from || xid > last) continue
      this.#waiting.delete(last)
      waiting.reject(new RefusedMessage(xid, refusal))
    }
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
