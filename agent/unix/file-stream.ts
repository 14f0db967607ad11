// A connection of a unix socket as a stream of Node.js, with the open files that come and go with its bytes. It reads as fast as it is
// read, and the kernel holds the peer up.
import { Duplex } from 'node:stream'
import { LinkRefused } from '../../core/errors.ts'
import type { FileConnection } from '../../platform/grpc/carried-files.ts'
import type { UnixAddon, UnixSocket } from '../native/unix.ts'
import { unclaimedMax, type ReceivedFiles } from './received-files.ts'

type Settled = (err?: Error | null) => void

export interface FileStreamOptions {
  readonly addon: UnixAddon
  readonly socket: UnixSocket
  readonly files: ReceivedFiles
  /** Calls back when it is ready for what is armed, until it is closed. */
  readonly watched: (ready: (readable: boolean, writable: boolean) => void) => () => void
  readonly close: (fd: number) => void
}

/** Pieces read in a row; others have their turn then. */
const inARow = 16

export class FileStream extends Duplex implements FileConnection {
  readonly files: ReceivedFiles
  readonly #options: FileStreamOptions
  readonly #unwatch: () => void
  #reads = false
  #rest: { readonly bytes: Uint8Array; readonly done: Settled } | undefined
  #outgoing: number[] = []

  constructor(options: FileStreamOptions) {
    super()
    this.#options = options
    this.files = options.files
    this.#unwatch = options.watched((readable, writable) => this.#ready(readable, writable))
  }

  /** It goes with the bytes that are written next, and is closed then. */
  sendFile(fd: number): void {
    this.#outgoing.push(fd)
  }

  override _read(): void {
    this.#reads = true
    this.#arm()
  }

  override _write(bytes: Uint8Array, _: string, done: Settled): void {
    this.#rest = { bytes, done }
    this.#sendRest()
  }

  override _final(done: Settled): void {
    this.#attempt(() => {
      this.#options.addon.end(this.#options.socket)
      done()
    }, done)
  }

  override _destroy(err: Error | null, done: Settled): void {
    const { addon, socket, close } = this.#options
    this.#unwatch()
    addon.close(socket)
    this.files.close()
    for (const fd of this.#outgoing.splice(0)) close(fd)
    this.#rest = undefined
    done(err)
  }

  /** What was armed is no more. */
  #ready(readable: boolean, writable: boolean): void {
    if (readable && this.#reads) this.#receive()
    if (writable && this.#rest !== undefined) this.#sendRest()
    this.#arm()
  }

  #receive(): void {
    this.#attempt(
      () => {
        for (let n = 0; n < inARow && this.#reads; n++) if (!this.#receivePiece()) return
      },
      (err) => this.destroy(err),
    )
  }

  #receivePiece(): boolean {
    const { addon, socket } = this.#options
    const received = addon.receive(socket)
    if (received === undefined) return false
    const [bytes, ...files] = received
    if (!this.files.add(files))
      throw new LinkRefused({ what: 'a unix socket', reason: `its peer sends more than ${unclaimedMax} files that no call names` })
    const isEnd = bytes.length === 0
    if (!this.push(isEnd ? null : bytes) || isEnd) this.#reads = false
    return !isEnd
  }

  #sendRest(): void {
    const { addon, socket, close } = this.#options
    this.#attempt(
      () => {
        while (this.#rest !== undefined) {
          const { bytes, done } = this.#rest
          const sent = addon.send(socket, bytes, this.#outgoing.slice(0, unclaimedMax))
          if (sent < 0) return this.#arm()
          for (const fd of this.#outgoing.splice(0, unclaimedMax)) close(fd)
          this.#rest = sent < bytes.length ? { bytes: bytes.subarray(sent), done } : undefined
          if (this.#rest === undefined) done()
        }
      },
      (err) => {
        const done = this.#rest?.done
        this.#rest = undefined
        done?.(err)
      },
    )
  }

  #arm(): void {
    const { addon, socket } = this.#options
    if (this.destroyed || (!this.#reads && this.#rest === undefined)) return
    this.#attempt(
      () => addon.arm(socket, this.#reads, this.#rest !== undefined),
      (err) => this.destroy(err),
    )
  }

  #attempt(act: () => void, failed: (err: Error) => void): void {
    try {
      act()
    } catch (err) {
      failed(err as Error)
    }
  }
}
