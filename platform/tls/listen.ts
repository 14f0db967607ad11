// A listener over HTTPS for whoever is not known yet: with a certificate of files that is served anew when they change, and limits.
import { createServer, type ServerOptions } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import { listen, type ListenAddress, type Listening } from '../http/listen.ts'
import type { Log } from '../log.ts'
import type { CertificatePair } from '../tls.ts'
import { followFiles, type PairOfFiles } from './files.ts'

export interface TlsListenOptions extends ListenAddress {
  /** With `clientCa` nobody is heard without a certificate that it has signed. */
  readonly files: PairOfFiles
  /** At once. */
  readonly connections: number
  /** A response that it has not answered when it throws is cut off. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Who has begun to ask has this long to end. */
const askMs = 10_000
const limits = { handshakeTimeout: askMs, headersTimeout: askMs, requestTimeout: askMs, connectionsCheckingInterval: askMs }

/** @throws ConfigInvalid where there is no certificate, or what listening throws */
export async function listenTls({ files, connections, answer, clock, log, ...address }: TlsListenOptions): Promise<Listening> {
  const certificate = await followFiles(files, { clock, log })
  const authenticated = files.clientCa === undefined ? {} : { requestCert: true, rejectUnauthorized: true }
  const server = createServer({ ...contextOf(certificate.current()), ...limits, ...authenticated }, (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.maxConnections = connections
  certificate.on((now) => server.setSecureContext(contextOf(now)))
  try {
    const { l4Port, close } = await listen(server, address)
    return {
      l4Port,
      close() {
        certificate.close()
        return close()
      },
    }
  } catch (err) {
    certificate.close()
    throw err
  }
}

const contextOf = ({ key, cert, clientCa }: CertificatePair): ServerOptions => ({ key, cert, ca: clientCa, minVersion: 'TLSv1.2' })
