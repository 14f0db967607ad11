// A gRPC server on an address: TCP, or a unix socket.
import { rm, chmod } from 'node:fs/promises'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { ConfigInvalid } from '../../core/errors.ts'
import { hostOf } from '../http/listen.ts'
import type { FileSockets } from './carried-files.ts'
import { listenWithFiles } from './listen-files.ts'
import { openGrpcServer, type GrpcServing } from './server.ts'

export interface GrpcListen extends GrpcServing {
  /** `tcp://192.0.2.7:5001`, `tcp://:5001` for all addresses, port 0 for a free one; `unix:///run/x.sock`. */
  readonly address: string
  /** Connections at once; more are closed as they come. 1,000. */
  readonly connections?: number
  /** A unix socket's connections bring open files then. */
  readonly sockets?: FileSockets | undefined
}

export interface GrpcListening {
  /** As it was asked for, with the real port. */
  readonly address: string
  /** Listens no more, streams end with OK, calls get so long to be answered. */
  stop(graceMs?: number): Promise<void>
}

/** Until what a stopped server has left open is cut off. */
const lastMs = 1_000

export type ListenPlace = { readonly path: string } | { readonly host: string | undefined; readonly l4Port: number }

/** @throws ConfigInvalid where it is no address, or another server listens on the socket; else what listening throws */
export async function listenGrpc({ address, connections = 1_000, sockets: fileSockets, ...serving }: GrpcListen): Promise<GrpcListening> {
  const place = placeOf(address)
  if (place === undefined)
    throw new ConfigInvalid({ name: address.slice(0, 200), reason: 'is no address such as tcp://192.0.2.7:5001 or unix:///run/x.sock' })
  if ('path' in place) await removeStale(place.path)
  if ('path' in place && fileSockets !== undefined)
    return { address, stop: listenWithFiles({ sockets: fileSockets, path: place.path, connections, ...serving }) }
  const server = openGrpcServer(serving)
  const sockets = new Set<Socket>()
  const listener = createServer({ noDelay: true }, (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // What a peer does to its own connection is no fault of ours.
    socket.on('error', () => undefined)
    server.inject(socket)
  })
  listener.maxConnections = connections
  await bound(listener, place)
  // The folder decides who may reach it; of those its owner and group may speak.
  if ('path' in place) await chmod(place.path, 0o660)
  return {
    address:
      'path' in place
        ? address
        : `tcp://${place.host === undefined ? '' : bracketed(place.host)}:${(listener.address() as AddressInfo).port}`,
    async stop(graceMs) {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
      await server.stop(graceMs)
      // What is written is still sent; one that came in while the server was stopping is none that it knows.
      const cut = (): void => sockets.forEach((socket) => socket.destroy())
      const cancel = serving.clock.after(lastMs, cut, { keepsAlive: true })
      await closed
      cancel()
    },
  }
}

/** Undefined: no address. */
export function placeOf(address: string): ListenPlace | undefined {
  const path = /^unix:(?:\/\/)?(\/[^/\0][^\0]{0,105})$/.exec(address)?.[1]
  if (path !== undefined) return { path }
  const [, host, l4Port] = /^(?:tcp:\/\/)?(\[[0-9a-fA-F:.]+\]|[^:/\s[\]]*):(\d{1,5})$/.exec(address) ?? []
  if (host === undefined || Number(l4Port) > 65_535) return undefined
  return { host: host === '' ? undefined : host.replace(/^\[|\]$/g, ''), l4Port: Number(l4Port) }
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

function bound(listener: Server, place: ListenPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject)
    listener.listen('path' in place ? place : { host: hostOf(place.host), port: place.l4Port }, () => resolve())
  })
}

/** A socket that a killed process has left; one that somebody answers on is not touched. */
async function removeStale(path: string): Promise<void> {
  const answers = await new Promise<boolean>((resolve) => {
    const probe = connect(path, () => {
      probe.destroy()
      resolve(true)
    })
    probe.on('error', (err: NodeJS.ErrnoException) => resolve(err.code !== 'ECONNREFUSED' && err.code !== 'ENOENT'))
  })
  if (answers) throw new ConfigInvalid({ name: path, reason: 'is a socket that another process listens on, or no socket' })
  await rm(path, { force: true })
}
