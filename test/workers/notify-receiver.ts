// A receiver of callbacks on loopback: real HTTP, and a memory of what came.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Of the object told of. */
  readonly uid: string
  readonly sequence: number
  readonly phase: string
}
/** Answers one request; a number is a status with an empty body. */
export type Answer = (received: Received, response: ServerResponse) => number | undefined

export interface Receiver {
  readonly url: string
  readonly l4Port: number
  /** All requests that came, and those that were answered 2xx. */
  readonly heard: readonly Received[]
  readonly taken: readonly Received[]
  /** Of requests under way at once, for one object. */
  readonly mostAtOnce: () => number
  answer: Answer
  close(): Promise<void>
}

export interface ReceiverOptions {
  readonly answer?: Answer
  readonly l4Port?: number
  readonly tls?: {
    readonly key: string
    readonly cert: string
    readonly ca?: string
    readonly requestCert?: true
    readonly rejectUnauthorized?: true
  }
}

export async function openReceiver({ answer = () => 204, l4Port = 0, tls }: ReceiverOptions = {}): Promise<Receiver> {
  const heard: Received[] = []
  const taken: Received[] = []
  const underWay = new Map<string, number>()
  let most = 0
  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await read(request)
    heard.push(received)
    const count = (underWay.get(received.uid) ?? 0) + 1
    underWay.set(received.uid, count)
    most = Math.max(most, count)
    response.on('close', () => underWay.set(received.uid, (underWay.get(received.uid) ?? 1) - 1))
    const status = receiver.answer(received, response)
    if (status === undefined) return
    if (status >= 200 && status < 300) taken.push(received)
    response.writeHead(status).end()
  }
  const listener = (request: IncomingMessage, response: ServerResponse): void => void onRequest(request, response).catch(() => undefined)
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(l4Port, '127.0.0.1', resolve))
  const bound = (server.address() as AddressInfo).port
  const receiver: Receiver = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${bound}/told`,
    l4Port: bound,
    heard,
    taken,
    mostAtOnce: () => most,
    answer,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  return receiver
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString()
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const object = (body.startsWith('{') ? JSON.parse(body) : {}) as { metadata?: { uid?: string } }
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers,
    body,
    uid: object.metadata?.uid ?? '',
    sequence: Number(headers['megrez-sequence']),
    phase: headers['megrez-phase'] ?? '',
  }
}

/** What an object's receiver took, in order. */
export const changesTaken = (received: readonly Received[], uid: string): string[] =>
  received.filter((each) => each.uid === uid).map((each) => `${each.sequence} ${each.phase}`)
