// One JSON-RPC 1.0 connection to an OVSDB server (RFC 7047 section 4). It ends once and for all; platform/ovsdb/database.ts makes the next.
import type { Socket } from 'node:net'
import { JsonFrames } from '../../core/wire/ovsdb/json-frames.ts'
import type { Clock } from '../clock.ts'

/** What the server says without being asked: `update`, `update2`, `locked`, … */
export type OvsdbUpdate = (method: string, params: readonly unknown[]) => void

export interface ConnectionOptions {
  readonly clock: Clock
  /** After so much silence the server is asked whether it lives; after as much again the connection is given up. */
  readonly probeMs: number
  readonly onUnasked: OvsdbUpdate
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (err: Error) => void
}

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: readonly unknown[]
  readonly result?: unknown
  readonly error?: unknown
}

/** What the server answered in place of a result. */
export class RpcError extends Error {
  constructor(method: string, error: unknown) {
    super(`${method}: ${typeof error === 'string' ? error : JSON.stringify(error)}`)
  }
}

export class Connection {
  /** Resolves with the reason once it is over. */
  readonly closed: Promise<Error>
  readonly #socket: Socket
  readonly #options: ConnectionOptions
  readonly #frames = new JsonFrames()
  readonly #waiting = new Map<number, Waiting>()
  readonly #end: (err: Error) => void
  #nextId = 1
  #over: Error | undefined
  #heard = true
  #probed = false
  #stopProbe: () => void

  /** @param socket connecting or connected; this becomes its only reader */
  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket
    this.#options = options
    const { promise, resolve } = Promise.withResolvers<Error>()
    this.closed = promise
    this.#end = resolve
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => this.#receive(piece))
    socket.on('error', (err) => this.close(err))
    socket.on('close', () => this.close(new Error('the server hung up')))
    this.#stopProbe = options.clock.after(options.probeMs, () => this.#probe())
  }

  /**
   * @throws RpcError  what the server answered
   * @throws Error     the connection is over; whether the server has done it is not known
   */
  call(method: string, params: readonly unknown[]): Promise<unknown> {
    if (this.#over !== undefined) return Promise.reject(this.#over)
    const id = this.#nextId++
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject: (err) => reject(err instanceof RpcError ? new RpcError(method, err.message) : err) })
    this.#send({ method, params, id })
    return promise
  }

  close(reason = new Error('closed')): void {
    if (this.#over !== undefined) return
    this.#over = reason
    this.#stopProbe()
    this.#socket.destroy()
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
    this.#end(reason)
  }

  #send(message: Message): void {
    this.#socket.write(JSON.stringify(message))
  }

  #receive(piece: string): void {
    this.#heard = true
    try {
      for (const message of this.#frames.push(piece)) this.#take(message as Message)
    } catch (err) {
      this.close(err as Error)
    }
  }

  #take({ id, method, params, result, error }: Message): void {
    if (method === 'echo') this.#send({ id, result: params ?? [], error: null })
    else if (method !== undefined) this.#options.onUnasked(method, params ?? [])
    else {
      const waiting = this.#waiting.get(id as number)
      this.#waiting.delete(id as number)
      if (error === null || error === undefined) waiting?.resolve(result)
      else waiting?.reject(new RpcError('', error))
    }
  }

  /** A peer that has vanished sends no end: only silence after a question tells (RFC 7047 section 4.1.11). */
  #probe(): void {
    if (!this.#heard && this.#probed) return this.close(new Error(`silent for ${2 * this.#options.probeMs} ms`))
    this.#probed = !this.#heard
    if (this.#probed) this.call('echo', []).catch(() => undefined)
    this.#heard = false
    this.#stopProbe = this.#options.clock.after(this.#options.probeMs, () => this.#probe())
  }
}
