// A listener of its own for what asks how a process is: kubelet and Prometheus. Processes that serve nothing else have only this.
import { createServer, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { probePaths } from '../core/probe-paths.ts'
import { listen, type ListenAddress, type Listening } from './http/listen.ts'
import { sendMetrics } from './metrics/send.ts'

export interface Health {
  /** What keeps it from serving, in words; none when it is ready. */
  readonly problems: () => readonly string[]
  /** Absent: metrics are told elsewhere. */
  readonly registry: Registry | undefined
}

export interface ProbeAnswer {
  readonly status: number
  readonly type: string
  readonly text: string
}

const plain = (status: number, lines: readonly string[]): ProbeAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  text: `${lines.join('\n')}\n`,
})

/** It names what is missing and answers 200: a restart would not help. */
export const alive = (problems: readonly string[]): ProbeAnswer => plain(200, ['ok', ...problems])

export const readiness = (problems: readonly string[]): ProbeAnswer => (problems.length === 0 ? plain(200, ['ok']) : plain(503, problems))

/** Serves /livez, /readyz and, unless they are told elsewhere, /metrics. */
export function listenHealth(address: ListenAddress, health: Health): Promise<Listening> {
  const server = createServer((request, response) => {
    answer(request.url ?? '', response, health).catch(() => response.destroy())
  })
  return listen(server, address)
}

async function answer(url: string, response: ServerResponse, { problems, registry }: Health): Promise<void> {
  const path = url.split('?')[0]
  if (path === probePaths.metrics && registry !== undefined) return sendMetrics(response, registry)
  const { status, type, text } = probeAnswer(path, problems()) ?? unknown(registry !== undefined)
  response.writeHead(status, { 'content-type': type }).end(text)
}

function probeAnswer(path: string | undefined, problems: readonly string[]): ProbeAnswer | undefined {
  if (path === probePaths.alive) return alive(problems)
  return path === probePaths.ready ? readiness(problems) : undefined
}

function unknown(hasMetrics: boolean): ProbeAnswer {
  const { alive: livez, ready, metrics } = probePaths
  return plain(404, [hasMetrics ? `there are ${livez}, ${ready} and ${metrics}` : `there are ${livez} and ${ready}`])
}
