// One peer over gRPC: a connection that comes back by itself, and calls with typed errors. Nothing is retried here.
import { X509Certificate } from 'node:crypto'
import {
  Client,
  connectivityState,
  credentials,
  Metadata,
  type ChannelCredentials,
  type ChannelOptions,
  type VerifyOptions,
} from '@grpc/grpc-js'
import { ConfigInvalid, PeerUnavailable } from '../../core/errors.ts'
import { certificateOf, type CallerCertificate } from './caller.ts'
import { bufferOf } from './buffer.ts'
import { failureOf } from './failure.ts'
import type { Method } from './method.ts'
import { exchange, incoming, type Exchange } from './streams.ts'

export interface PeerTls {
  /** PEM: the authorities that are trusted; absent: those of the machine. */
  readonly ca?: string
  /** PEM: who we are, where the peer wants to know. */
  readonly pair?: { readonly key: string; readonly cert: string }
  /** The name in the peer's certificate where it is not the target's. */
  readonly serverName?: string
  /** Whoever the authorities have signed is the server, whatever its name: told at each handshake who it is (SPIFFE). @throws a refusal */
  readonly known?: (server: CallerCertificate) => void
}

export interface Peer {
  /** `unix:/path` or `host:4711`. */
  readonly target: string
  /** Absent: in the clear. */
  readonly tls?: PeerTls
  /** Sent with every call as `username` and `password` (gNMI authentication, section 3); only over TLS or a unix socket. */
  readonly login?: { readonly user: string; readonly password: string }
  /** For unary calls that say none; 10 s. */
  readonly timeoutMs?: number
  /** Longest pause between tries to connect; 2 s. */
  readonly reconnectMs?: number
}

export interface CallOptions {
  /** Its reason is what the call throws when it is aborted. */
  readonly signal?: AbortSignal
  /** Unary calls: from now to the answer. Streams: to their end; absent: no end. */
  readonly timeoutMs?: number
  /** Beside those of the channel; they replace them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of unary calls: the headers of the answer, by name in lower case. */
  readonly answered?: (headers: (name: string) => readonly string[]) => void
}

export interface Channel {
  readonly target: string
  /** @throws PeerUnavailable, PeerRefused, PeerConflict, Undecodable */
  unary<Asked, Answer>(method: Method<Asked, Answer>, request: Asked, options?: CallOptions): Promise<Answer>
  /** Ends when the peer ends it; leaving the loop cancels the call. @throws as unary, out of the loop */
  serverStream<Asked, Answer>(method: Method<Asked, Answer>, request: Asked, options?: CallOptions): AsyncIterable<Answer>
  bidi<Asked, Answer>(method: Method<Asked, Answer>, options?: CallOptions): Exchange<Asked, Answer>
  /** @throws PeerUnavailable when there is no connection in that time */
  ready(timeoutMs: number): Promise<void>
  /** Calls back each time the connection is there or lost; keeps it connected from then on. The answer stops it. */
  onConnected(notify: (connected: boolean) => void): () => void
  close(): void
}

/** Answers of 64 MiB: a full state of a switch or of a large graph. */
const largest = 64 * 2 ** 20

