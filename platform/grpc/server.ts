// A gRPC server of ours: methods, limits, certificate. Where its connections come from is said beside it: `listen-grpc.ts`, or whoever
// has read something of a connection before and injects the rest.
import type { Duplex } from 'node:stream'
import { Server, type ServerOptions } from '@grpc/grpc-js'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { CertificateSource } from '../tls.ts'
import { answerStream, answerUnary, type Answering } from './answering.ts'
import { credentialsOf } from './followed-certificate.ts'
import { healthHandlers } from './health.ts'
import type { ServedHandler } from './handlers.ts'

export interface GrpcServing {
  readonly handlers: readonly ServedHandler[]
  /** Absent: in the clear. Where it brings `clientCa`, nobody is heard without a certificate that it has signed. */
  readonly certificate?: CertificateSource | undefined
  readonly limits?: Partial<GrpcLimits>
  readonly clock: Clock
  readonly log: Log
  /** Once a call, with the name of its status, as in `DEADLINE_EXCEEDED`. */
  readonly ended?: (path: string, code: string) => void
}

export interface GrpcLimits {
  /** Bytes of a request; what is larger is refused before it is read whole. 4 MiB, as Go's servers have it. */
  readonly messageBytes: number
  /** Calls at once of one connection. */
  readonly streams: number
  /** A connection that says nothing for so long is asked whether it is there, and cut off where it does not answer in a third of that. */
  readonly silenceMs: number
}
const usual: GrpcLimits = { messageBytes: 4 * 2 ** 20, streams: 1_000, silenceMs: 30_000 }

export interface GrpcServer {
  /** Serves a connection that somebody else has accepted. With a certificate it is TLS that comes on it. */
  inject(connection: Duplex): void
  /** Streams end with OK, calls get so long to be answered; then whoever is left is cut off. */
  stop(graceMs?: number): Promise<void>
}

/** With grpc.health.v1.Health beside the handlers. */
export function openGrpcServer(serving: GrpcServing): GrpcServer {
  const { handlers, certificate, clock, log, ended = () => undefined } = serving
  const stopping = new AbortController()
  const server = new Server(optionsOf({ ...usual, ...serving.limits }))
  const answering: Answering = {
    stopping: stopping.signal,
    ended,
    failed: (path, err) => log.error({ path, err }, 'a gRPC call failed'),
  }
  for (const handler of [...handlers, ...healthHandlers(handlers.map(({ path }) => path))]) register(server, handler, answering)
  const injector = server.createConnectionInjector(credentialsOf(certificate))
  return {
    inject: (connection) => injector.injectConnection(connection),
    stop: (graceMs = 5_000) => {
      stopping.abort()
      return stopped(server, clock, graceMs)
    },
  }
}

const same = (bytes: Buffer): Buffer => bytes

/** Requests are decoded by us: a decoder that throws inside grpc-js becomes a status of its own. */
function register(server: Server, handler: ServedHandler, answering: Answering): void {
  const { path } = handler
  if (handler.kind === 'unary') server.register(path, answerUnary(handler, answering), same, same, 'unary')
  else server.register(path, answerStream(handler, answering), same, same, 'serverStream')
}

const optionsOf = ({ messageBytes, streams, silenceMs }: GrpcLimits): ServerOptions => ({
  'grpc.max_receive_message_length': messageBytes,
  'grpc.max_send_message_length': -1,
  'grpc.max_concurrent_streams': streams,
  'grpc.keepalive_time_ms': silenceMs,
  'grpc.keepalive_timeout_ms': Math.ceil(silenceMs / 3),
  'grpc.enable_channelz': 0,
})

function stopped(server: Server, clock: Clock, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const force = (): void => {
      server.forceShutdown()
      resolve()
    }
    const cancel = clock.after(graceMs, force, { keepsAlive: true })
    server.tryShutdown(() => {
      cancel()
      // What tryShutdown leaves open, as clients that have just connected.
      force()
    })
  })
}
