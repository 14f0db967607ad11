// The files that one peer has sent, until somebody asks for them by what they are. grpcfd (edwarnicke/grpcfd 1.1.4) sends one again for
// each call that names it, so that one which is in use already may have to serve the next call too.
import type { CarriedFile, CarriedFiles, InodeName } from '../../platform/grpc/carried-files.ts'

export interface FilesAround {
  /** Of an open file. */
  readonly nameOf: (fd: number) => InodeName
  readonly close: (fd: number) => void
  readonly after: (ms: number, call: () => void) => () => void
}

interface Received {
  readonly fd: number
  users: number
  /** It came, or came again, and nobody has asked for it since: ends the wait for whoever does. */
  unclaimed: (() => void) | undefined
}

/** Files of one peer that nobody has asked for. grpcfd has as many in one message at the most. */
export const unclaimedMax = 64
/** A call that names it comes right behind it. */
const unclaimedMs = 30_000

export class ReceivedFiles implements CarriedFiles {
  readonly #around: FilesAround
  readonly #received = new Map<string, Received>()
  readonly #waiting = new Map<string, Set<() => void>>()
  #isClosed = false

  constructor(around: FilesAround) {
    this.#around = around
  }

  /** Takes all of them, whatever comes of it. False: there are more than anybody asks for. */
  add(fds: readonly number[]): boolean {
    for (const fd of fds) this.#addOne(fd)
    return fds.length === 0 || [...this.#received.values()].filter(({ unclaimed }) => unclaimed !== undefined).length <= unclaimedMax
  }

  #addOne(fd: number): void {
    const key = keyOf(this.#around.nameOf(fd))
    const had = this.#received.get(key)
    if (had !== undefined || this.#isClosed) this.#around.close(fd)
    if (this.#isClosed) return
    const received = had ?? { fd, users: 0, unclaimed: undefined }
    this.#received.set(key, received)
    received.unclaimed?.()
    received.unclaimed = this.#around.after(unclaimedMs, () => this.#claimed(key, received))
    for (const arrived of this.#waiting.get(key) ?? []) arrived()
  }

  async take(name: InodeName, withinMs: number): Promise<CarriedFile | undefined> {
    const key = keyOf(name)
    if (!this.#received.has(key) && !this.#isClosed && withinMs > 0) await this.#arrival(key, withinMs)
    const received = this.#received.get(key)
    if (received === undefined) return undefined
    received.users++
    this.#claimed(key, received)
    let isOpen = true
    return {
      fd: received.fd,
      close: () => {
        if (!isOpen) return
        isOpen = false
        received.users--
        this.#dropUnused(key, received)
      },
    }
  }

  /** What is in use stays open until it is not. */
  close(): void {
    this.#isClosed = true
    for (const [key, received] of this.#received) this.#claimed(key, received)
    for (const all of this.#waiting.values()) for (const gone of all) gone()
  }

  #arrival(key: string, withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const all = this.#waiting.get(key) ?? new Set()
      this.#waiting.set(key, all)
      const done = (): void => {
        cancel()
        all.delete(done)
        if (all.size === 0) this.#waiting.delete(key)
        resolve()
      }
      const cancel = this.#around.after(withinMs, done)
      all.add(done)
    })
  }

  #claimed(key: string, received: Received): void {
    received.unclaimed?.()
    received.unclaimed = undefined
    this.#dropUnused(key, received)
  }

  #dropUnused(key: string, received: Received): void {
    if (received.users > 0 || received.unclaimed !== undefined) return
    this.#received.delete(key)
    this.#around.close(received.fd)
  }
}

const keyOf = ({ device, inode }: InodeName): string => `${device}/${inode}`
