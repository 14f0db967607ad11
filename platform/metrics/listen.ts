// A listener of its own for Prometheus, over HTTPS: whoever shows no certificate that the right authority has signed is not heard. By a
// certificate, and not by a token: a token is shown to every target, also to one that is somebody else's by now, who could then use it
// (docs/decisions/0038-prometheus-shows-a-certificate.md).
import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Registry } from 'prom-client'
import { probePaths } from '../../core/probe-paths.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { listen } from '../http/listen.ts'
import type { Log } from '../log.ts'
import type { Stops } from '../run.ts'
import { followFiles } from '../tls/files.ts'
import type { CertificatePair } from '../tls.ts'
import { sendMetrics } from './send.ts'

/** Who has begun to ask has this long to end: a scraper asks at once. */
const askMs = 10_000
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
  const certificate = await followFiles(
    { cert: config.metricsCert, key: config.metricsKey, clientCa: config.metricsClientCa },
    { clock, log },
  )
  stops.add(() => certificate.close())
  const limits = { handshakeTimeout: askMs, headersTimeout: askMs, requestTimeout: askMs, connectionsCheckingInterval: askMs }
  const server = createServer(
    { ...contextOf(certificate.current()), ...limits, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      answer(request, response, { registry, names: config.metricsClientNames }).catch(() => response.destroy())
    },
  )
  server.maxConnections = connections
  certificate.on((now) => server.setSecureContext(contextOf(now)))
  const { l4Port: metricsL4Port, close } = await listen(server, {
    host: config.metricsHost ?? config.listenHost,
    l4Port: config.metricsL4Port,
  })
  stops.add(close)
  log.info({ metricsL4Port }, 'listening')
  return metricsL4Port
}

const contextOf = ({
  key,
  cert,
  clientCa,
}: CertificatePair): { readonly key: string; readonly cert: string; readonly ca: string | undefined; readonly minVersion: 'TLSv1.2' } => ({
  key,
  cert,
  ca: clientCa,
  minVersion: 'TLSv1.2',
})

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
