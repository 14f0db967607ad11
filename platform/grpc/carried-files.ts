// Open files that travel with the bytes of a connection (unix(7), SCM_RIGHTS), as NSM sends network namespaces and sockets.
import type { Duplex } from 'node:stream'

/** As fstat(2) has them. */
export interface InodeName {
  readonly device: bigint
  readonly inode: bigint
}

export interface CarriedFile {
  /** It may be open as a path alone (O_PATH). */
  readonly fd: number
  /** For who has it; twice is once. */
  close(): void
}

export interface CarriedFiles {
  /** Waits for one that is not there yet; undefined: none has come. Each caller has one of its own to close. */
  take(name: InodeName, withinMs: number): Promise<CarriedFile | undefined>
}

export interface FileConnection extends Duplex {
  readonly files: CarriedFiles
}

export interface FileSockets {
  /** A socket of that path, for its owner and group. @throws where it cannot be made */
  listen(path: string, accepted: (connection: FileConnection) => void): { close(): void }
}
