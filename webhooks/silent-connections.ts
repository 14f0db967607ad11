// Connections on which nothing was ever asked. Node.js counts them as busy until headersTimeout has passed (60 s; measured with
// 24.21, 2026-11), so one spare connection of a client would hold up a stop for as long.
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Ends them when the app closes. To be called before it listens; for plain HTTP, since over TLS the sockets of requests are others. */
export function endSilentConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    for (const socket of silent) socket.destroy()
    done()
  })
}
