// Where Clouds tell of their ports, over HTTPS: in workers, which alone know the ways to Clouds
// (docs/decisions/0056-a-cloud-tells-of-its-ports.md).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../platform/config.ts'
import type { Listening } from '../../platform/http/listen.ts'
import { listenTls } from '../../platform/tls/listen.ts'
import { CloudEvents, type CloudEventsDeps, type EventRequest } from './cloud-events.ts'

type Settings = Pick<Config, 'cloudEventsL4Port' | 'cloudEventsCert' | 'cloudEventsKey' | 'listenHost'>
/** Whoever cannot be told apart from others yet is held by no more than this. */
const connections = 64
/** As much as OpenStack's own services read (oslo.middleware, max_request_body_size): some 700 events. */
const bodyMost = 114_688

/** @returns undefined where no TCP port is set for it @throws ConfigInvalid where there is no certificate, or what listening throws */
export async function listenForEvents(config: Settings, deps: CloudEventsDeps): Promise<Listening | undefined> {
  const { cloudEventsL4Port: l4Port, listenHost: host, cloudEventsCert: cert, cloudEventsKey: key } = config
  if (l4Port === undefined) return undefined
  const { clock, log } = deps
  const events = new CloudEvents(deps)
  const listening = await listenTls({
    host,
    l4Port,
    files: { cert, key },
    connections,
    answer: (request, response) => answer(request, response, events),
    clock,
    log,
  })
  log.info({ cloudEventsL4Port: listening.l4Port }, 'listening')
  return listening
}

async function answer(request: IncomingMessage, response: ServerResponse, events: CloudEvents): Promise<void> {
  const body = await textOf(request)
  const { status, headers, body: says } = await events.answer(requestOf(request, body))
  // What is not read to its end is not waited for.
  const end = body === undefined ? { connection: 'close' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...headers, ...end }).end(JSON.stringify(says))
}

function requestOf({ method = '', url = '', headers, socket }: IncomingMessage, body: string | undefined): EventRequest {
  const token = headers['x-auth-token']
  return {
    method,
    path: url.split('?')[0]!,
    token: typeof token === 'string' ? token : undefined,
    from: socket.remoteAddress ?? '',
    body,
  }
}

/** What is beyond the most is thrown away as it comes: a sender that is cut off in the middle would not read its answer. */
function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= bodyMost) chunks.push(chunk)
    else resolve(undefined)
  })
  request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
  request.on('error', reject)
  return promise
}
