// Who is told: takes a notice only where its signature is right (Standard Webhooks 1.0), and lets callers wait for a phase.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { EventEmitter, on } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Notice {
  readonly kind: string
  readonly name: string
  readonly phase: string
  readonly object: Readonly<Record<string, unknown>>
}

export interface Receiver {
  readonly url: string
  /** Resolves with the first notice of the object in that phase, also where it has come already. */
  phase(kind: string, name: string, phase: string, signal: AbortSignal): Promise<Notice>
  stop(): void
}

interface NotifiedObject {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly status?: { readonly phase?: string }
}
const oldestSeconds = 300

export async function startReceiver(secret: string): Promise<Receiver> {
  const notices: Notice[] = []
  const news = new EventEmitter()
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (!isSigned(request.headers, body, secret)) return void response.writeHead(401).end()
      notices.push(noticeOf(JSON.parse(body) as NotifiedObject))
      news.emit('notice')
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notices`,
    async phase(kind, name, phase, signal) {
      const find = (): Notice | undefined => notices.find((each) => each.kind === kind && each.name === name && each.phase === phase)
      const coming = on(news, 'notice', { signal })
      for (let found = find(); ; found = find()) {
        if (found !== undefined) return found
        await coming.next()
      }
    },
    stop: () => (server.closeAllConnections(), void server.close()),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function isSigned(headers: IncomingMessage['headers'], body: string, secret: string): boolean {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => String(headers[name]))
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > oldestSeconds) return false
  const right = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest()
  return (signatures ?? '').split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64')
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

/** A pod's phase is the kubelet's; how its network does stands in an annotation. */
function noticeOf(notified: NotifiedObject): Notice {
  const report = notified.kind === 'Pod' ? notified.metadata.annotations?.['megrez.io/nic-status'] : undefined
  const phase = report === undefined ? (notified.status?.phase ?? '') : (JSON.parse(report) as { readonly phase: string }).phase
  return { kind: notified.kind, name: notified.metadata.name, phase, object: notified as unknown as Notice['object'] }
}
