// Connections that would hold up a stop. Node.js counts one on which nothing was asked as busy, over TLS also one whose handshake
// never ends, and no longer looks at its time limits once a server is closing (measured with 24.21, 2026-11): a client's spare
// connection held up a stop until the client gave it up, mostly after a minute.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock.ts'

/** A client that has just connected is about to ask: it has this long from its connecting on. */
const graceMs = 1_000
const pollMs = 50
/** What was half asked when the stop began, or is still being answered: longer than any answer takes, shorter than kubelet's patience. */
const patienceMs = 20_000

/** Sockets before their first request, and when each connected. Over TLS a socket is followed by the one that deciphers it. */
class Silent {
  #since = new Map<Socket, number>()
  /** Bare sockets in their handshake: Node.js has no documented way from the deciphering socket to the one below it. */
  #handshakes = new Map<string, Socket>()

  connected(socket: Socket, now: number, tls: boolean): void {
    this.#since.set(socket, now)
    const key = peerOf(socket)
    if (tls) this.#handshakes.set(key, socket)
    socket.once('close', () => {
      this.#since.delete(socket)
      if (this.#handshakes.get(key) === socket) this.#handshakes.delete(key)
    })
  }

  secured(socket: Socket, now: number): void {
    const key = peerOf(socket)
    const bare = this.#handshakes.get(key)
    this.#handshakes.delete(key)
    if (bare !== undefined) this.#since.delete(bare)
    this.connected(socket, now, false)
  }

  requested(socket: Socket): void {
    this.#since.delete(socket)
  }

  /** Ends those that connected before then. */
  endBefore(then: number): void {
    for (const [socket, since] of this.#since) if (since <= then) socket.destroy()
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/** To be called before the app listens: closing it then ends them, and whatever is left after 20 s. */
export function endSilentConnections(app: FastifyInstance, clock: Clock): void {
  const server: Server = app.server
  const silent = new Silent()
  const tls = 'setSecureContext' in server
  server.on('connection', (socket: Socket) => silent.connected(socket, clock.elapsed(), tls))
  server.on('secureConnection', (socket: Socket) => silent.secured(socket, clock.elapsed()))
  server.on('request', ({ socket }) => silent.requested(socket))
  let cancel = (): void => undefined
  const check = (end: number): void => {
    silent.endBefore(clock.elapsed() - graceMs)
    if (clock.elapsed() >= end) server.closeAllConnections()
    cancel = clock.after(pollMs, () => check(end))
  }
  app.addHook('preClose', (done) => {
    if (server.listening) check(clock.elapsed() + patienceMs)
    done()
  })
  server.once('close', () => cancel())
}
