// A listener of its own for what asks how a process is: kubelet and Prometheus. Processes that serve nothing else have only this.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { networkInterfaces } from 'node:os'

export interface Health {
  /** What keeps it from serving, in words; none when it is ready. */
  readonly problems: () => readonly string[]
  /** Absent: metrics are told elsewhere. */
  readonly registry: Registry | undefined
}

export interface HealthAddress {
  /** Absent: all addresses of the machine, IPv6 too where it has one. */
  readonly host: string | undefined
  /** 0: a free one. */
  readonly l4Port: number
}

export const hostOf = (host: string | undefined): string =>
  host ?? (Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6')) ? '::' : '0.0.0.0')

const plain = 'text/plain; charset=utf-8'

/**
 * Serves /livez, which names what is missing and is well all the same, as a new start mends nothing of it, /readyz, which names it too,
 * and, unless they are told elsewhere, /metrics as Prometheus text (version 0.0.4).
 */
export async function listenHealth(place: HealthAddress, health: Health): Promise<{ readonly l4Port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request.url ?? '', response, health).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: hostOf(place.host), port: place.l4Port }, () => resolve())
  })
  return { l4Port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

async function answer(url: string, response: ServerResponse, { problems, registry }: Health): Promise<void> {
  const path = url.split('?')[0]
  const say = (status: number, text: string, type = plain): void => void response.writeHead(status, { 'content-type': type }).end(text)
  if (path === '/livez') return say(200, ['ok', ...problems(), ''].join('\n'))
  if (path === '/metrics' && registry !== undefined) return say(200, await registry.metrics(), registry.contentType)
  if (path !== '/readyz')
    return say(404, registry === undefined ? 'there are /livez and /readyz\n' : 'there are /livez, /readyz and /metrics\n')
  const missing = problems()
  say(missing.length === 0 ? 200 : 503, missing.length === 0 ? 'ok\n' : `${missing.join('\n')}\n`)
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
