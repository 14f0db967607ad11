// Unix sockets that carry open files: one for all of a process, as the addon tells of all its sockets in one place.
import { chmodSync, closeSync, fstatSync, rmSync } from 'node:fs'
import type { Clock } from '../../platform/clock.ts'
import type { FileSockets } from '../../platform/grpc/carried-files.ts'
import type { Log } from '../../platform/log.ts'
import { loadUnix, type UnixAddon, type UnixSocket } from '../native/unix.ts'
import { FileStream } from './file-stream.ts'
import { ReceivedFiles } from './received-files.ts'

type Ready = (readable: boolean, writable: boolean) => void

export interface OpenedFileSockets extends FileSockets {
  /** @throws where nobody listens there */
  connect(path: string): FileStream
  /** The flag of clone(2) that makes such a namespace; 0: the file is none. */
  namespaceType(fd: number): number
}

/** Until the next who waits is taken, where this process may open no more files. */
const againMs = 100

const started = new WeakMap<UnixAddon, Map<number, Ready>>()

/** Of the addon, if it has been built. */
export function openFileSockets(options: {
  readonly clock: Clock
  readonly log: Log
  readonly addon?: UnixAddon | { readonly missing: string }
}): OpenedFileSockets | { readonly missing: string } {
  const { clock, log, addon = loadUnix() } = options
  if ('missing' in addon) return addon
  const ready = readyOf(addon)
  const around = { nameOf, close: closeSync, after: (ms: number, call: () => void) => clock.after(ms, call) }
  const streamOf = (socket: UnixSocket): FileStream =>
    new FileStream({
      addon,
      socket,
      files: new ReceivedFiles(around),
      watched: (call) => watched(ready, addon.idOf(socket), call),
      close: closeSync,
    })
  return {
    namespaceType: (fd) => addon.namespaceType(fd),
    connect: (path) => streamOf(addon.connect(path)),
    listen(path, accepted) {
      const listener = addon.listen(path)
      // The umask may have taken something off.
      chmodSync(path, 0o660)
      let isOpen = true
      const arm = (): void => (isOpen ? addon.arm(listener, true, false) : undefined)
      const accept = (): void => {
        try {
          for (let socket = addon.accept(listener); socket !== undefined; socket = addon.accept(listener)) accepted(streamOf(socket))
          arm()
        } catch (err) {
          log.warn({ err, path }, 'a connection of a unix socket is not accepted now')
          clock.after(againMs, arm)
        }
      }
      const unwatch = watched(ready, addon.idOf(listener), accept)
      arm()
      return {
        close() {
          isOpen = false
          unwatch()
          addon.close(listener)
          rmSync(path, { force: true })
        },
      }
    },
  }
}

const nameOf = (fd: number) => {
  const { dev: device, ino: inode } = fstatSync(fd, { bigint: true })
  return { device, inode }
}

function readyOf(addon: UnixAddon): Map<number, Ready> {
  const known = started.get(addon)
  if (known !== undefined) return known
  const ready = new Map<number, Ready>()
  addon.start((id, readable, writable) => ready.get(id)?.(readable, writable))
  started.set(addon, ready)
  return ready
}

function watched(ready: Map<number, Ready>, id: number, call: Ready): () => void {
  ready.set(id, call)
  return () => ready.delete(id)
}
