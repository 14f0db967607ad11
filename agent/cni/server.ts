// Where the shim calls: a unix socket of root's, one request and one answer a connection.
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { CniReply, Listening } from '../machine/machine.ts'

/** A configuration with a hundred attachments for GC is some ten kilobytes. */
const requestMax = 4 * 2 ** 20

export async function listenCni(path: string, answer: CniReply): Promise<Listening> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rm(path, { force: true })
  const under = new Set<Promise<void>>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const done = serve(socket, answer).catch(() => void socket.destroy())
    under.add(done)
    void done.finally(() => under.delete(done))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, 0o600)
  return { close: () => closed(server, under) }
}

async function closed(server: Server, under: ReadonlySet<Promise<void>>): Promise<void> {
  const ended = new Promise<void>((resolve) => server.close(() => resolve()))
  await Promise.all(under)
  await ended
}

async function serve(socket: Socket, answer: CniReply): Promise<void> {
  const request = await wholeOf(socket)
  if (request === undefined) socket.destroy()
  else socket.end(await answer(request))
}

/** All that comes until the writer ends; undefined where it is too much, or the writer goes away before. */
function wholeOf(socket: Socket): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(undefined))
    socket.on('end', () => resolve(Buffer.concat(chunks)))
    socket.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > requestMax) resolve(undefined)
      else chunks.push(chunk)
    })
  })
}
