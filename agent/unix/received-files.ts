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
  /** It came, or came again, and nobody has asked for it since. */
  isUnclaimed: boolean
}

/** Files of one peer that nobody has asked for. grpcfd has as many in one message at the most. */
export const unclaimedMax = 64

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
    return fds.length === 0 || [...this.#received.values()].filter(({ isUnclaimed }) => isUnclaimed).length <= unclaimedMax
  }

  #addOne(fd: number): void {
    const key = keyOf(this.#around.nameOf(fd))
    const had = this.#received.get(key)
    if (had !== undefined || this.#isClosed) this.#around.close(fd)
    if (this.#isClosed) return
    if (had === undefined) this.#received.set(key, { fd, users: 0, isUnclaimed: true })
    else had.isUnclaimed = true
    for (const arrived of this.#waiting.get(key) ?? []) arrived()
  }

  async take(name: InodeName, withinMs: number): Promise<CarriedFile | undefined> {
    const key = keyOf(name)
    if (!this.#received.has(key) && !this.#isClosed && withinMs > 0) await this.#arrival(key, withinMs)
    const received = this.#received.get(key)
    if (received === undefined) return undefined
    received.isUnclaimed = false
    received.users++
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
    for (const [key, received] of this.#received) {
      received.isUnclaimed = false
      this.#dropUnused(key, received)
    }
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

  #dropUnused(key: string, received: Received): void {
    if (received.users > 0 || received.isUnclaimed) return
    this.#received.delete(key)
    this.#around.close(received.fd)
  }
}

const keyOf = ({ device, inode }: InodeName): string => `${device}/${inode}`
