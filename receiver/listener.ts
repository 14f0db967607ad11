// A request listener for node:http: verifies, answers the checks of profiles, and says 2xx only once the notice is taken.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NotVerified, verify, type Notice, type VerifyOptions } from './verify.ts'

export interface ListenerOptions extends Omit<VerifyOptions, 'now'> {
  /** Takes a notice; what it throws is answered with 500, and Megrez sends it again. */
  readonly take: (notice: Notice) => void | Promise<void>
  /** Whose CloudEvents are allowed (WebHook-Request-Origin); all unless given. */
  readonly origins?: readonly string[]
}

const bodyMaxBytes = 4 * 1024 * 1024

export function listener({ take, origins, ...options }: ListenerOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<number> => {
    if (request.method === 'GET') return 204
    if (request.method === 'OPTIONS') return allow(request, response, origins)
    if (request.method !== 'POST') return 405
    const text = await textOf(request)
    if (text === undefined) return 413
    await take(verify(text, request.headers, options))
    return 204
  }
  return (request, response) => {
    answer(request, response).then(
      (status) => response.writeHead(status).end(),
      (err: unknown) => response.writeHead(err instanceof NotVerified ? 401 : 500).end(),
    )
  }
}

/** HTTP 1.1 Web Hooks for Event Delivery 1.0, section 4. */
function allow(request: IncomingMessage, response: ServerResponse, origins: readonly string[] | undefined): number {
  const origin = String(request.headers['webhook-request-origin'] ?? '')
  if (origin === '' || (origins !== undefined && !origins.includes(origin))) return 403
  response.setHeader('WebHook-Allowed-Origin', origin)
  response.setHeader('Allow', 'POST')
  return 200
}

async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > bodyMaxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