export function openChannel(peer: Peer): Channel {
  const { target, timeoutMs: usualMs = 10_000 } = peer
  const client = new Client(target, trust(peer), optionsOf(peer))
  const usual = headersOf(peer)
  const headersWith = ({ headers = {} }: CallOptions): Metadata => {
    const all = usual.clone()
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return all
  }
  const within = ({ timeoutMs }: CallOptions, usual?: number): { readonly deadline?: number } => {
    const ms = timeoutMs ?? usual
    return ms === undefined ? {} : { deadline: Date.now() + ms }
  }
  return {
    target,
    unary: (method, request, options = {}) =>
      new Promise((resolve, reject) => {
        const { signal } = options
        if (signal?.aborted) return reject(signal.reason)
        const call = client.makeUnaryRequest(
          method.path,
          encoded(method.encode),
          same,
          request,
          headersWith(options),
          within(options, usualMs),
          (err, answer) => {
            signal?.removeEventListener('abort', cancel)
            if (err === null) settle(() => method.decode(answer!), resolve, reject)
            else reject(signal?.aborted ? signal.reason : failureOf(err, target, method.path))
          },
        )
        const cancel = (): void => call.cancel()
        call.on('metadata', (answered: Metadata) => options.answered?.((name) => answered.get(name).map(String)))
        signal?.addEventListener('abort', cancel)
      }),
    serverStream: (method, request, options = {}) =>
      incoming(client.makeServerStreamRequest(method.path, encoded(method.encode), same, request, headersWith(options), within(options)), {
        target,
        method,
        signal: options.signal,
      }),
    bidi: (method, options = {}) =>
      exchange(client.makeBidiStreamRequest(method.path, encoded(method.encode), same, headersWith(options), within(options)), {
        target,
        method,
        signal: options.signal,
      }),
    ready: (timeoutMs) =>
      new Promise((resolve, reject) => {
        client.waitForReady(Date.now() + timeoutMs, (err) =>
          err === undefined ? resolve() : reject(new PeerUnavailable({ target, method: 'connect', reason: err.message, cause: err })),
        )
      }),
    onConnected: (notify) => watchState(client, notify),
    close: () => client.close(),
  }
}

/** Answers are decoded by us: a decoder that throws inside grpc-js becomes a status, and its own error is lost. */
const same = (from: Buffer): Buffer => from

function settle<T>(make: () => T, resolve: (made: T) => void, reject: (err: unknown) => void): void {
  try {
    resolve(make())
  } catch (err) {
    reject(err)
  }
}

const encoded =
  <T>(encode: (value: T) => Uint8Array) =>
  (value: T): Buffer =>
    bufferOf(encode(value))

function trust({ tls }: Peer): ChannelCredentials {
  if (tls === undefined) return credentials.createInsecure()
  const pem = (text: string | undefined): Buffer | null => (text === undefined ? null : Buffer.from(text))
  return credentials.createSsl(pem(tls.ca), pem(tls.pair?.key), pem(tls.pair?.cert), verifying(tls))
}

function verifying({ known }: PeerTls): VerifyOptions {
  if (known === undefined) return {}
  return {
    checkServerIdentity: (_, { raw }) => {
      try {
        known(certificateOf(new X509Certificate(raw)))
        return undefined
      } catch (err) {
        return err as Error
      }
    },
  }
}

function optionsOf({ tls, reconnectMs = 2000 }: Peer): ChannelOptions {
  return {
    'grpc.max_receive_message_length': largest,
    // By default an environment's http_proxy would get calls to a switch or to the daemon of this node.
    'grpc.enable_http_proxy': 0,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    'grpc.initial_reconnect_backoff_ms': Math.min(100, reconnectMs),
    'grpc.max_reconnect_backoff_ms': reconnectMs,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
    ...(tls?.serverName !== undefined && { 'grpc.ssl_target_name_override': tls.serverName }),
  }
}

function headersOf({ target, tls, login }: Peer): Metadata {
  const headers = new Metadata()
  if (login === undefined) return headers
  if (tls === undefined && !target.startsWith('unix:'))
    throw new ConfigInvalid({ name: target, reason: 'a password is sent only over TLS or a unix socket' })
  headers.set('username', login.user)
  headers.set('password', login.password)
  return headers
}

function watchState(client: Client, notify: (connected: boolean) => void): () => void {
  let stopped = false
  let connected = false
  const channel = client.getChannel()
  const checkState = (): void => {
    if (stopped) return
    const state = channel.getConnectivityState(true)
    if (state === connectivityState.SHUTDOWN) return
    if ((state === connectivityState.READY) !== connected) {
      connected = !connected
      notify(connected)
    }
    channel.watchConnectivityState(state, Infinity, (err) => (err === undefined ? checkState() : undefined))
  }
  checkState()
  return () => {
    stopped = true
  }
}
