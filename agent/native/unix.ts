// The face in TypeScript of the addon of unix sockets; agent/native/unix/module.c says what each does.
import { createRequire } from 'node:module'
import { builtNative } from './build.ts'
import { messageOf } from '../../core/errors.ts'

declare const unixBrand: unique symbol
/** It closes when nobody has it any more, or by `close`. */
export interface UnixSocket {
  readonly [unixBrand]: true
}

/** What throws is an error with `errno` (a number above 0) and `syscall`. Nothing blocks. */
export interface UnixAddon {
  /** Once in a process. Node.js stays while a socket is open. */
  start(call: (id: number, readable: boolean, writable: boolean) => void): void
  listen(path: string): UnixSocket
  connect(path: string): UnixSocket
  /** undefined: nobody is there now. */
  accept(socket: UnixSocket): UnixSocket | undefined
  idOf(socket: UnixSocket): number
  /** Told once it is ready for one of them; replaces what was armed before. */
  arm(socket: UnixSocket, read: boolean, write: boolean): void
  /** Files are the caller's to close. No bytes: the peer has said all; undefined: nothing is there now. */
  receive(socket: UnixSocket): readonly [bytes: Buffer, ...files: readonly number[]] | undefined
  /** @returns how many bytes were taken, all files with the first of them; -1: none now */
  send(socket: UnixSocket, bytes: Uint8Array, files: readonly number[]): number
  /** Nothing more is sent. */
  end(socket: UnixSocket): void
  close(socket: UnixSocket): void
  /** The flag of clone(2) that makes such a one, as `0x40000000` for a network namespace; 0: the file is no namespace. */
  namespaceType(file: number): number
}

/** The addon, if it has been built; Node.js loads it once a process and path. */
export function loadUnix(path?: string): UnixAddon | { readonly missing: string } {
  const built = path === undefined ? builtNative('unix') : { path }
  if ('missing' in built) return built
  try {
    return createRequire(import.meta.url)(built.path) as UnixAddon
  } catch (error) {
    return { missing: `${built.path} does not load: ${messageOf(error)}` }
  }
}
