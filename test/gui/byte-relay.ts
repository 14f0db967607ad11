// A TCP relay between a browser and a server of loopback that can cut what goes to the browser within a character.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface ByteRelay {
  readonly url: string
  /** The next time that this passes by, its first two bytes are the last of their connection; resolves when that has happened. */
  cutWithin(text: string): Promise<void>
  /** From now on whatever is passed on comes in two pieces, parted within this where it is there. */
  partWithin(text: string): void
  close(): Promise<void>
}
interface Cutting {
  readonly bytes: Buffer
  readonly done: () => void
}

export async function openByteRelay(targetL4Port: number): Promise<ByteRelay> {
  const sockets = new Set<Socket>()
  let cutting: Cutting | undefined
  let parting: Buffer | undefined
  const pass = (piece: Buffer, near: Socket, far: Socket): void => {
    const cut = cutting === undefined ? -1 : piece.indexOf(cutting.bytes)
    if (cutting !== undefined && cut >= 0) {
      near.end(piece.subarray(0, cut + 2))
      far.destroy()
      cutting.done()
      cutting = undefined
      return
    }
    const part = parting === undefined ? -1 : piece.indexOf(parting)
    if (part < 0) return void near.write(piece)
    near.write(piece.subarray(0, part + 2), () => setImmediate(() => near.write(piece.subarray(part + 2))))
  }
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', port: targetL4Port, noDelay: true })
    near.setNoDelay(true)
    near.on('data', (piece) => far.write(piece))
    far.on('data', (piece: Buffer) => pass(piece, near, far))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        other.end()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutWithin: (text) => new Promise((done) => (cutting = { bytes: Buffer.from(text), done })),
    partWithin: (text) => (parting = Buffer.from(text)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
