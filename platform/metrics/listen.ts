// A listener of its own for Prometheus, over HTTPS: whoever shows no certificate that the right authority has signed is not heard. By a
// certificate, and not by a token: a token is shown to every target, also to one that is somebody else's by now, who could then use it
// (docs/decisions/0038-prometheus-shows-a-certificate.md).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Registry } from 'prom-client'
import { probePaths } from '../../core/probe-paths.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Stops } from '../run.ts'
import { listenTls } from '../tls/listen.ts'
import { sendMetrics } from './send.ts'

/** More at once than all that scrape: what is written here is not small. */
const connections = 32

type Settings = Pick<
  Config,
  'metricsL4Port' | 'metricsHost' | 'metricsCert' | 'metricsKey' | 'metricsClientCa' | 'metricsClientNames' | 'listenHost'
>

/**
 * Serves /metrics to clients with a certificate, and its own anew when its files change.
 *
 * @returns where; undefined where no TCP port is set for it: then it is beside /livez
 * @throws ConfigInvalid where there is no certificate, or what listening throws
 */
export async function startMetrics(
  config: Settings,
  registry: Registry,
  { clock, log, stops }: { readonly clock: Clock; readonly log: Log; readonly stops: Stops },
): Promise<number | undefined> {
  if (config.metricsL4Port === undefined) return undefined
  const { l4Port: metricsL4Port, close } = await listenTls({
    host: config.metricsHost ?? config.listenHost,
    l4Port: config.metricsL4Port,
    files: { cert: config.metricsCert, key: config.metricsKey, clientCa: config.metricsClientCa },
    connections,
    answer: (request, response) => answer(request, response, { registry, names: config.metricsClientNames }),
    clock,
    log,
  })
  stops.add(close)
  log.info({ metricsL4Port }, 'listening')
  return metricsL4Port
}

interface Answering {
  readonly registry: Registry
  /** Common or DNS names; none: every client that the authority has signed. */
  readonly names: readonly string[]
}

async function answer(request: IncomingMessage, response: ServerResponse, { registry, names }: Answering): Promise<void> {
  const say = (status: number, text: string): void =>
    void response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
  const shown = namesOf(request.socket as TLSSocket)
  if (names.length > 0 && !shown.some((each) => names.includes(each))) return say(403, `metrics are not for ${shown.join(', ')}`)
  if (request.url?.split('?')[0] !== probePaths.metrics) return say(404, `there is ${probePaths.metrics}`)
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return (void response.setHeader('allow', 'GET, HEAD'), say(405, 'metrics are read'))
  await sendMetrics(response, registry)
}

/** The common name, and the DNS names. */
function namesOf(socket: TLSSocket): readonly string[] {
  const { subject, subjectaltname = '' } = socket.getPeerCertificate()
  const names = subjectaltname
    .split(', ')
    .filter((each) => each.startsWith('DNS:'))
    .map((each) => each.slice(4))
  return [subject?.CN, ...names].filter((each) => typeof each === 'string')
}
