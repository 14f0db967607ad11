// The demo's own callback receiver: writes down what it is told, in the order it is told.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly atMs: number
  readonly id: string
  readonly sequence: number
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly phase: string
  readonly signed: boolean
}
export interface Receiver {
  readonly url: string
  readonly notices: readonly Received[]
  stop(): Promise<void>
}

interface NotifiedObject {
  readonly kind: string
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly status?: { readonly phase?: string }
}

export async function startReceiver(): Promise<Receiver> {
  const notices: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const notified = JSON.parse(Buffer.concat(chunks).toString()) as NotifiedObject
      const { headers } = request
      notices.push({
        atMs: Date.now(),
        id: String(headers['webhook-id']),
        sequence: Number(headers['megrez-sequence']),
        kind: notified.kind,
        namespace: notified.metadata.namespace ?? '',
        name: notified.metadata.name,
        phase: phaseOf(notified),
        signed: /^v1,/.test(String(headers['webhook-signature'])),
      })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port: l4Port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${l4Port}/notices`,
    notices,
    stop: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  }
}

/** A pod's own phase is the kubelet's; what we say of its network stands in our annotation. */
function phaseOf(notified: NotifiedObject): string {
  const report = notified.metadata.annotations?.['megrez.io/nic-status']
  if (notified.kind !== 'Pod' || report === undefined) return notified.status?.phase ?? ''
  return (JSON.parse(report) as { phase: string }).phase
}
